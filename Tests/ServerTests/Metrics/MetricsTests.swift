// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Telemetry
import Testing
import TestSupport

@testable import Operations
@testable import Server
@testable import Web

/// Metrics over the Unix socket.
@Suite struct MetricsTests {
  @Test func `every component is listed without personal data`() async throws {
    try await ServerHarness.run { harness in
      let account = try await harness.makeAccount("Verysecretname")
      let text = try await harness.metricsText()
      let metrics = try await harness.metrics()
      let parts = [
        "database", "planning", "reminders", "clock", "backup", "zones", "log", "audit", "damage",
        "broker",
      ]
      #expect(ServerMetrics.parts == parts)
      for part in parts { #expect(metrics[fault: part] == 0, "\(part)") }
      #expect(metrics.keys.filter { $0.hasPrefix("regimen_fault") }.count == parts.count)
      #expect(metrics[#"regimen_build_info{version="\#(ServerSettings.version)"}"#] == 1)
      #expect(metrics["regimen_backup_interval_seconds"] == nil)
      let rows = try #require(metrics["regimen_audit_rows_total"])
      #expect(rows == Double(harness.environment.database.auditSequence))
      #expect(rows > 0)
      for word in ["verysecretname", account.id.text, account.patient.text] {
        #expect(!text.lowercased().contains(word))
      }
    }
  }

  @Test func `values are current`() async throws {
    try await ServerHarness.run { harness in
      let first = try await harness.metrics()
      #expect(first["regimen_uptime_seconds"] == 0)
      #expect(first["regimen_log_lines_dropped_total"] == 0)
      harness.environment.heartbeat.beat(at: harness.clock.now)
      harness.environment.logLosses.lost()
      harness.environment.faults.note(missingZones: ["Europe/Oslo"])
      harness.clock.advance(milliseconds: 61_500)
      let second = try await harness.metrics()
      #expect(second["regimen_uptime_seconds"] == 61.5)
      #expect(second["regimen_log_lines_dropped_total"] == 1)
      for part in ["log", "zones", "planning"] { #expect(second[fault: part] == 1, "\(part)") }
      #expect(second[fault: "reminders"] == 0)
    }
  }

  @Test func `the age of backups is given by kind`() async throws {
    try await ServerHarness.run { harness in
      let environment = harness.environment
      let made = harness.clock.now
      let offsets: [(BackupRun.Kind, Int64)] = [(.command, 0), (.schedule, -5000)]
      try await environment.database.write { writer in
        for (kind, offset) in offsets {
          let moment = made.adding(milliseconds: offset)
          try BackupLog.insert(
            BackupRun(
              id: kind.rawValue, kind: kind, started: moment, finished: moment, trouble: nil,
              place: "/nowhere", bytes: 1, rows: 1), in: writer)
        }
      }
      try await environment.backups.refresh(environment)
      harness.clock.advance(milliseconds: 1500)
      let metrics = try await harness.metrics()
      #expect(metrics[#"regimen_backup_age_seconds{kind="command"}"#] == 1.5)
      #expect(metrics[#"regimen_backup_age_seconds{kind="schedule"}"#] == 6.5)
      harness.clock.set(back: 3_600_000)
      let before = try await harness.metrics()
      #expect(before[#"regimen_backup_age_seconds{kind="command"}"#] == 0)
    }
  }

  @Test func `each metric is described once, before its values`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.send(.get, "/health")
      let text = try await harness.metricsText()
      #expect(text.hasSuffix("\n"))
      var described: Set<Substring> = []
      var current: Substring = ""
      var kind: Substring = ""
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 3)
        if line.hasPrefix("# HELP ") {
          current = words[2]
          let isNew = described.insert(current).inserted
          #expect(isNew, "\(line)")
        } else if line.hasPrefix("# TYPE ") {
          #expect(words[2] == current)
          kind = words[3]
          #expect((kind == "counter") == current.hasSuffix("_total"), "\(line)")
        } else {
          let name = line.prefix { $0 != "{" && $0 != " " }
          let names =
            kind == "histogram"
            ? ["_bucket", "_sum", "_count"].map { current + $0 } : [String(current)]
          #expect(names.contains(String(name)), "\(line)")
        }
      }
    }
  }

  @Test func `requests are counted by route and status class`() async throws {
    try await ServerHarness.run { harness in
      for _ in 0..<3 { _ = try await harness.send(.get, "/medicines/private-plan") }
      _ = try await harness.send(.get, "/nothing/here")
      _ = try await harness.send(HTTPRequest.Method("BREW") ?? .get, "/today")
      let text = try await harness.metricsText()
      let metrics = try await harness.metrics()
      func count(_ method: String, _ route: String, _ status: String) -> Double? {
        let labels = #"{method="\#(method)",route="\#(route)",status="\#(status)"}"#
        return metrics["regimen_http_requests_total\(labels)"]
      }
      #expect(count("GET", "/medicines/{plan}", "3xx") == 3)
      #expect(count("GET", "none", "4xx") == 1)
      #expect(count("other", "none", "4xx") == 1)
      let durations = "regimen_http_request_duration_seconds_count"
      #expect(metrics[#"\#(durations){surface="page"}"#] == 5)
      // The operator's own requests are not counted, and addresses are not shown.
      #expect(!text.contains("/administration"))
      #expect(!text.contains("private-plan"))
      #expect(harness.environment.metricRegistry.refused == 0)
    }
  }

  @Test func `sign-ins and the database are counted`() async throws {
    try await ServerHarness.run { harness in
      let account = try await harness.makeAccount("Ann")
      _ = try await harness.session(of: account)
      let environment = harness.environment
      await #expect(throws: AccountError.signInRefused) {
        try await environment.signIn.open(
          email: "ann@example.org", password: "wrong", at: harness.clock.now)
      }
      let metrics = try await harness.metrics()
      #expect(metrics[#"regimen_sign_ins_total{outcome="success"}"#] == 1)
      #expect(metrics[#"regimen_sign_ins_total{outcome="denied"}"#] == 1)
      for operation in DatabaseOperation.allCases {
        let labels = #"{operation="\#(operation.rawValue)"}"#
        let count = try #require(metrics["regimen_database_duration_seconds_count\(labels)"])
        #expect(count > 0)
        #expect(metrics["regimen_database_in_progress\(labels)"] == 0)
        let limit = try #require(metrics["regimen_database_connections_limit\(labels)"])
        #expect(limit >= 1)
        #expect(metrics["regimen_database_connections_awaited\(labels)"] == 0)
        func connections(_ state: String) -> Double? {
          metrics[
            #"regimen_database_connections{operation="\#(operation.rawValue)",state="\#(state)"}"#]
        }
        #expect(connections("busy") == 0)
        #expect(connections("idle") == limit)
      }
    }
  }

  @Test func `the docs list each metric with its kind and labels`() throws {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "../../../docs/operate.md").standardized
    let docs = try String(contentsOf: file, encoding: .utf8)
    let rows = docs.split(separator: "\n").filter { $0.hasPrefix("| `regimen_") }
    let declared = (StateMetrics.definitions + RegimenServer.metrics).map { metric in
      let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
      return "| `\(metric.name)` | \(metric.typeName) | \(labels.isEmpty ? "–" : labels) |"
    }
    #expect(rows.count == declared.count)
    for (row, start) in zip(rows, declared) { #expect(row.hasPrefix(start), "\(row)") }
  }

  @Test func `no metric has a label that could name a person`() {
    let definitions = StateMetrics.definitions + RegimenServer.metrics
    let allowed: Set = [
      "channel", "kind", "method", "operation", "outcome", "part", "reason", "route", "state",
      "status", "surface", "version",
    ]
    #expect(Set(definitions.flatMap(\.labels)).isSubset(of: allowed))
    #expect(Set(definitions.map(\.name)).count == definitions.count)
  }

  @Test(arguments: ["/metrics", MetricsRoutes.path])
  func `metrics are not served over TCP`(path: String) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, path)
      #expect(answer.status == .notFound)
      #expect(!answer.text.contains("regimen_fault"))
      let administrator = try await harness.makeAccount("Eve", isAdministrator: true)
      let page = try await harness.session(of: administrator).open(path)
      #expect(page.status == .notFound)
    }
  }
}

extension ServerHarness {
  /// Returns the metrics that the Unix socket answers.
  func metricsText() async throws -> String {
    try await administer { client in
      let answer = try await client.executeRequest(
        uri: MetricsRoutes.path, method: .get, headers: [:], body: nil)
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
      return answer.text
    }
  }

  /// Returns the values of all metrics by name and labels.
  func metrics() async throws -> [String: Double] {
    var values: [String: Double] = [:]
    for line in try await metricsText().split(separator: "\n") where !line.hasPrefix("#") {
      let end = try #require(line.lastIndex(of: " "))
      let value = try #require(Double(line[line.index(after: end)...]))
      values[String(line[..<end])] = value
    }
    return values
  }
}

extension [String: Double] {
  /// The value of `regimen_fault` for a part.
  subscript(fault part: String) -> Double? { self[#"regimen_fault{part="\#(part)"}"#] }
}

// SPDX-License-Identifier: Apache-2.0

import Presentation
import Storage
import Web

/// The state of the server for a monitoring system, read when it asks.
///
/// It contains no health data, names or identifiers, and does not depend on a working database.
package struct ServerMetrics: Sendable {
  /// The parts that can fail: those that `/health` can name, and the faults that it lists.
  static let parts =
    ["database", "planning", "reminders"] + InstallationFault.allCases.map(\.rawValue)

  let environment: ServerEnvironment

  func text() async -> String {
    let now = environment.now()
    var metrics = MetricsText()
    await addFaults(to: &metrics, at: now)
    addBackups(to: &metrics, at: now)
    addProcess(to: &metrics)
    return metrics.text
  }

  private func addFaults(to metrics: inout MetricsText, at now: Timestamp) async {
    let outage = await environment.outage(at: now)
    var faulty = Set(environment.allFaults(at: now, during: outage).map(\.rawValue))
    if outage?.part == "database" { faulty.insert("database") }
    if !environment.heartbeat.isAlive(at: now) { faulty.insert("planning") }
    if !environment.reminderHeartbeat.isAlive(at: now) { faulty.insert("reminders") }
    metrics.add(
      "regimen_fault", .gauge, help: "1 while this part has a fault, else 0.",
      Self.parts.map { part in
        MetricsText.Sample(labels: ["part": part], value: faulty.contains(part) ? 1 : 0)
      })
  }

  private func addBackups(to metrics: inout MetricsText, at now: Timestamp) {
    let (backups, kinds) = (environment.backups, BackupRun.Kind.allCases)
    metrics.add(
      "regimen_backup_age_seconds", .gauge,
      help: "Time since the last good backup, scheduled or by command.",
      kinds.compactMap { kind in
        backups.lastMade(kind).map { made in
          let age = max(0, now.milliseconds - made.milliseconds)
          return MetricsText.Sample(
            labels: ["kind": kind.rawValue], value: Double(age) / 1000)
        }
      })
    let interval = environment.settings.backups?.every
    metrics.add(
      "regimen_backup_interval_seconds", .gauge,
      help: "Time between scheduled backups; absent without a schedule.",
      interval.map { [MetricsText.Sample(value: Double($0) / 1000)] } ?? [])
    metrics.add(
      "regimen_backup_failures_total", .counter, help: "Backups that failed since the start.",
      kinds.map { kind in
        MetricsText.Sample(labels: ["kind": kind.rawValue], value: Double(backups.failures(kind)))
      })
  }

  private func addProcess(to metrics: inout MetricsText) {
    metrics.add(
      "regimen_log_lines_dropped_total", .counter,
      help: "Log lines that could not be written since the start.",
      [.init(value: Double(environment.logLosses.total))])
    metrics.add(
      "regimen_audit_rows_total", .counter,
      help: "Rows of the audit trail known to this node.",
      [.init(value: Double(environment.database.auditSequence))])
    metrics.add(
      "regimen_database_statements_total", .counter,
      help: "Database statements run since the start.",
      [.init(value: Double(environment.database.statementCount))])
    let uptime = environment.uptime()
    let ran = uptime > environment.started ? uptime - environment.started : 0
    metrics.add(
      "regimen_uptime_seconds", .gauge, help: "Time since the start of the server.",
      [.init(value: Double(ran / 1_000_000) / 1000)])
    metrics.add(
      "regimen_resident_memory_bytes", .gauge, help: "Resident memory of the server.",
      ProcessMemory.resident.map { [MetricsText.Sample(value: Double($0))] } ?? [])
    metrics.add(
      "regimen_build_info", .gauge, help: "Always 1; the label is the version of the program.",
      [.init(labels: ["version": ServerSettings.version], value: 1)])
  }
}

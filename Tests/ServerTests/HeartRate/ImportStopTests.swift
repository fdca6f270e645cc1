// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import HealthData
import Identifiers
import Storage
import Testing
import TestSupport

@testable import ImportPages
@testable import Web

/// Stopping an import while it writes.
@Suite struct ImportStopTests {
  /// The records of one batch, as `HealthFileImport` gathers them.
  private static let batch = 20_000
  private static let recordsInDay = 2_000
  /// Three batches.
  private static let days = 30

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns the record of a day with its number on that day; all have the same length.
  private static func record(_ number: Int, day: Int) -> String {
    let second = number * 40
    let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
    let moment = "2026-01-\(twoDigits(day)) \(time) +0000"
    return "<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch\""
      + " unit=\"count/min\" creationDate=\"\(moment)\" startDate=\"\(moment)\" endDate=\"\(moment)\""
      + " value=\"\(60 + number % 30)\"/>\n"
  }

  private static func job(
    _ text: String, of account: Account, _ environment: ServerEnvironment
  ) throws -> HealthImportJob {
    let file = try TemporaryUpload(
      name: environment.newIdentifier(), settings: environment.settings)
    try file.append(text.utf8)
    try file.close()
    return HealthImportJob(
      id: environment.newIdentifier(), account: account.id, patient: account.patient,
      fileName: "export.xml", file: file, table: nil, begin: environment.uptime())
  }

  private static func storedDays(
    _ harness: ServerHarness, _ patient: PatientID
  ) async throws -> Int64? {
    try await harness.environment.database.read { reader in
      try reader.first("SELECT count(*) FROM vital_days WHERE patient = $1", [.text(patient)])?
        .integer(0)
    }
  }

  @Test func `removing an upload keeps the next one of the same name`() async throws {
    try await ServerHarness.run { harness in
      let settings = harness.environment.settings
      let name = "removed-twice-\(UUID())"
      let first = try TemporaryUpload(name: name, settings: settings)
      first.remove()
      let second = try TemporaryUpload(name: name, settings: settings)
      #expect(second.path == first.path)
      first.remove()
      #expect(FileManager.default.fileExists(atPath: second.path))
      second.remove()
      #expect(!FileManager.default.fileExists(atPath: first.path))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a stopped import keeps the batches already stored`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let environment = harness.environment
      let jobs = environment.healthImports
      let context = HostImport(environment: environment).context
      // Each write asks for its context first. Until the gate opens, the first batch waits to be written and
      // the reader gets no further than the second.
      let gate = DispatchSemaphore(value: 0)
      defer { gate.signal() }
      let run = HealthFileImport(
        environment: environment, patient: ann.patient,
        context: {
          gate.wait()
          gate.signal()
          return context()
        }, isTrial: false)
      var text = "<HealthData>\n"
      for day in 1...Self.days {
        for number in 0..<Self.recordsInDay { text += Self.record(number, day: day) }
      }
      text += "</HealthData>\n"
      let batchBytes = Int64(Self.batch * Self.record(0, day: 1).utf8.count)
      let buffer: Int64 = 1 << 20

      let job = try Self.job(text, of: ann, environment)
      #expect(jobs.add(job))
      let running = Task { await job.run(run, in: jobs.turns) }
      while job.state.isRunning, job.state.read <= batchBytes + buffer {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(job.state.isRunning)
      job.stop()
      #expect(job.state.isRunning, "a batch is still being written")
      gate.signal()
      await running.value

      let state = job.state
      #expect(state.failure == .cancelled && state.isStopped && state.report == nil)
      // It ended at the latest with the buffer that completed the second batch.
      #expect(state.read <= 2 * batchBytes + 2 * buffer && state.read < state.size)
      #expect(!FileManager.default.fileExists(atPath: job.file.path))
      #expect(jobs.running(of: ann.id) == nil)
      // The first batch, and the second if the reader had completed it before the stop.
      let daysOfBatch = Int64(Self.batch / Self.recordsInDay)
      let kept = try await Self.storedDays(harness, ann.patient)
      #expect(kept == daysOfBatch || kept == 2 * daysOfBatch)

      // The same file again imports the rest.
      let again = try Self.job(text, of: ann, environment)
      #expect(jobs.add(again))
      await again.run(run, in: jobs.turns)
      #expect(again.state.failure == nil)
      let all = try await Self.storedDays(harness, ann.patient)
      #expect(all == Int64(Self.days))
    }
  }
}

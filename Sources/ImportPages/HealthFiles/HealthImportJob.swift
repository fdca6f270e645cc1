// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthData
import Identifiers
import Synchronization
import Web

/// An import of one file: running, finished, or waiting for the meaning of its columns.
final class HealthImportJob: Sendable {
  /// The questions about a table's columns before the import.
  struct Table: Sendable {
    let file: TableFile
    var mapping: TableMapping
    /// The result of a dry run with that mapping; nil before one.
    var trial: HealthImportReport?
  }

  struct State: Sendable {
    /// The table; nil for a file that describes itself, and once it is imported.
    var table: Table?
    var read: Int64 = 0
    var size: Int64 = 0
    var report: HealthImportReport?
    var failure: HealthFileError?
    var isStopped = false
    /// True while it waits for other imports.
    var isQueued = false

    var isRunning: Bool { report == nil && failure == nil && table == nil }
  }

  let id: String
  let account: AccountID
  let patient: PatientID
  let fileName: String
  let file: TemporaryUpload
  /// The start, in nanoseconds since an arbitrary moment.
  var begin: UInt64 { begun.withLock { $0 } }
  private let begun: Mutex<UInt64>
  private let kept = Mutex(State())

  init(
    id: String, account: AccountID, patient: PatientID, fileName: String, file: TemporaryUpload,
    table: TableFile?, begin: UInt64
  ) {
    self.id = id
    self.account = account
    self.patient = patient
    self.fileName = fileName
    self.file = file
    begun = Mutex(begin)
    if let table {
      kept.withLock {
        $0.table = Table(file: table, mapping: TableMapping(guessedFrom: table.header))
      }
    }
  }

  var state: State { kept.withLock { $0 } }

  /// Stops it: at once while it waits, else with the next piece that is read.
  func stop() {
    let isWaiting = kept.withLock { state in
      state.isStopped = true
      guard state.table != nil || state.isQueued else { return false }
      state.table = nil
      state.isQueued = false
      state.failure = .cancelled
      return true
    }
    if isWaiting { file.remove() }
  }

  /// Stores the mapping of a waiting table, and the result of its dry run.
  func say(_ mapping: TableMapping, trial: HealthImportReport?) {
    kept.withLock { state in
      state.table?.mapping = mapping
      state.table?.trial = trial
    }
  }

  /// Lets a waiting table be imported; false if it no longer waits.
  func begin(at uptime: UInt64) -> Bool {
    begun.withLock { $0 = uptime }
    return kept.withLock { state in
      defer { state.table = nil }
      return state.table != nil
    }
  }

  /// Runs the import when its turn comes, and keeps the result.
  func run(_ run: HealthFileImport, in turns: ImportTurns) async {
    kept.withLock { $0.isQueued = true }
    await turns.enter()
    await perform(run)
    await turns.leave()
  }

  private func perform(_ run: HealthFileImport) async {
    let isStopped = kept.withLock { state in
      state.isQueued = false
      return state.failure != nil
    }
    if isStopped { return }
    do {
      let report = try await run.perform(path: file.path) { progress in
        let isStopped = self.kept.withLock { state in
          state.read = progress.read
          state.size = progress.size
          return state.isStopped
        }
        if isStopped { throw HealthFileError.cancelled }
      }
      kept.withLock { $0.report = report }
    } catch let error as HealthFileError {
      kept.withLock { $0.failure = error }
    } catch {
      kept.withLock { $0.failure = .unreadable }
    }
    file.remove()
  }
}

/// Lets one import run at a time, in order of arrival: each takes a processor of its own.
actor ImportTurns {
  private let limit = 1
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits for a turn.
  func enter() async {
    if running < limit {
      running += 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Passes the turn to the next import.
  func leave() {
    if waiting.isEmpty {
      running -= 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

/// The imports that run or wait in this process, at most one for each account, and the latest
/// results.
package final class HealthImportJobs: Sendable {
  /// Creates an empty list.
  package init() {}

  private static let most = 100
  private let jobs = Mutex<[HealthImportJob]>([])
  let turns = ImportTurns()

  /// Adds an import; false while another one of the same account runs.
  func add(_ job: HealthImportJob) -> Bool {
    jobs.withLock { jobs in
      guard !jobs.contains(where: { $0.account == job.account && $0.state.isRunning }) else {
        return false
      }
      jobs.removeAll { $0.account == job.account }
      jobs.append(job)
      if jobs.count > Self.most, let done = jobs.firstIndex(where: { !$0.state.isRunning }) {
        jobs.remove(at: done)
      }
      return true
    }
  }

  func job(_ id: String, of account: AccountID) -> HealthImportJob? {
    jobs.withLock { $0.first { $0.id == id && $0.account == account } }
  }

  func running(of account: AccountID) -> HealthImportJob? {
    jobs.withLock { $0.first { $0.account == account && $0.state.isRunning } }
  }
}

extension HealthImportJobs: FeatureValue {
  /// An empty list.
  package static let absent = HealthImportJobs()
}

extension ServerEnvironment {
  /// The health files that are being imported.
  var healthImports: HealthImportJobs { features[HealthImportJobs.self] }
}

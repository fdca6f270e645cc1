// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Identifiers
import Storage
import Synchronization
import Web

/// A bulk export that was requested.
struct ExportJob: Sendable {
  enum State: Sendable {
    case waiting
    /// The number of resources that are written so far.
    case running(Int)
    case done([ExportFile])
    case failed
  }

  let id: String
  let request: ExportRequest
  /// The sender, with the rights at the time of the request.
  let caller: FHIRCaller
  /// The key of its files, which is kept nowhere else.
  let cipher: FieldCipher
  var state = State.waiting

  var account: AccountID { caller.signedIn.account.id }
  var created: Timestamp { caller.now }
  /// The time at which its files are removed.
  var expires: Timestamp { created.adding(milliseconds: ExportJobs.lifetime) }

  var isFinished: Bool {
    switch state {
    case .waiting, .running: false
    case .done, .failed: true
    }
  }

  /// The files, once all are written.
  var files: [ExportFile] {
    if case .done(let files) = state { files } else { [] }
  }
}

/// The bulk exports of this server, kept in memory.
///
/// A restart forgets them with the keys of their files, and removes the files.
package final class ExportJobs: Sendable {
  /// The lifetime of an export from its request, in milliseconds: 24 hours.
  static let lifetime: Int64 = 24 * 3_600_000
  /// The most exports of an account, including finished ones.
  private static let mostOfAccount = 5
  private static let most = 50

  private let jobs = Mutex<[ExportJob]>([])

  /// Creates an empty list.
  package init() {}

  deinit {
    for job in jobs.withLock({ $0 }) { job.files.forEach { $0.remove() } }
  }

  /// Adds an export; false if there are too many.
  func add(_ job: ExportJob) -> Bool {
    let removed = jobs.withLock { jobs -> [ExportFile]? in
      // The oldest finished one of the account makes room.
      var files: [ExportFile] = []
      if jobs.count(where: { $0.account == job.account }) >= Self.mostOfAccount {
        guard
          let oldest = jobs.firstIndex(where: { $0.account == job.account && $0.isFinished })
        else { return nil }
        files = jobs.remove(at: oldest).files
      }
      guard jobs.count < Self.most else { return nil }
      jobs.append(job)
      return files
    }
    removed?.forEach { $0.remove() }
    return removed != nil
  }

  /// Returns an export of an account; nil if there is none, or it has expired.
  func job(_ id: String, of account: AccountID, at now: Timestamp) -> ExportJob? {
    jobs.withLock { jobs in
      jobs.first { $0.id == id && $0.account == account && now < $0.expires }
    }
  }

  /// Removes an export of an account with its files; false if there is none.
  func remove(_ id: String, of account: AccountID) -> Bool {
    let removed = jobs.withLock { jobs -> ExportJob? in
      guard let index = jobs.firstIndex(where: { $0.id == id && $0.account == account }) else {
        return nil
      }
      return jobs.remove(at: index)
    }
    removed?.files.forEach { $0.remove() }
    return removed != nil
  }

  /// Removes expired exports with their files.
  func removeExpired(at now: Timestamp) {
    let removed = jobs.withLock { jobs -> [ExportJob] in
      let expired = jobs.filter { $0.expires <= now }
      jobs.removeAll { $0.expires <= now }
      return expired
    }
    for job in removed { job.files.forEach { $0.remove() } }
  }

  /// Marks the oldest waiting export as running and returns it; nil if none waits.
  func begin() -> ExportJob? {
    jobs.withLock { jobs in
      let index = jobs.firstIndex { if case .waiting = $0.state { true } else { false } }
      guard let index else { return nil }
      jobs[index].state = .running(0)
      return jobs[index]
    }
  }

  /// Records the progress or the end of an export; false if it was removed meanwhile.
  func set(_ state: ExportJob.State, of id: String) -> Bool {
    jobs.withLock { jobs in
      guard let index = jobs.firstIndex(where: { $0.id == id }) else { return false }
      jobs[index].state = state
      return true
    }
  }

  /// Removes the files that a stopped server left behind.
  package static func clear(_ settings: ServerSettings) {
    guard settings.dataFolder != nil else { return }
    try? FileManager.default.removeItem(atPath: ExportFile.folder(settings))
  }
}

extension ExportJobs: FeatureValue {
  /// An empty list.
  package static let absent = ExportJobs()
}

extension ServerEnvironment {
  /// The bulk exports.
  var exports: ExportJobs { features[ExportJobs.self] }
}

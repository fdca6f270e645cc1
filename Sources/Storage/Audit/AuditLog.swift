// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Logging
import Synchronization

/// The audit side of a commit: the chain in the database, and its anchors.
final class AuditLog: Sendable {
  /// A wrapper around the closure.
  ///
  /// A bare closure would be wrapped once more each time it is taken out of a generic container and put back,
  /// so that each commit would be slower than the one before.
  private struct Observer {
    let notify: @Sendable ([AuditEntry]) -> Void
  }

  /// The heads to write to the anchor files.
  private struct Waiting {
    var head: AuditHead?
    var line: AuditHead?
    var isScheduled = false
  }

  /// The minimum time between two writes of the anchor file, in milliseconds, by the times of the entries.
  private static let anchorInterval: Int64 = 1_000
  private let chain: AuditChain
  private let anchor: AuditAnchor?
  private let outside: AuditOutsideWriter?
  private let logger: Logger
  private let anchoredAt = Mutex<Timestamp?>(nil)
  private let appendedAt = Mutex<Timestamp?>(nil)
  private let observer = Mutex<Observer?>(nil)
  private let waiting = Mutex(Waiting())
  /// Runs off the writer's thread, because syncing a file must not delay the next commit.
  private let files = DispatchQueue(label: "regimen.audit-anchor")

  init(
    chain: AuditChain, anchor: AuditAnchor?, outside: AuditOutsideWriter? = nil, logger: Logger
  ) {
    self.chain = chain
    self.anchor = anchor
    self.outside = outside
    self.logger = logger
  }

  /// The sequence number of the last entry that this process committed or found when it started.
  var sequence: Int64 { chain.head.sequence }

  func append(
    _ entries: [AuditEntry], to connection: any SQLConnection
  ) throws(StorageError) -> AuditHead {
    guard connection.isShared else {
      return try chain.append(entries, after: chain.head, to: connection)
    }
    let place = try chain.follow(in: connection)
    if let conflict = place.conflict { record(conflict) }
    return try chain.append(entries, after: place.head, to: connection)
  }

  /// Finds out, on a new connection, whether a commit without an answer was kept; nil if the database cannot
  /// tell.
  func resynchronise(_ head: AuditHead, on connection: any SQLConnection) -> Bool? {
    do throws(StorageError) {
      try connection.reopen()
      // Waits for the lost transaction if the server is still working on it.
      try connection.begin(exclusively: true)
      let isKept = try chain.holds(head, in: connection)
      try connection.execute("ROLLBACK")
      return isKept
    } catch {
      return nil
    }
  }

  private func record(_ conflict: String) {
    logger.critical("\(conflict) Verify the audit trail.")
    try? anchor?.recordConflict(conflict)
  }

  func observe(_ observer: @escaping @Sendable ([AuditEntry]) -> Void) {
    self.observer.withLock { $0 = Observer(notify: observer) }
  }

  // MARK: Anchors

  /// Records a durable commit.
  func committed(_ head: AuditHead, at entries: [AuditEntry]) {
    chain.adopt(head)
    observer.withLock { $0 }?.notify(entries)
    guard anchor != nil, let latest = entries.map(\.at).max() else { return }
    if Self.isDue(appendedAt, at: latest, after: AuditAnchorTrail.interval) {
      schedule(head, withLine: true)
      outside?.publish(head) { [logger] error in
        logger.error("The audit anchors elsewhere could not be written: \(error)")
      }
    }
    if Self.isDue(anchoredAt, at: latest, after: Self.anchorInterval) {
      schedule(head, withLine: false)
    }
  }

  private static func isDue(
    _ moment: borrowing Mutex<Timestamp?>, at latest: Timestamp, after interval: Int64
  ) -> Bool {
    moment.withLock { moment in
      if let last = moment, latest >= last, latest < last.adding(milliseconds: interval) {
        return false
      }
      moment = latest
      return true
    }
  }

  private func schedule(_ head: AuditHead, withLine: Bool) {
    let isFirst = waiting.withLock { waiting in
      if withLine { waiting.line = head } else { waiting.head = head }
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if isFirst { files.async { self.writeWaiting() } }
  }

  private func writeWaiting() {
    let work = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    // Write the trail first, so that it is never behind a head restored from an earlier state.
    if let line = work.line { appendAnchor(line) }
    if let head = work.head { write(head) }
  }

  private func appendAnchor(_ head: AuditHead) {
    guard let anchor else { return }
    if !PrivateFile.exists(anchor.trail.path) {
      record("The file of earlier anchors was deleted while the server ran.")
    }
    do {
      try anchor.trail.append(head)
    } catch {
      logger.error("The audit anchors could not be written: \(error)")
    }
  }

  /// Writes the anchor file.
  ///
  /// A failure loses evidence but no data, and is logged.
  private func write(_ head: AuditHead) {
    guard let anchor else { return }
    do {
      try anchor.write(head)
    } catch {
      logger.error("The audit anchor file could not be written: \(error)")
    }
  }

  /// Waits until the anchors in the data folder cover everything committed.
  func settleAnchors() {
    files.sync { writeWaiting() }
  }

  /// Writes the last head before the database is closed.
  func close() {
    files.sync {
      writeWaiting()
      if chain.head.sequence > 0 { write(chain.head) }
    }
  }

  func report(_ error: StorageError) {
    logger.error("The database was not closed cleanly: \(error)")
  }
}

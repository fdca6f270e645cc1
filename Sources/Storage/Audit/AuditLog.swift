// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization

/// The audit side of a commit: the chain in the database, and its anchor beside it.
final class AuditLog: Sendable {
  /// Not the bare closure: each time one is taken out of a generic container it is wrapped once more
  /// and put back so, and every commit would cost more than the one before.
  private struct Observer {
    let notify: @Sendable ([AuditEntry]) -> Void
  }

  /// The anchor file is written at most once in this time, by the entries' own instants.
  private static let anchorInterval: Int64 = 1_000
  private let chain: AuditChain
  private let anchor: AuditAnchor?
  private let logger: Logger
  private let anchoredAt = Mutex<Timestamp?>(nil)
  private let appendedAt = Mutex<Timestamp?>(nil)
  private let observer = Mutex<Observer?>(nil)

  init(chain: AuditChain, anchor: AuditAnchor?, logger: Logger) {
    self.chain = chain
    self.anchor = anchor
    self.logger = logger
  }

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

  /// Finds out, on a new connection, whether a commit was kept whose answer was lost; nil where the
  /// database does not say.
  func resynchronise(_ head: AuditHead, on connection: any SQLConnection) -> Bool? {
    do throws(StorageError) {
      try connection.reopen()
      // Behind the lost transaction, should the server still be at it.
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

  /// Takes note of a durable commit.
  func committed(_ head: AuditHead, at entries: [AuditEntry]) {
    chain.adopt(head)
    observer.withLock { $0 }?.notify(entries)
    guard anchor != nil, let latest = entries.map(\.at).max() else { return }
    // The trail first: it must never be behind a head that was put back.
    if Self.isDue(appendedAt, at: latest, after: AuditAnchorTrail.interval) { appendAnchor() }
    if Self.isDue(anchoredAt, at: latest, after: Self.anchorInterval) { writeAnchor() }
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

  private func appendAnchor() {
    guard let anchor, chain.head.sequence > 0 else { return }
    do {
      try anchor.trail.append(chain.head)
    } catch {
      logger.error("The anchors of the audit chain were not written: \(error)")
    }
  }

  /// Writes the anchor file; a failure costs evidence, not data, and is logged.
  func writeAnchor() {
    guard let anchor, chain.head.sequence > 0 else { return }
    do {
      try anchor.write(chain.head)
    } catch {
      logger.error("The anchor file of the audit chain was not written: \(error)")
    }
  }

  func report(_ error: StorageError) {
    logger.error("The database was not closed cleanly: \(error)")
  }
}

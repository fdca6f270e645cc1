// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization

/// Receives the changes of other nodes, and keeps this node's time in step with the database's clock.
///
/// After a lost connection it reports that anything may have changed.
final class PostgresListener: Sendable {
  private static let pauseMilliseconds: Int32 = 250
  private static let roundsBetweenClocks = 40
  /// The smallest difference that counts, in milliseconds; smaller ones come from network delay.
  private static let smallestStep: Int64 = 100

  private let connect: @Sendable () -> PostgresConnection
  private let uptime: @Sendable () -> UInt64
  private let logger: Logger
  private let isStopped = Atomic(false)
  private let isListening = Atomic(false)
  private let difference = Atomic<Int64>(0)
  private let ownSender = Atomic<Int32>(0)
  private let ownProcess = Atomic<Int32>(0)

  init(
    connect: @escaping @Sendable () -> PostgresConnection,
    uptime: @escaping @Sendable () -> UInt64, logger: Logger
  ) {
    self.connect = connect
    self.uptime = uptime
    self.logger = logger
  }

  /// The database's clock: its last known time plus the time elapsed since.
  ///
  /// Setting this machine's own clock does not affect it.
  var clock: Timestamp {
    Timestamp(milliseconds: running &+ difference.load(ordering: .relaxed))
  }

  private var running: Int64 { Int64(clamping: uptime() / 1_000_000) }

  /// Registers the server process whose messages are this node's own.
  func know(_ process: Int32) {
    ownSender.store(process, ordering: .relaxed)
  }

  /// The server process that listens for this node; 0 if there is none.
  var process: Int32 { ownProcess.load(ordering: .relaxed) }

  private var sender: Int32 { ownSender.load(ordering: .relaxed) }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
  }

  /// Starts the thread, once.
  func listen(_ observer: @escaping @Sendable (SharedChange) -> Void) {
    guard !isListening.exchange(true, ordering: .relaxed) else { return }
    let thread = Thread { self.work(observer) }
    thread.name = "postgres-listener"
    thread.start()
  }

  private func work(_ observer: @Sendable (SharedChange) -> Void) {
    let connection = connect()
    var hasListened = false
    var isReached = false
    while !isStopped.load(ordering: .relaxed) {
      do throws(StorageError) {
        try connection.open()
        // Before the lock, so that this node does not count itself as another.
        ownProcess.store(connection.processID, ordering: .sequentiallyConsistent)
        try connection.script(
          "LISTEN regimen; SELECT pg_advisory_lock_shared(\(PostgresEngine.nodeLock))")
        isReached = true
        if hasListened {
          logger.notice("the database is connected again")
          observer(SharedChange(patients: nil, wakesReminders: true))
        }
        hasListened = true
        try listen(on: connection, observer)
      } catch {
        if isReached { logger.error("the connection to the database was lost") }
        isReached = false
        connection.close()
        _ = poll(nil, 0, Self.pauseMilliseconds)
      }
    }
    connection.close()
  }

  private func listen(
    on connection: PostgresConnection, _ observer: @Sendable (SharedChange) -> Void
  ) throws(StorageError) {
    var rounds = 0
    while !isStopped.load(ordering: .relaxed) {
      if rounds % Self.roundsBetweenClocks == 0 { try setClock(by: connection) }
      rounds += 1
      var waiting = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, Self.pauseMilliseconds)
      for message in try connection.notifications() where message.sender != sender {
        if let change = SharedChange(message: message.text) { observer(change) }
      }
    }
  }

  /// Reads the database's clock, which all nodes follow.
  func setClock(by connection: PostgresConnection) throws(StorageError) {
    let before = running
    let row = try connection.query(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", []
    ).first
    guard let row else { return }
    let found = try row.value(as: Int64.self) - (before + (running - before) / 2)
    guard abs(found - difference.load(ordering: .relaxed)) >= Self.smallestStep else { return }
    difference.store(found, ordering: .relaxed)
  }
}

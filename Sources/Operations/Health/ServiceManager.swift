// SPDX-License-Identifier: Apache-2.0

import Storage

/// The service manager that started the program and hears from it that it listens and works (sd_notify(3)).
package struct ServiceManager: Sendable {
  /// The milliseconds within which the manager expects each sign of life; nil if it expects none of this process.
  package let patience: Int64?
  private let address: [UInt8]

  /// Creates the manager that the environment names; nil without one, such as in a terminal.
  ///
  /// - Parameter process: The id of this process.
  package init?(environment: [String: String], process: Int32) {
    guard let socket = environment["NOTIFY_SOCKET"], let first = socket.first,
      first == "/" || first == "@"
    else { return nil }
    // A socket without a file has an address that begins with a zero byte.
    address = first == "@" ? [0] + socket.utf8.dropFirst() : Array(socket.utf8)
    let isWatched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    patience = isWatched && microseconds >= 1000 ? microseconds / 1000 : nil
  }

  /// Tells that the server listens.
  package func tellReady() { send("READY=1") }

  /// Gives a sign of life.
  package func tellAlive() { send("WATCHDOG=1") }

  /// Sends a message; the manager acts on signs that it misses, so a failure needs no answer.
  private func send(_ message: String) {
    _ = Datagram.send(Array(message.utf8), toSocket: address)
  }
}

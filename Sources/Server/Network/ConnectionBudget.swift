// SPDX-License-Identifier: Apache-2.0

/// How many connections people may have open, so that files are left for everything else.
package struct ConnectionBudget: Sendable, Hashable {
  /// Connections that are answered; further ones are refused at once.
  package let connections: Int

  /// Connections that may wait for their refusal.
  static let refusals = 16
  /// The database, event loops, timers, pipes to the mail program, log, lock, backups.
  private static let reserve = 96
  /// Epoll, wake-up and timer of each event loop; one loop to a core.
  private static let perCore = 4
  /// An eighth of all goes to reminders, hospitals and whatever else leaves, on top of the reserve.
  private static let outboundShare = 8
  /// A request may have a file open beside its connection, such as an upload.
  private static let perConnection = 2
  /// Fewer serve nobody well.
  private static let fewest = 32

  /// Nil where the limit leaves too little to run with.
  ///
  /// - Parameters:
  ///   - limit: files and connections that the process may have open.
  ///   - most: connections that are enough, whatever the limit allows.
  package init?(limit: Int, cores: Int, most: Int) {
    let kept = Self.reserve + Self.perCore * cores + limit / Self.outboundShare + Self.refusals
    let fitting = (limit - kept) / Self.perConnection
    guard fitting >= Self.fewest else { return nil }
    connections = min(fitting, most)
  }

  /// The smallest limit that is enough.
  package static func least(cores: Int, most: Int) -> Int {
    (1...).lazy.map { $0 * 32 }.first {
      ConnectionBudget(limit: $0, cores: cores, most: most) != nil
    } ?? 1024
  }
}

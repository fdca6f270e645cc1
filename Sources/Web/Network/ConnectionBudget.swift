// SPDX-License-Identifier: Apache-2.0

/// The number of client connections that leaves enough open files for everything else.
package struct ConnectionBudget: Sendable, Hashable {
  /// The number of connections that are served; further ones are refused at once.
  package let connections: Int

  /// The number of connections that can wait for their refusal.
  package static let refusals = 16
  /// Files for the database, event loops, timers, pipes to the mail program, log, lock and backups.
  private static let reserve = 96
  /// The epoll, wake-up and timer files of each event loop, with one loop per core.
  private static let perCore = 4
  /// The share of all files, an eighth, for reminders, hospitals and other outgoing connections, on
  /// top of the reserve.
  private static let outboundShare = 8
  /// A request can have a file open in addition to its connection, such as an upload.
  private static let perConnection = 2
  /// The fewest connections worth serving.
  private static let fewest = 32

  /// Creates the budget of a process; nil if the limit is too low.
  ///
  /// - Parameters:
  /// - limit: The number of files and connections that the process may have open.
  /// - cores: The number of processor cores, each with an event loop.
  /// - most: A number of connections that is sufficient, whatever the limit allows.
  package init?(limit: Int, cores: Int, most: Int) {
    let kept = Self.reserve + Self.perCore * cores + limit / Self.outboundShare + Self.refusals
    let fitting = (limit - kept) / Self.perConnection
    guard fitting >= Self.fewest else { return nil }
    connections = min(fitting, most)
  }

  /// Returns the smallest limit that is sufficient, in steps of 32.
  package static func least(cores: Int, most: Int) -> Int {
    (1...).lazy.map { $0 * 32 }.first {
      ConnectionBudget(limit: $0, cores: cores, most: most) != nil
    } ?? 1024
  }
}

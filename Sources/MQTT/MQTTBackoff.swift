// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts to connect: each twice as long as the one before, and shortened at random, so
/// that clients that lost a broker together do not return together.
package enum MQTTBackoff {
  /// The first pause in milliseconds.
  static let first = 500
  /// The longest pause in milliseconds.
  static let longest = 60_000
  /// The milliseconds after which a connection counts as stable, so that the pauses begin anew.
  static let stable: UInt64 = 10_000

  /// Returns the pause after a number of failed attempts, in milliseconds: between half of the full pause and all
  /// of it.
  ///
  /// - Parameter random: Any number.
  package static func pause(afterFailures failures: Int, random: UInt64) -> Int {
    let doublings = min(max(failures - 1, 0), 10)
    let full = min(longest, first << doublings)
    return full / 2 + Int(random % UInt64(full / 2 + 1))
  }
}

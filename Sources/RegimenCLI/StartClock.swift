// SPDX-License-Identifier: Apache-2.0

/// Refuses to start with a clock that was never set, such as that of a computer without a battery.
///
/// Everything stored until the clock is corrected would have times of another decade.
enum StartClock {
  /// The milliseconds since 1970 of 2010-01-01T00:00:00Z.
  ///
  /// Clocks that were never set show 1970 or 2000.
  private static let earliest: Int64 = 1_262_304_000_000

  /// Throws unless a time can be the present.
  static func check(_ milliseconds: Int64) throws {
    guard milliseconds < earliest else { return }
    throw CommandFailure(
      description: """
        The clock of this machine is before 2010, so it has not been set. Set it (timedatectl shows \
        it), then start again.
        """)
  }
}

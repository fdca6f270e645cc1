// SPDX-License-Identifier: Apache-2.0

/// A clinic's choices on points that FHIR leaves open; initially the default rules.
///
/// The minutes between meals and doses (rule 21) and the times of events (rule 20) are in `DailyRhythm`.
public struct TimingChoices: Hashable, Sendable {
  /// The treatment of a time that the clock skips (rule 8).
  public enum Gap: Hashable, Sendable {
    /// The dose moves to the first moment after the gap (the default).
    case next
    /// No dose on that date.
    case skip
    /// The dose moves later by the length of the gap.
    case shift
  }

  /// The treatment of a time that the clock skips (rule 8).
  public var gap = Gap.next
  /// True if a time that occurs twice means the second occurrence (rule 9).
  public var takesSecond = false
  /// True if whole days counted in hours follow the wall clock instead of elapsed time (rule 7).
  public var countsDaysByClock = false
  /// The clock times of doses that are written without times (rule 12).
  public var times = ClockDefaults()
  /// True if the upper end of a period is used instead of the lower one (rule 14).
  public var takesLongestPeriod = false
  /// True if a month that lacks the day has no dose (rule 19).
  public var skipsShortMonths = false

  /// Creates the default choices.
  public init() {}
}

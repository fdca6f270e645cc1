// SPDX-License-Identifier: Apache-2.0

/// The choices that a clinic may make where FHIR leaves a point open; begins with our rules.
///
/// The minutes between meals and doses (rule 21) and the times of events (rule 20) are in
/// `DailyRhythm`.
public struct TimingChoices: Hashable, Sendable {
  /// The treatment of a time that the clock skips (rule 8).
  public enum Gap: Hashable, Sendable {
    /// The first moment after, as rule 8 says.
    case next
    /// No dose on that date.
    case skip
    /// As much later as the clock was set forward.
    case shift
  }

  /// A time that the clock skips (rule 8).
  public var gap = Gap.next
  /// True if a time that comes twice means the second one (rule 9).
  public var takesSecond = false
  /// True if whole days counted in hours follow the wall clock instead of elapsed time (rule 7).
  public var countsDaysByClock = false
  /// The clock times of doses that come without any (rule 12).
  public var times = ClockDefaults()
  /// True if the upper end of a period is followed instead of the lower one (rule 14).
  public var takesLongestPeriod = false
  /// True if a month that lacks the day has no dose (rule 19).
  public var skipsShortMonths = false

  /// The choices that our rules make.
  public init() {}
}

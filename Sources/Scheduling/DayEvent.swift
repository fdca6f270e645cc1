// SPDX-License-Identifier: Apache-2.0

/// A daily event that FHIR ties doses to (`Timing.repeat.when`), each with one time a day.
///
/// The codes C, AC and PC stand for three events each; `events(code:)` returns them.
public enum DayEvent: Int, CaseIterable, Hashable, Sendable {
  /// The person's own waking, meals and bedtime.
  case wake, breakfast, lunch, dinner, bedtime
  /// Parts of the day up to late afternoon.
  case morning, earlyMorning, lateMorning, noon, afternoon, earlyAfternoon, lateAfternoon
  /// Parts of the day from evening on.
  case evening, earlyEvening, lateEvening, night
  /// Before a meal (ACM, ACD, ACV).
  case beforeBreakfast, beforeLunch, beforeDinner
  /// After a meal (PCM, PCD, PCV).
  case afterBreakfast, afterLunch, afterDinner
  /// After falling asleep (PHS).
  case asleep

  /// Creates the event for a code of FHIR's event-timing value set; nil unless the code names exactly one event.
  public init?(code: String) {
    for event in DayEvent.allCases where event.code.isSame(as: code) {
      self = event
      return
    }
    return nil
  }

  /// Returns the events for a FHIR code: three for C, AC and PC (rule 21), otherwise one; nil if the code is unknown.
  public static func events(code: String) -> [DayEvent]? {
    if code.isSame(as: "C") { return [.breakfast, .lunch, .dinner] }
    if code.isSame(as: "AC") {
      return [.beforeBreakfast, .beforeLunch, .beforeDinner]
    }
    if code.isSame(as: "PC") { return [.afterBreakfast, .afterLunch, .afterDinner] }
    return DayEvent(code: code).map { [$0] }
  }

  /// The code in FHIR's event-timing value set.
  public var code: String {
    switch self {
    case .wake: "WAKE"
    case .breakfast: "CM"
    case .lunch: "CD"
    case .dinner: "CV"
    case .bedtime: "HS"
    case .morning: "MORN"
    case .earlyMorning: "MORN.early"
    case .lateMorning: "MORN.late"
    case .noon: "NOON"
    case .afternoon: "AFT"
    case .earlyAfternoon: "AFT.early"
    case .lateAfternoon: "AFT.late"
    case .evening: "EVE"
    case .earlyEvening: "EVE.early"
    case .lateEvening: "EVE.late"
    case .night: "NIGHT"
    case .beforeBreakfast: "ACM"
    case .beforeLunch: "ACD"
    case .beforeDinner: "ACV"
    case .afterBreakfast: "PCM"
    case .afterLunch: "PCD"
    case .afterDinner: "PCV"
    case .asleep: "PHS"
    }
  }

  /// The event whose time of day this one is based on.
  public var base: DayEvent {
    switch self {
    case .beforeBreakfast, .afterBreakfast: .breakfast
    case .beforeLunch, .afterLunch: .lunch
    case .beforeDinner, .afterDinner: .dinner
    case .asleep: .bedtime
    default: self
    }
  }

  /// True if FHIR allows an offset for the event: false only for the meals themselves (tim-9).
  public var allowsOffset: Bool {
    self != .breakfast && self != .lunch && self != .dinner
  }

  /// True if an offset moves the dose earlier (rules 21 and 22).
  public var precedesBase: Bool {
    switch self {
    case .beforeBreakfast, .beforeLunch, .beforeDinner, .bedtime: true
    default: false
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Why a Timing or a rule has no instants: which element, and which rule it breaks.
public struct TimingError: Error, Hashable, Sendable {
  /// The problem.
  public enum Cause: Hashable, Sendable {
    /// Not of the type that stands here: "a number", "a list".
    case wrongType(String)
    /// Text that is not written as it has to be: "a date", "HH:MM:SS".
    case malformed(String)
    /// Zero or less.
    case notPositive
    /// Less than zero.
    case negative
    /// A part of a whole where only whole numbers make sense.
    case notWhole
    /// Greater than anything that can be meant.
    case outOfRange
    /// A list or text without anything in it.
    case empty
    /// Another element has to stand beside it.
    case missing(String)
    /// Not one of the codes that this element has.
    case unknownCode
    /// An element that does not belong here, or that may change the meaning of the others.
    case unknownElement
    /// Below the element whose upper end it is.
    case below(String)
    /// Cannot stand beside another element.
    case excludes(String)
    /// Part of a day, week, month or year.
    case fractionalCalendarPeriod
    /// Hours, minutes or seconds that do not make a day, beside clock times.
    case clockTimesWithinADay
    /// More doses than days to put them on.
    case moreDosesThanDays
    /// More doses a day than there are hours.
    case tooManyADay
    /// More than one dose a month or year, without clock times.
    case severalAMonth
    /// The end lies before the start.
    case endsBeforeStart
    /// Several doses and nothing that says how they follow one another.
    case noPattern
    /// Nothing to expand.
    case nothingToExpand
    /// Coarser than a day.
    case coarserThanADay
    /// No zone of that name.
    case unknownZone
    /// More instants than one answer holds.
    case tooManyInstants(Int)
  }

  /// The path of the element, "repeat.period" or "rule.times".
  public let element: String
  /// The problem with it.
  public let cause: Cause

  /// Names an element and what is wrong with it.
  public init(_ element: String, _ cause: Cause) {
    self.element = element
    self.cause = cause
  }

  /// The invariant of FHIR that is broken, "tim-2"; nil where it is a rule of a type or of ours.
  public var invariant: String? {
    switch (cause, lastName) {
    case (.missing, "duration"): "tim-1"
    case (.missing, "period"): "tim-2"
    case (.notPositive, "duration"): "tim-4"
    case (.notPositive, "period"): "tim-5"
    case (.missing, "periodMax"): "tim-6"
    case (.missing, "durationMax"): "tim-7"
    case (.missing, "countMax"): "tim-8"
    case (.missing, "offset"), (.excludes, "offset"): "tim-9"
    case (.excludes, "timeOfDay"): "tim-10"
    default: nil
    }
  }

  /// The name of the element without its path.
  public var lastName: String {
    guard let point = element.utf8.lastIndex(of: UInt8(ascii: ".")) else { return element }
    return String(element[element.utf8.index(after: point)...])
  }

  /// One sentence for whoever wrote it, with the invariant where FHIR has one.
  public var text: String {
    element + " " + predicate + (invariant.map { " (" + $0 + ")" } ?? "") + "."
  }

  private var predicate: String {
    switch cause {
    case .wrongType(let type): "must be " + type
    case .malformed(let form): "is not written as " + form
    case .notPositive: "must be greater than 0"
    case .negative: "must not be negative"
    case .notWhole: "must be a whole number"
    case .outOfRange: "is out of range"
    case .empty: "is empty"
    case .missing(let other): "needs " + other
    case .unknownCode: "has an unknown code"
    case .unknownElement: "is not supported"
    case .below(let other): "is below " + other
    case .excludes(let other): "cannot stand beside " + other
    case .fractionalCalendarPeriod: "must be whole days, weeks, months or years"
    case .clockTimesWithinADay: "is counted in elapsed time, which clock times exclude"
    case .moreDosesThanDays: "asks for more doses than days, and no clock times are given"
    case .tooManyADay: "asks for more than 24 doses a day, and no clock times are given"
    case .severalAMonth: "asks for several doses a month or year, and no clock times are given"
    case .endsBeforeStart: "ends before it starts"
    case .noPattern: "asks for several doses, and nothing says how they follow one another"
    case .nothingToExpand: "has nothing to expand"
    case .coarserThanADay: "must be a date or an instant"
    case .unknownZone: "is not the name of a time zone"
    case .tooManyInstants(let limit): "gives more than " + String(limit) + " instants"
    }
  }
}

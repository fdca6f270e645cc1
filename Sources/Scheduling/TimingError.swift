// SPDX-License-Identifier: Apache-2.0

/// A reason why a Timing or a rule is rejected: the element and the rule that it violates.
public struct TimingError: Error, Hashable, Sendable {
  /// The kind of error.
  public enum Cause: Hashable, Sendable {
    /// The element has the wrong type; the expected one is, for example, "a number" or "a list".
    case wrongType(String)
    /// The text is not in the expected form, for example "a date" or "HH:MM:SS".
    case malformed(String)
    /// The number is zero or negative.
    case notPositive
    /// The number is negative.
    case negative
    /// The number must be whole.
    case notWhole
    /// The number is larger than any plausible value.
    case outOfRange
    /// The element is missing, or its list or text is empty.
    case empty
    /// Another element is required with it.
    case missing(String)
    /// The code is not one that this element supports.
    case unknownCode
    /// The element is not known here and could change the meaning of the others.
    case unknownElement
    /// The element is the upper end of a range and is below the named lower end.
    case below(String)
    /// The element cannot be combined with another one.
    case excludes(String)
    /// The period is not a whole number of days, weeks, months or years.
    case fractionalCalendarPeriod
    /// The period is counted in elapsed time other than one day, but clock times are given.
    case clockTimesWithinADay
    /// There are more doses than days.
    case moreDosesThanDays
    /// There are more than 24 doses a day, without clock times.
    case tooManyADay
    /// There is more than one dose a month or year, without clock times.
    case severalAMonth
    /// The end is before the start.
    case endsBeforeStart
    /// There are several doses, but no pattern.
    case noPattern
    /// There is nothing to expand.
    case nothingToExpand
    /// The date is less precise than a day.
    case coarserThanADay
    /// There is no zone with this name.
    case unknownZone
    /// The answer would exceed this number of instants.
    case tooManyInstants(Int)
  }

  /// The path of the element, such as "repeat.period" or "rule.times".
  public let element: String
  /// The kind of error.
  public let cause: Cause

  /// Creates an error in an element.
  public init(_ element: String, _ cause: Cause) {
    self.element = element
    self.cause = cause
  }

  /// The violated invariant of FHIR, such as "tim-2"; nil if it is a rule of a type or of this project.
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

  /// A sentence for the author of the Timing, with FHIR's invariant if there is one.
  public var text: String {
    element + " " + predicate + (invariant.map { " (" + $0 + ")" } ?? "") + "."
  }

  private var predicate: String {
    switch cause {
    case .wrongType(let type): "must be " + type
    case .malformed(let form): "must be written as " + form
    case .notPositive: "must be greater than 0"
    case .negative: "must not be negative"
    case .notWhole: "must be a whole number"
    case .outOfRange: "is out of range"
    case .empty: "is empty"
    case .missing(let other): "needs " + other
    case .unknownCode: "has an unknown code"
    case .unknownElement: "is not supported"
    case .below(let other): "is below " + other
    case .excludes(let other): "cannot be combined with " + other
    case .fractionalCalendarPeriod: "must be whole days, weeks, months or years"
    case .clockTimesWithinADay: "is counted in elapsed time and cannot be combined with clock times"
    case .moreDosesThanDays: "asks for more doses than days but gives no clock times"
    case .tooManyADay: "asks for more than 24 doses a day but gives no clock times"
    case .severalAMonth: "asks for several doses a month or year but gives no clock times"
    case .endsBeforeStart: "ends before it starts"
    case .noPattern: "asks for several doses but does not say how often"
    case .nothingToExpand: "has nothing to expand"
    case .coarserThanADay: "must be a date or an instant"
    case .unknownZone: "is not the name of a time zone"
    case .tooManyInstants(let limit): "gives more than " + String(limit) + " instants"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// One person's days with the truth about their doses, to evaluate a detector.
public struct LabelledPerson: Sendable {
  /// A day with its truth.
  public struct Day: Sendable {
    /// The known facts.
    public var day: PatientDay
    /// The answer that the person gives if asked on this day; nil if unknown.
    public var answer: HeartAnswer?
    /// True if the doses of this day were missed.
    public var isMissed: Bool

    /// Creates a labelled day.
    public init(day: PatientDay, answer: HeartAnswer? = nil, isMissed: Bool) {
      self.day = day
      self.answer = answer
      self.isMissed = isMissed
    }
  }

  /// The person's name in the data.
  public var name: String
  /// The days in their order.
  public var days: [Day]

  /// Creates a person with days in their order.
  public init(name: String, days: [Day] = []) {
    self.name = name
    self.days = days
  }

  /// The lapses as ranges of indices of `days`: adjacent missed days.
  var lapses: [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    for index in days.indices where days[index].isMissed {
      if let last = found.last, last.upperBound == index - 1,
        days[index - 1].day.day == days[index].day.day - 1
      {
        found[found.count - 1] = last.lowerBound...index
      } else {
        found.append(index...index)
      }
    }
    return found
  }
}

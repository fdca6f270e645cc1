// SPDX-License-Identifier: Apache-2.0

/// The figures of a participant, each a pure function of what was recorded.
package enum StudyOutcomes {
  /// Returns the share of days with scheduled doses on which all of them were taken; nil without such a day.
  ///
  /// With several medicines, a day counts only if the doses of all of them were taken.
  package static func daysCovered(_ doses: [StudyDose]) -> Double? {
    var isCovered: [Int: Bool] = [:]
    for dose in doses {
      isCovered[dose.day] = (isCovered[dose.day] ?? true) && dose.state == .taken
    }
    guard !isCovered.isEmpty else { return nil }
    return Double(isCovered.values.count(where: { $0 })) / Double(isCovered.count)
  }

  /// Returns the share of scheduled doses that were taken within some minutes before or after their time; nil without
  /// a dose.
  package static func timing(_ doses: [StudyDose], within minutes: Int) -> Double? {
    guard !doses.isEmpty else { return nil }
    let punctual = doses.count(where: { dose in
      dose.lateness.map { abs($0) <= minutes } ?? false
    })
    return Double(punctual) / Double(doses.count)
  }

  /// Returns the median of the minutes from the first delivery of a reminder to the answer; nil without one.
  package static func ringToAnswer(_ doses: [StudyDose]) -> Double? {
    let minutes = doses.compactMap(\.ringToAnswer).sorted()
    guard !minutes.isEmpty else { return nil }
    let middle = minutes.count / 2
    if minutes.count.isMultiple(of: 2) {
      return Double(minutes[middle - 1] + minutes[middle]) / 2
    }
    return Double(minutes[middle])
  }

  /// Returns the days with a question that was needless, because the medicine had been taken, for each thirty days;
  /// nil without a day.
  package static func falseQuestionDays(_ questions: [StudyQuestion], days: Int) -> Double? {
    guard days > 0 else { return nil }
    let needless = Set(questions.filter { $0.answer == "yes" }.map(\.day))
    return Double(needless.count) * 30 / Double(days)
  }

  /// Returns the value of an outcome.
  static func value(
    of outcome: StudyOutcome, _ doses: [StudyDose], _ questions: [StudyQuestion], days: Int
  ) -> Double? {
    switch outcome.measure {
    case .daysCovered: daysCovered(doses)
    case .timing: timing(doses, within: outcome.minutes)
    case .ringToAnswer: ringToAnswer(doses)
    case .falseQuestionDays: falseQuestionDays(questions, days: days)
    }
  }
}

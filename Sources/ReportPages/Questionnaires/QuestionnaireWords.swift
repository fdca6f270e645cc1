// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import Localization
import Scheduling

/// Texts about questionnaires in one language.
struct QuestionnaireWords {
  let localizer: Localizer

  func text(_ text: QuestionnaireText) -> String { text.text(in: localizer.language) }

  /// Returns answers as a person reads them.
  func answers(_ values: [QuestionnaireValue], to item: QuestionnaireItem) -> String {
    values.map { answer($0, to: item) }.joined(separator: ", ")
  }

  private func answer(_ value: QuestionnaireValue, to item: QuestionnaireItem) -> String {
    if case .choice(let options, _) = item.kind,
      let option = options.first(where: { $0.value.text == value.text })
    {
      return text(option.label)
    }
    switch value {
    case .boolean(let flag):
      return localizer.text(flag ? "questionnaires.yes" : "questionnaires.no")
    case .quantity(_, let unit): return "\(value.text) \(unit.name)"
    case .date(let day):
      return CivilDate(text: day).map(self.day) ?? day
    case .coding(_, let code, let display): return display ?? code
    default: return value.text
    }
  }

  func day(_ day: CivilDate) -> String {
    localizer.date(
      LocalDay(
        year: day.year, month: day.month, day: day.day, isoWeekday: day.weekday.rawValue), .short)
  }

  func mistake(_ mistake: QuestionnaireInput.Mistake) -> String {
    localizer.text("questionnaires.error", ["which": .text(mistake.rawValue)])
  }

  /// Returns a score with its greatest value.
  func score(_ score: Decimal, of questionnaire: Questionnaire) -> String {
    guard let limits = questionnaire.score?.limits(of: questionnaire) else {
      return localizer.text("questionnaires.score-only", ["score": .decimal(score)])
    }
    return localizer.text(
      "questionnaires.score",
      ["score": .decimal(score), "most": .decimal(limits.upperBound)])
  }

  /// Returns how often a questionnaire is asked.
  func schedule(_ schedule: QuestionnaireSchedule) -> String {
    localizer.text(
      "questionnaires.schedule",
      [
        "kind": .text(schedule.kind.rawValue), "day": .text(day(schedule.starts)),
        "weeks": .number(schedule.weeks),
      ])
  }
}

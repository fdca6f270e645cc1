// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HTML
import Localization
import Web

/// The choice of how many needless questions about the heart rate are accepted.
struct QuestionBudgetField: PagePart {
  /// The name of the form's field.
  static let name = "budget"

  /// The days with a needless question in thirty days, as the form sends it.
  let value: String
  let localizer: Localizer

  var markup: Markup {
    FormField(
      Self.name, label: localizer.text("heart-rate-monitoring.settings.budget"),
      kind: .radios(
        HeartRateSettings.budgets.map {
          FieldChoice(Self.value(of: $0), Self.text($0, localizer))
        }),
      value: value, hint: localizer.text("heart-rate-monitoring.settings.budget-hint"),
      localizer: localizer
    ).markup
  }

  /// Returns the value of the form for a budget.
  static func value(of budget: Double) -> String { String(budget) }

  /// Returns the budget of a posted value; nil if it cannot be chosen.
  static func budget(of value: String) -> Double? {
    HeartRateSettings.budgets.first { Self.value(of: $0) == value }
  }

  /// Returns a budget in words.
  static func text(_ budget: Double, _ localizer: Localizer) -> String {
    let word =
      switch budget {
      case ..<0.4: "rare"
      case ..<0.75: "usual"
      case ..<1.5: "more"
      default: "most"
      }
    return localizer.text("heart-rate-monitoring.budget", ["budget": .text(word)])
  }
}

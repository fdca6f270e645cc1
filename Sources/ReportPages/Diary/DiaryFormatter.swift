// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import Localization
import Presentation
import Storage

/// Names trackers and formats their values.
struct DiaryFormatter: Sendable {
  let clock: MedicineClock

  var localizer: Localizer { clock.localizer }

  /// Returns the name of a tracker in the language of the page.
  func name(_ tracker: Tracker) -> String {
    guard let standard = tracker.standard else { return tracker.name }
    return localizer.text("diary.tracker", ["tracker": .text(standard.rawValue)])
  }

  /// Returns the question that an entry answers; the name of what is measured, and of own trackers.
  func question(_ tracker: Tracker) -> String {
    guard let standard = tracker.standard else { return tracker.name }
    switch standard {
    case .mood, .pain, .sleep, .symptom, .sideEffect, .note:
      return localizer.text("diary.question", ["tracker": .text(standard.rawValue)])
    case .bloodPressure, .glucose, .weight, .temperature, .oxygen, .peakFlow, .inr, .pulse:
      return name(tracker)
    }
  }

  /// Returns the sign of a unit, such as `mmol/L`.
  func sign(_ unit: DiaryUnit) -> String {
    localizer.text("diary.unit", ["unit": .text(unit.rawValue)])
  }

  /// Returns a value with its unit.
  func text(_ value: DiaryValue) -> String {
    switch value {
    case .score(let score): return localizer.text("diary.score", ["score": .number(score)])
    case .answer(let answer): return localizer.text(answer ? "diary.yes" : "diary.no")
    case .measurement(let number, let unit):
      return amount(localizer.number(number), sign(unit))
    case .number(let number, let unit): return amount(localizer.number(number), unit)
    case .pressure(let systolic, let diastolic):
      return localizer.text(
        "diary.pressure",
        ["systolic": .text("\(systolic)"), "diastolic": .text("\(diastolic)")])
    case .text(let text): return text
    case .graded(let text, let strength):
      return localizer.text(
        "diary.graded", ["text": .text(text), "strength": .number(strength)])
    }
  }

  private func amount(_ number: String, _ unit: String) -> String {
    unit.isEmpty ? number : "\(number)\u{A0}\(unit)"
  }

  /// Returns the unit in which a measurement is offered: the last one, or the usual one of the language.
  func unit(of tracker: Tracker) -> DiaryUnit? {
    if let unit = tracker.unit { return unit }
    if tracker.standard == .glucose, Self.inMilligrams.contains(localizer.language) {
      return .milligramsPerDecilitre
    }
    return tracker.units.first
  }

  /// The languages whose countries mostly state glucose in mg/dL.
  private static let inMilligrams: Set<Language> = [.de, .th, .tr]

  /// Returns the message about a mistake.
  func text(_ mistake: DiaryError) -> String {
    localizer.text("diary.problem", ["problem": .text(mistake.rawValue)])
  }
}

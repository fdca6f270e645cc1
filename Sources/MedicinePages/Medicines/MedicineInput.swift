// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Presentation

/// The input of a medicine form, exactly as typed.
struct MedicineInput: Sendable, Hashable {
  /// The kinds of schedule to choose from; none is preselected.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Every day at the given times.
    case times
    /// At the given times, only on the given weekdays.
    case weekdays
    case everyHours = "every-hours"
    case everyDays = "every-days"
    case meals
    case asNeeded = "as-needed"
    case cycle, steps, varying, spread
    case afterIntake = "after-intake"

    /// The usual kinds; the others are collapsed.
    static let usual: [Kind] = [.times, .weekdays, .everyHours, .everyDays, .meals, .asNeeded]
    static let special: [Kind] = [.cycle, .steps, .varying, .spread, .afterIntake]
  }

  /// The days on which a medicine with meals is taken.
  enum MealDays: String, Sendable, Hashable, CaseIterable {
    case every, weekdays
  }

  /// A time of day as typed, with the slot that it had when the form was opened.
  struct TimeRow: Sendable, Hashable {
    var slot: Int?
    var text: String
  }

  var name = ""
  /// The raw value of a `MedicineForm`, or empty.
  var form = ""
  var strengthValue = ""
  var strengthUnit = StrengthUnit.milligram.rawValue
  var doseValue = ""
  /// The raw value of a `DoseUnit`; empty for the form's usual unit.
  var doseUnit = ""
  var schedule: Kind?
  var times: [TimeRow] = []
  /// FHIR codes, `mon` to `sun`.
  var weekdays: [String] = []
  var hours = ""
  var firstTime = ""
  var days = ""
  var daysTimes: [TimeRow] = []
  /// FHIR codes of events of the day.
  var meals: [String] = []
  /// The slots that the events had when the form was opened, by code.
  var mealSlots: [String: Int] = [:]
  var mealOffset = ""
  /// The days of the meals, every day or only the given weekdays; nil until one is chosen.
  var mealDays: MealDays?
  /// Cycles, steps, separate amounts, and hours between doses.
  var pattern = PatternInput()
  /// The reason for taking it as needed.
  var need = ""
  var gap = ""
  var mostDoses = ""
  var mostDays = ""
  /// The most in 24 hours, in the dose unit.
  var mostAmount = ""
  /// The code of the missed-dose rule, or empty.
  var missedDoseAdvice = ""
  var missedDoseAdviceHours = ""
  /// The raw value of a `FoodInstruction`; empty for the medicine's own advice.
  var food = ""
  var start = ""
  var end = ""
  var instruction = ""
  /// The raw value of a `ZonePolicy`.
  var policy = ZonePolicy.follow.rawValue
}

extension MedicineForm {
  /// The unit for doses of this form; nil if there are several.
  var usualUnit: DoseUnit? {
    switch self {
    case .tablet: .tablet
    case .capsule: .capsule
    case .drops: .drop
    case .liquid: .milliliter
    case .puff: .puff
    case .patch: .patch
    case .sachet: .sachet
    case .suppository: .suppository
    case .spray: .spray
    // Injections are counted in units or millilitres as often as in injections.
    case .injection, .cream, .other: nil
    }
  }
}

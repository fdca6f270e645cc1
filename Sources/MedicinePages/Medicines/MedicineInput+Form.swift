// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Web

extension MedicineInput {
  /// The most times of day that the form offers; a stored medicine may have more.
  static let offeredTimes = 8
  /// The most rows that are read: one for each hour of the day.
  static let mostRows = 32

  /// Creates an empty form that begins today.
  init(today: CivilDate) {
    start = today.text
  }

  /// Creates the input from a posted form.
  init(form body: FormBody) {
    func typed(_ name: String) -> String { body.raw(name) ?? "" }
    name = typed("name")
    form = typed("form")
    strengthValue = typed("strength-value")
    strengthUnit = typed("strength-unit")
    doseValue = typed("dose-value")
    doseUnit = typed("dose-unit")
    schedule = Kind(rawValue: typed("schedule"))
    times = Self.rows(body, "time")
    weekdays = body.all("weekday").filter { Weekday(code: $0) != nil }
    hours = typed("hours")
    firstTime = typed("first-time")
    days = typed("days")
    daysTimes = Self.rows(body, "days-time")
    for code in body.all("meal") where DayEvent(code: code) != nil && !meals.contains(code) {
      meals.append(code)
    }
    for text in body.all("meal-slot") {
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let slot = Int(parts[1]) else { continue }
      mealSlots[String(parts[0])] = slot
    }
    mealOffset = typed("meal-offset")
    mealDays = MealDays(rawValue: typed("meal-days"))
    // Ticked days imply that choice.
    if mealDays == nil, !weekdays.isEmpty { mealDays = .weekdays }
    pattern = PatternInput(form: body)
    need = typed("need")
    gap = typed("gap")
    mostDoses = typed("most-doses")
    mostDays = typed("most-days")
    mostAmount = typed("most-amount")
    missedDoseAdvice = typed("after-miss")
    missedDoseAdviceHours = typed("after-miss-hours")
    food = typed("food")
    start = typed("start")
    end = typed("end")
    instruction = typed("instruction")
    policy = typed("policy")
  }

  static func rows(_ body: FormBody, _ name: String, most: Int = mostRows) -> [TimeRow] {
    let slots = body.all("\(name)-slot")
    return body.all(name).prefix(most).enumerated().map { index, text in
      TimeRow(slot: index < slots.count ? Int(slots[index]) : nil, text: text)
    }
  }
}

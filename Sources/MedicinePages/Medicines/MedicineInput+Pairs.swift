// SPDX-License-Identifier: Apache-2.0

import Web

extension MedicineInput {
  /// The fields as the form would post them, without empty ones.
  var pairs: [FormPair] {
    let texts: [(String, String)] = [
      ("name", name), ("form", form), ("strength-value", strengthValue),
      ("strength-unit", strengthUnit), ("dose-value", doseValue), ("dose-unit", doseUnit),
      ("schedule", schedule?.rawValue ?? ""), ("hours", hours), ("first-time", firstTime),
      ("days", days), ("meal-offset", mealOffset), ("meal-days", mealDays?.rawValue ?? ""),
      ("need", need), ("gap", gap), ("most-doses", mostDoses), ("most-days", mostDays),
      ("most-amount", mostAmount), ("after-miss", missedDoseAdvice),
      ("after-miss-hours", missedDoseAdviceHours), ("food", food), ("start", start), ("end", end),
      ("instruction", instruction), ("policy", policy),
    ]
    var pairs = texts.filter { !$0.1.isEmpty }.map { FormPair(name: $0.0, value: $0.1) }
    pairs += Self.pairs("time", times)
    pairs += weekdays.map { FormPair(name: "weekday", value: $0) }
    pairs += Self.pairs("days-time", daysTimes)
    pairs += meals.map { FormPair(name: "meal", value: $0) }
    for (code, slot) in mealSlots.sorted(by: { $0.key < $1.key }) {
      pairs.append(FormPair(name: "meal-slot", value: "\(code):\(slot)"))
    }
    return pairs + pattern.pairs
  }

  /// Returns the fields of the rows: each time is followed by its slot, so that they stay together.
  static func pairs(_ name: String, _ rows: [TimeRow]) -> [FormPair] {
    rows.flatMap { row in
      [
        FormPair(name: "\(name)-slot", value: row.slot.map { String($0) } ?? ""),
        FormPair(name: name, value: row.text),
      ]
    }
  }
}

extension PatternInput {
  /// The fields as the form would post them, without empty ones.
  var pairs: [FormPair] {
    let texts: [(String, String)] = [
      ("dose-mix", mix), ("cycle-on", daysOn), ("cycle-off", daysOff),
      ("cycle-break", hasPlacebo ? "placebo" : ""), ("spread-count", count), ("spread-gap", gap),
      ("spread-from", from), ("spread-until", until), ("interval-hours", hours),
      ("interval-first", first), ("waking-from", wakingFrom), ("waking-until", wakingUntil),
    ]
    var pairs = texts.filter { !$0.1.isEmpty }.map { FormPair(name: $0.0, value: $0.1) }
    pairs += MedicineInput.pairs("cycle-time", cycleTimes)
    pairs += spreadSlots.map { FormPair(name: "spread-slot", value: String($0)) }
    for step in steps { pairs += self.pairs(of: step) }
    for (index, entry) in entries.enumerated() { pairs += self.pairs(of: entry, at: index) }
    return pairs
  }

  private func pairs(of step: StepRow) -> [FormPair] {
    let empty = MedicineInput.TimeRow(slot: nil, text: "")
    let rows = (0..<Self.timesOfStep).map { $0 < step.times.count ? step.times[$0] : empty }
    return [
      FormPair(name: "step-days", value: step.days),
      FormPair(name: "step-amount", value: step.amount),
    ] + MedicineInput.pairs("step-time", rows)
  }

  private func pairs(of entry: EntryRow, at index: Int) -> [FormPair] {
    MedicineInput.pairs("entry-time", [entry.time])
      + [FormPair(name: "entry-amount", value: entry.amount)]
      + entry.weekdays.map { FormPair(name: "entry-weekday-\(index + 1)", value: $0) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling
import Testing

@testable import MedicinePages
@testable import Plans
@testable import Web

/// The fields of a medicine as the form posts them, and back.
@Suite struct MedicinePairsTests {
  private static let inputs: [MedicineInput] = {
    var usual = MedicineInput()
    (usual.name, usual.form, usual.strengthValue) = ("Metoprolol & more", "tablet", "47,5")
    (usual.doseValue, usual.schedule, usual.start) = ("1", .times, "2026-03-01")
    usual.times = [.init(slot: 2, text: "08:00"), .init(slot: nil, text: "20:00")]
    (usual.instruction, usual.food, usual.end) = ("With water", "with-food", "2026-04-01")
    var weekly = usual
    (weekly.schedule, weekly.weekdays, weekly.mealDays) = (.weekdays, ["mon", "thu"], .weekdays)
    var meals = usual
    (meals.schedule, meals.meals, meals.mealOffset) = (.meals, ["CM", "CV"], "30")
    (meals.mealSlots, meals.mealDays) = (["CM": 1, "CV": 4], .every)
    var needed = usual
    (needed.schedule, needed.need, needed.gap, needed.mostDoses) = (.asNeeded, "pain", "6", "4")
    (needed.mostDays, needed.mostAmount) = ("10", "8")
    var patterns = usual
    patterns.schedule = .steps
    patterns.pattern.mix = "1 x 5 + 1 x 2.5"
    patterns.pattern.steps = [
      .init(
        days: "3", amount: "2",
        times: (0..<PatternInput.timesOfStep).map { .init(slot: $0, text: "0\($0 + 6):00") })
    ]
    patterns.pattern.entries = [
      .init(time: .init(slot: 1, text: "07:00"), amount: "1", weekdays: ["mon"]),
      .init(time: .init(slot: nil, text: "19:00"), amount: "2", weekdays: []),
    ]
    patterns.pattern.cycleTimes = [.init(slot: 3, text: "09:00")]
    (patterns.pattern.hasPlacebo, patterns.pattern.spreadSlots) = (true, [1, 2])
    (patterns.pattern.wakingFrom, patterns.pattern.wakingUntil) = ("07:00", "22:00")
    return [usual, weekly, meals, needed, patterns]
  }()

  @Test func `nothing is lost on the way through the fields`() {
    for input in Self.inputs {
      #expect(MedicineInput(form: FormBody(pairs: input.pairs)) == input)
      let encoded = input.pairs.map { "\(QueryText.encode($0.name))=\(QueryText.encode($0.value))" }
      let again = FormBody(pairs: FormBody.pairs(of: encoded.joined(separator: "&")))
      #expect(MedicineInput(form: again) == input)
    }
  }

  @Test func `a change keeps only the steps that were typed`() {
    let plan = Self.inputs[0].pairs + [FormPair(name: "often", value: "twice")]
    var fields = AddedFields(encoded: "", over: plan)
    #expect(fields.input == Self.inputs[0] && fields.encoded.isEmpty)
    fields.take(
      .which,
      from: FormBody(pairs: [
        FormPair(name: "name", value: "Other"), FormPair(name: "form", value: "capsule"),
      ]))
    #expect(!fields.encoded.contains("08"))
    // The plan has other times by now: they are used, with the name as typed.
    var newer = Self.inputs[0]
    newer.times = [.init(slot: 2, text: "09:00")]
    let merged = AddedFields(encoded: fields.encoded, over: newer.pairs).input
    #expect(merged.name == "Other" && merged.form == "capsule" && merged.strengthValue.isEmpty)
    #expect(merged.times == newer.times && merged.instruction == "With water")
  }
}

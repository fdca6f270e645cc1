// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Testing

@testable import Instructions

@Suite struct DosageAdviceTests {
  private func advice(_ dosages: JSONValue..., language: Language = .en) -> [String] {
    DosageWriter.advice(for: dosages.map(DosageView.init), language: language)
  }

  @Test func `known advice is in the person's language, without repeats`() {
    let food: JSONValue = ["additionalInstruction": [["text": "with food"]]]
    #expect(advice(food, food) == ["Take with food."])
    #expect(advice(food, language: .de) != ["Take with food."])
    #expect(advice(food, language: .de).count == 1)
  }

  @Test func `amounts and times are not repeated`() {
    let dosage: JSONValue = [
      "text": "1 in the morning", "timing": ["repeat": ["timeOfDay": ["08:00:00"]]],
      "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
    ]
    #expect(advice(dosage).isEmpty)
  }

  @Test func `the sender's own words are quoted`() {
    let said = advice(["patientInstruction": "Do not lie down afterwards"])
    #expect(said.count == 1)
    #expect(said.first?.contains("Do not lie down afterwards") == true)
  }

  @Test func `each listed element is read, and only a dosage with one of them says something`() {
    let values: [String: JSONValue] = [
      "additionalInstruction": [["text": "with food"]],
      "asNeededCodeableConcept": ["text": "a stiff left knee"],
      "patientInstruction": "Do not lie down afterwards",
    ]
    #expect(Set(values.keys) == Set(DosageWriter.adviceElements))
    for (element, value) in values { #expect(!advice([element: value]).isEmpty, "\(element)") }
    let others: JSONValue = [
      "asNeededBoolean": true, "text": "with food", "site": ["text": "left knee"],
      "route": ["text": "by mouth"], "method": ["text": "swallow"],
    ]
    #expect(advice(others).isEmpty)
  }

  @Test func `an invalid dosage gives no text`() {
    #expect(advice("with food", 3, [:]).isEmpty)
  }
}

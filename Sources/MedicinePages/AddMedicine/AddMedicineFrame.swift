// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Web

extension Call {
  /// Returns the frame of a step: its question as the heading, and below it the step's number and the medicine.
  func frame(of step: AddMedicineStep, name: String, back: PageFrame.BackLink) -> PageFrame {
    var frame = self.frame()
    frame.title = localizer.text("add-medicine.title", ["step": .text(step.rawValue)])
    let number = (AddMedicineStep.allCases.firstIndex(of: step) ?? 0) + 1
    frame.lead = localizer.text(
      "add-medicine.progress",
      [
        "number": .number(number), "count": .number(AddMedicineStep.allCases.count),
        "name": .text(name.isEmpty ? "none" : name),
      ])
    frame.place = .medicines
    frame.back = back
    return frame
  }
}

extension OpenedDraft {
  /// The name with the strength, as the steps show it.
  var shownName: String {
    let input = fields.input
    let strength = TypedText.trimmed(input.strengthValue)
    guard !strength.isEmpty, !fields.name.contains(strength) else { return fields.name }
    return "\(fields.name) \(strength) \(unitName(input.strengthUnit))"
  }

  private func unitName(_ unit: String) -> String {
    MedicineFormatter(localizer: localizer).name(ofStrengthUnit: unit)
  }

  /// Returns the frame of a step with a link back to the one before.
  func frame(of step: AddMedicineStep) -> PageFrame {
    let steps = AddMedicineStep.allCases
    let before = (steps.firstIndex(of: step) ?? 0) - 1
    let back: PageFrame.BackLink =
      before < 0
      ? .init(localizer.text("medicines.back-to-list"), address: "/medicines")
      : .init(
        localizer.text("add-medicine.title", ["step": .text(steps[before].rawValue)]),
        address: AddMedicineAddress.step(steps[before], of: draft.id))
    return call.frame(of: step, name: shownName, back: back)
  }
}

/// The mistakes in one step, by the field that they belong to.
struct StepErrors: Sendable {
  private(set) var all: [FieldError] = []

  /// The first message of each field.
  var byField: [String: String] {
    Dictionary(all.map { ($0.field, $0.message) }, uniquingKeysWith: { first, _ in first })
  }

  var isEmpty: Bool { all.isEmpty }

  init() {}

  /// Takes the issues of a step's own fields.
  init(_ issues: [MedicineIssue], _ localizer: Localizer) {
    all = issues.map { FieldError(field: $0.field, message: $0.message(localizer)) }
  }

  mutating func add(_ field: String, _ message: String) {
    all.append(FieldError(field: field, message: message))
  }
}

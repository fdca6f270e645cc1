// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Web

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

  /// Returns the frame of a step with a link back to the one before; a step of a change leads back to the medicine.
  func frame(of step: AddMedicineStep) -> PageFrame {
    let steps = AddMedicineStep.allCases
    let before = (steps.firstIndex(of: step) ?? 0) - 1
    var back = site.home
    if before >= 0, !isChange {
      back = .init(
        localizer.text("add-medicine.title", ["step": .text(steps[before].rawValue)]),
        address: address(of: steps[before]))
    }
    return site.frame(of: step, name: shownName, back: back)
  }
}

/// The mistakes in one step, by field.
struct StepErrors: Sendable {
  private(set) var all: [FieldError] = []

  /// The first message of each field.
  var byField: [String: String] {
    Dictionary(all.map { ($0.field, $0.message) }, uniquingKeysWith: { first, _ in first })
  }

  var isEmpty: Bool { all.isEmpty }

  init() {}

  /// Creates the errors from the issues of the step's own fields.
  init(_ issues: [MedicineIssue], _ localizer: Localizer) {
    all = issues.map { FieldError(field: $0.field, message: $0.message(localizer)) }
  }

  mutating func add(_ field: String, _ message: String) {
    all.append(FieldError(field: field, message: message))
  }
}

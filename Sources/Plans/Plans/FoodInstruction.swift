// SPDX-License-Identifier: Apache-2.0
import FHIR

/// The food instruction of a medicine, stored as `additionalInstruction`.
package enum FoodInstruction: String, Sendable, Hashable, CaseIterable {
  /// Nothing is stated about food.
  case any
  case withFood = "with-food"
  case emptyStomach = "empty-stomach"

  private static let system = "http://snomed.info/sct"

  /// The SNOMED CT code and its English name.
  private var concept: (code: String, display: String)? {
    switch self {
    case .any: nil
    case .withFood: ("311504000", "With or after food")
    case .emptyStomach: ("717154004", "Take on an empty stomach")
    }
  }

  /// Reads the instruction of a dosage; nil if it states none of these.
  init?(_ dosage: DosageView) {
    let concepts = dosage.json["additionalInstruction"]?.array ?? []
    let found = Self.allCases.first { food in concepts.contains { food.isStated(by: $0) } }
    guard let found else { return nil }
    self = found
  }

  private func isStated(by concept: JSONValue) -> Bool {
    guard let code = self.concept?.code else { return false }
    return (concept["coding"]?.array ?? []).contains { $0["code"]?.string == code }
  }

  /// Writes an instruction into a dosage in place of an earlier one; nil leaves the dosage as it is.
  static func write(_ food: FoodInstruction?, into dosage: inout JSONValue) {
    guard let food else { return }
    var concepts = (dosage["additionalInstruction"]?.array ?? []).filter { concept in
      // A concept that the dosage already has may carry the sender's text.
      !allCases.contains { $0 != food && $0.isStated(by: concept) }
    }
    if let concept = food.concept, !concepts.contains(where: food.isStated) {
      concepts.append([
        "coding": [
          [
            "system": .string(system), "code": .string(concept.code),
            "display": .string(concept.display),
          ]
        ]
      ])
    }
    dosage["additionalInstruction"] = concepts.isEmpty ? nil : .array(concepts)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import People

/// The medicine as the form knows it: name, form and strength.
struct MedicineDetails: Hashable, Sendable {
  let name: String
  let form: MedicineForm?
  let strengthValue: String?
  let strengthUnit: String?

  init(_ draft: PlanDraft) {
    name = DraftText.trimmed(draft.medicineName)
    form = draft.form
    let unit = DraftText.trimmed(draft.strengthUnit ?? "")
    strengthValue = unit.isEmpty ? nil : draft.strengthValue.flatMap { DraftText.decimal($0) }
    strengthUnit = strengthValue == nil ? nil : unit
  }

  init(_ request: MedicationRequestView) {
    name = request.medicationName ?? ""
    let medication = request.medication.contained
    let coding = medication?["form"]?["coding"]?.array?.first {
      $0["system"]?.string == PlanDraft.formSystem
    }
    form = coding?["code"]?.string.flatMap { MedicineForm(rawValue: $0) }
    let numerator = medication?["ingredient"]?[0]?["strength"]?["numerator"].map(QuantityView.init)
    strengthUnit = numerator?.unit ?? numerator?.code
    strengthValue = strengthUnit == nil ? nil : numerator?.valueText
  }

  /// Writes a contained Medication, replacing any other medicine of the request.
  func write(into request: inout JSONValue) {
    var medication: JSONValue = [
      "resourceType": "Medication", "id": "medication", "code": ["text": .string(name)],
    ]
    if let form {
      medication["form"] = [
        "coding": [["system": .string(PlanDraft.formSystem), "code": .string(form.rawValue)]]
      ]
    }
    if let strengthValue, let strengthUnit {
      let code = DoseUnit(code: strengthUnit, text: strengthUnit)?.ucumCode
      medication["ingredient"] = [
        [
          "itemCodeableConcept": ["text": .string(name)],
          "strength": [
            "numerator": PlanDraft.quantity(strengthValue, unit: strengthUnit, code: code),
            "denominator": PlanDraft.quantity("1", unit: "dose", code: "{dose}"),
          ],
        ]
      ]
    }
    let replaced = MedicationRequestView(request).medication.contained?["id"]?.string
    let others = (request["contained"]?.array ?? []).filter { resource in
      let id = resource["id"]?.string
      return id != "medication" && (id == nil || id != replaced)
    }
    request["contained"] = .array(others + [medication])
    request["medicationCodeableConcept"] = nil
    request["medicationReference"] = [
      "reference": "#medication", "display": .string(name),
    ]
  }
}

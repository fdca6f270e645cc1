// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Plans
import Scheduling

extension PlanDraft {
  /// Returns the draft of a tablet at times of day such as "08:00", each with its earlier slot, if
  /// any.
  package static func tablet(
    _ times: [String], slots: [Int?] = [], name: String = "Bisoprolol", dose: String = "1",
    weekdays: Set<Weekday> = Set(Weekday.allCases), start: String = "2026-03-01",
    end: String? = nil, policy: ZonePolicy = .follow
  ) -> PlanDraft {
    let clocks = times.compactMap { ClockTime(text: $0) }
    let drafts = clocks.enumerated().map { index, time in
      DraftTime(slot: index < slots.count ? slots[index] : nil, time: time)
    }
    return PlanDraft(
      medicineName: name, doseValue: dose, doseUnit: "tablet",
      schedule: .times(drafts, weekdays: weekdays),
      start: CivilDate(text: start) ?? .earliest, end: end.flatMap { CivilDate(text: $0) },
      policy: policy)
  }

  /// Returns the draft with another schedule.
  package func with(_ schedule: DraftSchedule) -> PlanDraft {
    var draft = self
    draft.schedule = schedule
    return draft
  }
}

/// Returns a MedicationRequest as another program would post it; `extra` is the dosage, to which
/// the timing and one tablet are added.
package func medicationRequest(
  timing: JSONValue?, status: String = "active", intent: String = "order",
  patient: PatientID = TestPlace.patient, dosage extra: JSONValue = .object(JSONObject())
) -> JSONValue {
  var dosage = extra
  if let timing { dosage["timing"] = timing }
  if dosage["doseAndRate"] == nil {
    dosage["doseAndRate"] = [["doseQuantity": ["value": 1, "unit": "tablet"]]]
  }
  return [
    "resourceType": "MedicationRequest", "status": .string(status), "intent": .string(intent),
    "medicationCodeableConcept": ["text": "Bisoprolol"],
    "subject": ["reference": .string("Patient/\(patient)")],
    "dosageInstruction": [dosage],
  ]
}

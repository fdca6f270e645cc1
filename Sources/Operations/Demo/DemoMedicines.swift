// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Localization
import Plans
import Scheduling

/// The medicines of the demonstration: a typical plan of an adult with heart failure.
struct DemoMedicines: Sendable {
  /// A medicine with the days on which it changes, counted from the first day.
  struct Medicine: Sendable {
    let name: String
    let strength: (value: String, unit: String)
    var dose = "1"
    /// The unit of a dose; nil for the form.
    var unit: String?
    let schedule: DraftSchedule
    var form: MedicineForm = .tablet
    var begins = 0
    /// The day on which it is stopped.
    var stops: Int?
    /// The number of days for which it is prescribed.
    var lasts: Int?
    /// The number of days before the end at which it is paused.
    var pausedBeforeEnd: Int?
    var note: String?
    /// The appearance of the product at home; makers differ.
    var look = AppearanceDraft()

    func looking(
      _ shape: MedicineShape, _ color: MedicineColor, _ second: MedicineColor? = nil,
      isScored: Bool = false, imprint: String = ""
    ) -> Medicine {
      var copy = self
      copy.look.shape = shape.rawValue
      copy.look.color = color.rawValue
      copy.look.secondColor = second?.rawValue ?? ""
      copy.look.isScored = isScored
      copy.look.imprint = imprint
      return copy
    }
  }

  let localizer: Localizer

  static let betaBlocker = "Bisoprolol"

  /// The medicines for heart failure.
  var ofTheHeart: [Medicine] {
    let morning = Self.times(["08:00:00"])
    let twice = Self.times(["08:00:00", "20:00:00"])
    return [
      Medicine(name: Self.betaBlocker, strength: ("5", "mg"), schedule: morning)
        .looking(.round, .white, isScored: true),
      Medicine(name: "Ramipril", strength: ("5", "mg"), schedule: twice, stops: 54),
      Medicine(
        name: "Sacubitril/valsartan", strength: ("97", "mg"), schedule: twice, begins: 56
      ).looking(.oval, .pink, imprint: "L 11"),
      // Half an hour after the others: a use for "Fewer times a day".
      Medicine(
        name: "Eplerenone", strength: ("25", "mg"), schedule: Self.times(["08:30:00"])
      )
      .looking(.square, .yellow),
      Medicine(name: "Empagliflozin", strength: ("10", "mg"), schedule: morning, begins: 20),
      Medicine(
        name: "Torasemide", strength: ("10", "mg"), schedule: morning,
        note: localizer.text("demo.note")),
      Medicine(name: "Atorvastatin", strength: ("40", "mg"), schedule: Self.times(["21:30:00"])),
      Medicine(
        name: "Colecalciferol", strength: ("20000", "[iU]"),
        schedule: .everyDays(14, times: [DraftTime(time: Self.clock("08:00:00"))]),
        form: .capsule
      ).looking(.capsule, .red, .beige),
      Medicine(
        name: "Magnesium", strength: ("300", "mg"), schedule: Self.times(["20:00:00"]),
        form: .sachet, begins: 30, pausedBeforeEnd: 12
      ).looking(.sachet, .white),
    ]
  }

  /// The medicines for blood pressure and diabetes.
  var ofPressureAndSugar: [Medicine] {
    let morning = Self.times(["07:30:00"])
    return [
      Medicine(name: "Amlodipine", strength: ("5", "mg"), schedule: morning),
      Medicine(name: "Ramipril", strength: ("5", "mg"), schedule: morning),
      Medicine(
        name: "Metformin", strength: ("500", "mg"),
        schedule: Self.times(["07:30:00", "19:00:00"])),
    ]
  }

  /// The new prescription of the doctor.
  var prescribed: Medicine {
    Medicine(
      name: "Atorvastatin", strength: ("20", "mg"), schedule: Self.times(["21:00:00"]))
  }

  /// The medicine of a child with an ear infection, on its fourth day.
  var ofTheChild: [Medicine] {
    [
      Medicine(
        name: "Amoxicillin", strength: ("50", "mg/mL"), dose: "5", unit: "milliliter",
        schedule: Self.times(["07:00:00", "13:00:00", "19:00:00"]), form: .liquid, lasts: 7
      ).looking(.liquid, .pink)
    ]
  }

  /// Returns a spray taken as needed, which has no planned doses.
  func asNeeded(patient: PatientID) -> JSONValue {
    [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": .string(Self.asNeededName)],
      "subject": ["reference": .string("Patient/\(patient)")],
      "dosageInstruction": [
        [
          "asNeededBoolean": true,
          "patientInstruction": .string(localizer.text("demo.as-needed")),
          "doseAndRate": [["doseQuantity": ["value": 1, "unit": "puff"]]],
        ]
      ],
    ]
  }

  static let asNeededName = "Nitroglycerin"

  private static func times(_ times: [String]) -> DraftSchedule {
    .times(
      times.map { DraftTime(time: clock($0)) }, weekdays: Set(Weekday.allCases))
  }

  private static func clock(_ text: String) -> ClockTime {
    ClockTime(text: text) ?? .midnight
  }
}

extension DemoMedicines.Medicine {
  func draft(from start: CivilDate) -> PlanDraft {
    PlanDraft(
      medicineName: name, form: form, strengthValue: strength.value, strengthUnit: strength.unit,
      doseValue: dose, doseUnit: unit ?? form.rawValue, schedule: schedule, start: start,
      end: lasts.map { start.adding(days: $0 - 1) }, instruction: note)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Knowledge
import Localization
import Observations
import People
import Plans
import Scheduling
import Storage

/// A medicine checked against everything else that the person takes, before it is saved, sent or accepted.
package struct MedicineCheck: Sendable, Hashable {
  /// The identifier of this medicine among the checked ones.
  package let medicine: String
  /// The check of all medicines of the person, including this one.
  package let checked: CheckedMedicines
  /// The warnings about this medicine.
  package let report: InteractionReport
  /// The keys of the warnings that already applied before the medicine was changed.
  package let before: Set<String>
  /// The contraindications for the person's age and weight.
  package let ageContraindications: [AgeContraindication]

  /// The warnings to show before the medicine is taken.
  package var questions: [InteractionWarning] {
    report.warnings.filter { $0.comesFirst && !before.contains($0.key) }
  }

  /// The warnings that a prescriber must confirm before sending; those about food and herbs are excluded.
  package var severe: [InteractionWarning] {
    questions.filter { $0.severity <= .severe && ![.food, .herb].contains($0.kind) }
  }

  /// True if there is no warning to show first.
  package var isQuiet: Bool { questions.isEmpty && ageContraindications.isEmpty }
}

/// An incoming medicine, such as a proposal, a prescription in a file, or the content of a form.
package struct IncomingMedicine: Sendable, Hashable {
  /// The medicine with its codes and ingredients.
  package let substance: Substance
  /// The keys that identify its ingredients.
  let column: String
  /// True if it replaces a stored medicine with the same id.
  package let isChange: Bool

  /// The request that names its strength; nil if only a name was given.
  private let request: MedicationRequestView?

  /// Creates an incoming medicine from a name.
  ///
  /// - Parameter id: The identifier of the stored medicine that it changes, or a new one.
  package init(id: String, name: String, isChange: Bool) {
    self.init(id: id, name: name, request: nil, isChange: isChange)
  }

  /// Creates an incoming medicine from a form.
  package init(id: String, draft: PlanDraft, isChange: Bool) {
    let request = draft.medicationRequest(
      patient: PatientID(""), authoredOn: nil, zone: .utc, replacing: nil)
    self.init(
      id: id, name: draft.medicineName, request: MedicationRequestView(request),
      isChange: isChange)
  }

  private init(id: String, name: String, request: MedicationRequestView?, isChange: Bool) {
    substance = TakenMedicines.substance(plan: PlanID(id), name: name)
    column = Ingredient.key(name: name)
    self.request = request
    self.isChange = isChange
  }

  /// Creates an incoming medicine from a resource, with its codes; nil if it has ended.
  package init?(id: String, request: MedicationRequestView, isChange: Bool) {
    guard !PlanCommands.hasEnded(request.status ?? "unknown") else { return nil }
    column = Ingredient.column(Ingredient.keys(of: request))
    substance = TakenMedicines.substance(
      plan: PlanID(id), name: request.medicationName ?? "", ingredients: column)
    self.request = request
    self.isChange = isChange
  }

  /// The names that identical new medicines have in common; nil for a change of a stored medicine.
  package var copyKey: [String]? {
    isChange ? nil : [column, substance.name, shownName(in: .en)]
  }

  /// Returns its name as shown to people.
  func shownName(in language: Language) -> String {
    request.map { ShownName.of($0, in: language) } ?? substance.name
  }
}

extension IncomingMedicine {
  /// Creates an incoming medicine from a prescription in a file or hospital; nil if nothing is left to
  /// decide.
  package init?(
    _ prescription: ImportPrescription, patient: PatientID, in reader: any SQLReader
  ) throws {
    let known = try ProposalQueries.known(prescription, patient: patient, in: reader)
    guard !prescription.isReplaced, known.map({ $0.state == .open }) ?? true,
      let resource = try? prescription.resource(of: patient)
    else { return nil }
    let plan = try ProposalQueries.plan(of: prescription, patient: patient, in: reader)
    self.init(
      id: plan?.text ?? "file-\(prescription.number)", request: MedicationRequestView(resource),
      isChange: plan != nil)
  }
}

/// The single check for all sources of medicines: forms, prescriptions, proposals, FHIR, files and hospitals.
///
/// Data that the actor is not allowed to see is not checked, and ``CheckedMedicines`` says so.
package struct MedicineChecker: Sendable {
  /// The list of interactions to check against.
  package let list: InteractionList
  let patient: PatientID
  let actor: Actor
  let region: Region
  let now: Timestamp
  let zone: Zone

  /// Creates a checker for one patient.
  ///
  /// - Parameters:
  ///   - actor: The account that asks; only data that it is allowed to see are checked.
  ///   - region: The region whose rules for children apply.
  ///   - zone: The patient's time zone, in which ages are counted.
  package init(
    list: InteractionList, patient: PatientID, actor: Actor, region: Region, now: Timestamp,
    zone: Zone
  ) {
    self.list = list
    self.patient = patient
    self.actor = actor
    self.region = region
    self.now = now
    self.zone = zone
  }

  /// Checks one medicine.
  package func check(
    _ incoming: IncomingMedicine, in reader: any SQLReader
  ) throws -> MedicineCheck {
    try check([incoming], in: reader)[0]
  }

  /// Checks incoming medicines against each other and against the current ones; keeps their order.
  package func check(
    _ incoming: [IncomingMedicine], in reader: any SQLReader
  ) throws -> [MedicineCheck] {
    if incoming.isEmpty { return [] }
    let details = try PeopleQueries.details(patient, in: reader)?.details
    let known = try CheckSubject.read(patient, actor: actor, now: now, zone: zone, in: reader) {
      details?.birthDate
    }
    let old = incoming.contains(where: \.isChange) ? known.checked(list, replacing: []) : nil
    let language = details?.language ?? .en
    let substances = incoming.map { one -> Substance in
      // The stored codes remain valid as long as the name is unchanged.
      let stored = old?.medicines.first { $0.id == one.substance.id }
      let isKept = stored?.name == one.substance.name && one.substance.codes.isEmpty
      var substance = isKept ? stored ?? one.substance : one.substance
      substance.shownName = one.shownName(in: language)
      return substance
    }
    let checked = known.checked(list, replacing: substances)
    let today = zone.date(at: Instant(now))
    let subject = ContraindicationSubject(
      ageInMonths: details?.birthDate.map { ChildAge.months(from: $0, to: today) },
      grams: try HealthProfileQueries.weights(patient, in: reader).first?.grams, region: region)
    let ids = incoming.map(\.substance.id)
    let (reports, earlier) = (checked.report.about(each: ids), old?.report.about(each: ids))
    return incoming.enumerated().map { place, one in
      MedicineCheck(
        medicine: ids[place], checked: checked, report: reports[place],
        before: one.isChange ? Set(earlier?[place].warnings.map(\.key) ?? []) : [],
        ageContraindications: PlanContraindications.ofAge(column: one.column, for: subject))
    }
  }
}

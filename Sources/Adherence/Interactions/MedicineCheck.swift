// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Knowledge
import Scheduling
import Storage

/// A medicine checked with everything else that the person takes, before it is saved, sent or accepted.
package struct MedicineCheck: Sendable, Hashable {
  /// The id under which the medicine stands among those that were checked.
  package let medicine: String
  package let checked: CheckedMedicines
  /// The keys of the warnings that the medicine had before it was changed.
  package let before: Set<String>
  /// Bars for the age of the person.
  package let ageBars: [AgeBar]

  /// The report about this medicine.
  package var report: InteractionReport { checked.report.about(medicine) }

  /// The warnings that somebody sees before the medicine is taken.
  package var questions: [InteractionWarning] {
    report.warnings.filter { $0.comesFirst && !before.contains($0.key) }
  }

  /// The questions that a prescriber confirms before sending: what is to be told about food and herbs is not.
  package var severe: [InteractionWarning] {
    questions.filter { $0.severity <= .severe && ![.food, .herb].contains($0.kind) }
  }

  /// True if nothing has to be seen first.
  package var isQuiet: Bool { questions.isEmpty && ageBars.isEmpty }
}

/// A medicine on its way in, such as a proposal, a prescription of a file, or what a form holds.
package struct IncomingMedicine: Sendable, Hashable {
  package let substance: Substance
  /// The keys by which its ingredients are known.
  let column: String
  /// True where it takes the place of a stored medicine with the same id.
  package let isChange: Bool

  /// A medicine of a form.
  ///
  /// - Parameter id: the stored medicine that it changes, or a new id.
  package init(id: String, name: String, isChange: Bool) {
    substance = TakenMedicines.substance(plan: id, name: name)
    column = Ingredient.key(name: name)
    self.isChange = isChange
  }

  /// A medicine of a resource, with its codes; nil where it has ended and nothing will be taken.
  package init?(id: String, request: MedicationRequestView, isChange: Bool) {
    guard !PlanCommands.hasEnded(request.status ?? "unknown") else { return nil }
    column = Ingredient.column(Ingredient.keys(of: request))
    substance = TakenMedicines.substance(
      plan: id, name: request.medicationName ?? "", ingredients: column)
    self.isChange = isChange
  }
}

extension IncomingMedicine {
  /// A prescription of a file or a hospital; nil where there is nothing left to decide.
  package init?(
    _ prescription: ImportPrescription, patient: String, in reader: any SQLReader
  ) throws {
    let known = try ProposalQueries.known(prescription, patient: patient, in: reader)
    guard !prescription.isReplaced, known.map({ $0.state == .open }) ?? true,
      let resource = try? prescription.resource(of: patient)
    else { return nil }
    let plan = try ProposalQueries.plan(of: prescription, patient: patient, in: reader)
    self.init(
      id: plan ?? "file-\(prescription.number)", request: MedicationRequestView(resource),
      isChange: plan != nil)
  }
}

/// The one check that every way in asks: forms, prescriptions, proposals, FHIR, files and hospitals.
///
/// What the actor may not see is not looked at, and ``CheckedMedicines`` says so.
package struct MedicineChecker: Sendable {
  package let list: InteractionList
  let patient: String
  let actor: Actor
  let region: Region
  let now: Timestamp
  let zone: Zone

  package init(
    list: InteractionList, patient: String, actor: Actor, region: Region, now: Timestamp,
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

  /// Checks medicines that come together with each other and with those that are taken, in their order.
  package func check(
    _ incoming: [IncomingMedicine], in reader: any SQLReader
  ) throws -> [MedicineCheck] {
    if incoming.isEmpty { return [] }
    let old =
      incoming.contains(where: \.isChange)
      ? try reading(replacing: [], in: reader) : nil
    let substances = incoming.map { one -> Substance in
      // Codes hold as long as the name does.
      let stored = old?.medicines.first { $0.id == one.substance.id }
      guard let stored, stored.name == one.substance.name, one.substance.codes.isEmpty else {
        return one.substance
      }
      return stored
    }
    let checked = try reading(replacing: substances, in: reader)
    let subject = try BarSubject.of(
      patient, region: region, today: zone.date(at: Instant(now)), in: reader)
    return incoming.map { one in
      let id = one.substance.id
      return MedicineCheck(
        medicine: id, checked: checked,
        before: one.isChange ? Set(old?.report.about(id).warnings.map(\.key) ?? []) : [],
        ageBars: PlanBars.ofAge(column: one.column, for: subject))
    }
  }

  private func reading(
    replacing drafts: [Substance], in reader: any SQLReader
  ) throws -> CheckedMedicines {
    try InteractionReading.check(
      list, patient: patient, replacing: drafts, actor: actor, now: now, zone: zone, in: reader)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Prescriptions
import Storage

/// A patient's proposals with the plans that they would change.
package struct ProposalReading: Sendable, Hashable {
  /// A proposal with its plan and the findings about it.
  package struct Item: Sendable, Hashable {
    /// The proposal itself.
    package let proposal: Proposal
    /// The current plan; nil for a new medicine.
    package let before: Plan?
    /// True if the source has ended the plan that it would replace: the old times apply until this
    /// is answered.
    package let isUrgent: Bool
    /// The interaction check of the medicine; nil if it was not checked, or if the medicine is
    /// stopped.
    package var check: MedicineCheck?
    /// The findings that the practitioner confirmed, by key.
    package var confirmed: [String: ConfirmedFindings.Confirmation] = [:]
    /// The practitioner's confirmations of its schedule and amounts.
    package var confirmations: [PlanConfirmations.Kept] = []

    /// The medicine as it would be added.
    var incoming: IncomingMedicine? {
      guard proposal.kind != .stopped else { return nil }
      return IncomingMedicine(
        id: proposal.plan?.text ?? proposal.id.text, request: proposal.request,
        isChange: before != nil)
    }

    /// Returns the name shown to people.
    package func shownName(in language: Language) -> String {
      let name = proposal.shownName(in: language)
      return name.isEmpty ? before?.medicineName ?? "" : name
    }
  }

  /// The open proposals, without stops that are answered together with their replacement.
  package private(set) var items: [Item] = []
  /// The medicines that their source stopped and that the person has not seen yet.
  package private(set) var stops: [Item] = []
  /// The running plans to review before any dose is taken.
  package var plansForReview: Set<PlanID> = []

  /// True if there is nothing for the person to do.
  package var isEmpty: Bool { items.isEmpty && stops.isEmpty }

  /// Creates a reading without proposals.
  package init() {}

  /// Reads the open items of a patient.
  ///
  /// - Parameter checker: The check of the proposals against the current medicines and each other;
  ///   nil if no cards are shown.
  package init(patient: PatientID, checker: MedicineChecker? = nil, in reader: any SQLReader) throws
  {
    try self.init(of: patient, checker: checker, in: reader) {
      try PlanQueries.plan($0, patient: patient, in: reader)
    }
  }

  /// Reads the open items of a patient whose snapshot is already in use.
  package init(of patient: PatientSnapshot, checker: MedicineChecker? = nil) throws {
    try self.init(of: patient.patient, checker: checker, in: patient.reader) {
      try PlanQueries.plan($0, of: patient)
    }
  }

  private init(
    of patient: PatientID, checker: MedicineChecker?, in reader: any SQLReader,
    plan: (PlanID) throws -> Plan?
  ) throws {
    let (open, stopped) = try ProposalQueries.waiting(patient: patient, in: reader)
    if open.isEmpty && stopped.isEmpty { return }
    let urgent = ProposalQueries.plansForReview(open)
    plansForReview = urgent
    func item(_ proposal: Proposal) throws -> Item {
      let before = try proposal.plan.flatMap(plan)
      return Item(
        proposal: proposal, before: before,
        isUrgent: proposal.plan.map(urgent.contains) ?? false)
    }
    // A stop that came with a replacement is answered together with it.
    items = try open.filter { !($0.kind == .stopped && $0.plan.map(urgent.contains) ?? false) }.map(
      item)
    stops = try stopped.map(item)
    if let checker { try check(by: checker, patient: patient, in: reader) }
  }

  private mutating func check(
    by checker: MedicineChecker, patient: PatientID, in reader: any SQLReader
  ) throws {
    let incoming = items.indices.compactMap { place in
      items[place].incoming.map { (place: place, medicine: $0) }
    }
    let checks = try checker.check(incoming.map(\.medicine), in: reader)
    let prescribed = incoming.map { items[$0.place].proposal }.filter(\.isPrescribed).map(\.id)
    let confirmed = try ConfirmedFindings.all(of: prescribed, patient: patient, in: reader)
    let confirmations = try PlanConfirmations.all(
      of: prescribed.map(\.text), patient: patient, in: reader)
    for ((place, _), check) in zip(incoming, checks) {
      let id = items[place].proposal.id
      items[place].check = check
      items[place].confirmed = confirmed[id] ?? [:]
      items[place].confirmations = confirmations[id.text] ?? []
    }
  }
}

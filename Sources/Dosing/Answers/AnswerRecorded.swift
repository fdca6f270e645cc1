// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The subject of an answer.
package enum AnswerPlace: Sendable, Hashable {
  case dose(DoseID)
  /// A plan, without one of its doses: an extra intake.
  case plan(PlanID)
  /// A medicine without a plan.
  case free

  /// Creates the place of an intake without a dose: its plan, or free if it has none.
  package init(plan: PlanID?) {
    self = plan.map { .plan($0) } ?? .free
  }

  /// The plan answered for; nil for a free entry.
  package var plan: PlanID? {
    switch self {
    case .dose(let dose): dose.plan
    case .plan(let plan): plan
    case .free: nil
    }
  }

  var dose: DoseID? {
    if case .dose(let dose) = self { dose } else { nil }
  }
}

/// An answer with everything that it changed.
///
/// Each source (page, API, action link, offline queue, FHIR, file, hospital) creates one and passes it to
/// ``AnswerLedger/record(_:)``, so that none can omit a consequence.
package struct AnswerRecorded: Sendable {
  /// A dose that an answer changes.
  package struct DoseChange: Sendable {
    /// The dose as it was.
    package let before: AnswerableDose
    /// The state that the dose has after the answer, as stored.
    package let state: DoseState.Stored
    let stateReason: String?
    let laterUntil: Timestamp?
    /// False if the answer takes an earlier one back, so that none is in force.
    let isInForce: Bool
    /// The answer that this one corrects or takes back.
    let replaced: AnswerInForce?
  }

  /// An intake as it counts for later questions, limits and supply.
  package struct CountedIntake: Sendable {
    /// The medicine that was taken.
    package let medicine: Medicine
    /// The time at which it was taken.
    package let taken: Timestamp
    /// The amount taken; nil if it is not known.
    package let amount: Amount?

    /// Creates an intake from the medicine, the time and the amount.
    package init(medicine: Medicine, taken: Timestamp, amount: Amount?) {
      self.medicine = medicine
      self.taken = taken
      self.amount = amount
    }
  }

  /// A change of the intakes that count as taken, each identified by its MedicationAdministration.
  package enum IntakeChange: Sendable {
    case counted(AdministrationID, CountedIntake)
    /// It counted before, and now has another time or amount.
    case recounted(AdministrationID, CountedIntake)
    case uncounted(AdministrationID)
    /// They counted before, and now belong to the plan.
    case linked([AdministrationID])
  }

  /// The dose, plan or free entry that the answer is about.
  package let place: AnswerPlace
  /// The recorded answer; nil if a source corrects its own record or a plan takes over earlier intakes.
  package let fact: AnswerFact?
  /// The change of the dose; nil if no dose changed.
  package let dose: DoseChange?
  /// The change of the counted intakes; nil if they stay as they are.
  package let intake: IntakeChange?
  /// The version of a dose that stays as it is.
  let doseVersion: Int64?
  /// The MedicationAdministration whose source corrected it, without an answer; nil if none was.
  let revised: AdministrationID?
  /// The consequences that this answer can have; the others are skipped.
  package let possible: PossibleConsequences

  /// Creates the record of an answer from everything that it changed.
  ///
  /// - Parameter doseVersion: the version of a dose that stays as it is, for the audit entry.
  package init(
    at place: AnswerPlace, fact: AnswerFact?, dose: DoseChange? = nil, intake: IntakeChange? = nil,
    doseVersion: Int64? = nil, revised: AdministrationID? = nil,
    possible: PossibleConsequences = .all
  ) {
    self.place = place
    self.fact = fact
    self.dose = dose
    self.intake = intake
    self.doseVersion = doseVersion
    self.revised = revised
    self.possible = possible
  }

  /// The MedicationAdministrations that may have a new version because of it, each once.
  package var administrations: [AdministrationID] {
    var ids = [fact?.administration, dose?.replaced?.administration, revised]
      .compactMap(\.self)
    switch intake {
    case .counted(let id, _)?, .recounted(let id, _)?, .uncounted(let id)?: ids.append(id)
    case .linked(let linked)?: ids += linked
    case nil: break
    }
    var seen: Set<AdministrationID> = []
    return ids.filter { seen.insert($0).inserted }
  }

  /// True if the outcome of a dose or the counted intakes may have changed.
  ///
  /// The first *later* of an open dose and a repeated answer change neither.
  var changesOutcome: Bool {
    if intake != nil { return true }
    guard let dose else { return false }
    return fact?.action != .later || dose.replaced != nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage

/// A question about a plan that a person must answer before it is saved.
package enum PlanQuestion: Sendable, Hashable {
  /// The schedule is more frequent than the medicine's rule; confirmed by typing a word.
  case tooOften(FrequencyBreach)
  /// The amount looks like a typing error; confirmed by a tick.
  case amount(AmountFinding)
  /// The prescription has no end, but its supply has; answered by one of two choices.
  case supply(SupplyQuestion)

  /// The key in forms and confirmations.
  package var key: String {
    switch self {
    case .tooOften(let breach): breach.key
    case .amount(let finding): finding.key
    case .supply: SupplyQuestion.key
    }
  }

  /// Returns the confirmation that answers it.
  package func confirmed(by typed: String) -> PlanConfirmation {
    let stated =
      switch self {
      case .tooOften(let breach): breach.stated
      case .amount(let finding): finding.stated
      case .supply(let question): question.stated
      }
    return PlanConfirmation(question: key, stated: stated, typed: typed)
  }

  /// Returns the questions about a request that are not answered yet for one of the subjects.
  package static func all(
    _ request: MedicationRequestView, subjects: [String?], patient: PatientID, zone: Zone,
    rhythm: DailyRhythm, today: CivilDate, in reader: any SQLReader
  ) throws(StorageError) -> [PlanQuestion] {
    let breach = try FrequencyBreach.unconfirmed(
      request, subjects: subjects, patient: patient, zone: zone, rhythm: rhythm, today: today,
      in: reader)
    let findings = try AmountFinding.unconfirmed(
      request, subjects: subjects, patient: patient, in: reader)
    var questions = breach.map { [PlanQuestion.tooOften($0)] } ?? []
    questions += findings.map(PlanQuestion.amount)
    if let supply = SupplyQuestion.of(request, zone: zone, today: today),
      try supply.answer(subjects: subjects, patient: patient, in: reader) == nil
    {
      questions.append(.supply(supply))
    }
    return questions
  }

  /// Returns the confirmations that the current schedule and amounts of a plan rely on, the newest of each.
  package static func confirmations(
    of plan: Plan, zone: Zone, rhythm: DailyRhythm, today: CivilDate, in reader: any SQLReader
  ) throws(StorageError) -> [PlanConfirmations.Kept] {
    let kept = try PlanConfirmations.all(of: plan.id.text, patient: plan.patient, in: reader)
    if kept.isEmpty { return [] }
    let breach = FrequencyBreach.of(plan.request, zone: zone, rhythm: rhythm, today: today)
    let amounts = try AmountFinding.all(in: plan.request, patient: plan.patient, reader)
    let keys = [breach?.key].compactMap(\.self) + amounts.map(\.key)
    return keys.compactMap { key in kept.first { $0.confirmation.question == key } }
  }

  /// Returns the questions about a draft.
  ///
  /// - Parameter plan: the plan that the draft changes.
  package static func all(
    _ draft: PlanDraft, plan: PlanID?, patient: PatientID, zone: Zone, rhythm: DailyRhythm,
    today: CivilDate, in reader: any SQLReader
  ) throws(StorageError) -> [PlanQuestion] {
    let request = draft.medicationRequest(
      patient: patient, authoredOn: nil, zone: zone, replacing: nil)
    return try all(
      MedicationRequestView(request), subjects: [plan?.text].compactMap(\.self), patient: patient,
      zone: zone,
      rhythm: rhythm, today: today, in: reader)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import Identifiers
import People
import Plans
import Records
import Reminders
import Scheduling
import Storage
import Web

/// A dose with what its page shows around it, read on one snapshot.
package struct DoseSurroundings: Sendable {
  package let dose: Dose
  package let zone: Zone
  package let story: [AnswerStoryEntry]
  /// What became of its reminders.
  package let deliveries: [Delivery]
  /// Milliseconds.
  package let minimumGap: Int64?
  /// Intakes of the same medicine within the gap before now: to be asked about.
  package let earlier: [Intake]
  /// Why the dose falls when it does; empty for one of earlier rules.
  package let reasons: [DoseReason]
  /// What the plan says about a forgotten dose.
  package let rule: MissedDoseAdvice?
  /// Whom to ask about it.
  package let contacts: [CareContact]
  /// What the medicine looks like.
  package let looks: MedicineAppearances
  /// Between which moments it may be moved; nil where it cannot.
  package let room: DoseMoving.Room?
  /// What may be done with it, where it is late or was forgotten, rule by rule.
  package let rescheduling: Rescheduling?
  /// What its plan says of the next ones, where it was taken late.
  package let shift: DoseRescheduler.Proposal?

  /// Whether it was put off so often that a reason is asked.
  package var isAskedWhyLater: Bool {
    story.filter { $0.action == .later }.count >= LaterChoices.timesWithoutReason
  }

  /// Reads them for a person who may know of the dose; for anybody else it does not exist.
  package static func read(_ id: DoseID, _ call: Call) async throws -> DoseSurroundings {
    let environment = call.environment
    let (authorization, found) = try await environment.database.read { reader in
      guard
        let patient = try environment.records.patient(
          of: "MedicationRequest", id: id.plan.text, in: reader)
      else { throw Failure.notFound }
      let authorization = try call.authorize(.read, "Dose", of: patient)
      guard
        let dose = try DoseQueries.known(
          id, patient: patient, now: call.now, zones: environment.zones, in: reader)
      else { throw Failure.notFound }
      let isOpen = !dose.state.isAnswered && dose.state != .cancelled
      let earlier =
        isOpen
        ? try IntakeQueries.latestWithinGap(before: call.now, patient: patient, in: reader)[id.plan]
          ?? []
        : []
      return (
        authorization,
        DoseSurroundings(
          dose: dose,
          zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
          story: try AnswerQueries.story(of: id, patient: patient, in: reader),
          deliveries: try ReminderQueries.story(
            id, patient: patient, accounts: environment.accounts, in: reader),
          minimumGap: try AnswerQueries.minimumGap(of: id.plan, patient: patient, in: reader),
          earlier: earlier.filter { $0.dose != id },
          reasons: try DoseQueries.reasons(
            for: dose, zones: environment.zones, in: reader),
          rule: try MissedDoseAdviceQueries.rules(of: [id.plan], patient: patient, in: reader)[id.plan],
          contacts: try contacts(of: patient, call, in: reader),
          looks: try MedicineAppearances(ofPlan: id.plan, patient: patient, in: reader),
          room: dose.state == .scheduled
            ? try DoseMoving.room(
              of: id, patient: patient, now: call.now, zones: environment.zones, in: reader)
            : nil,
          rescheduling: isOpen
            ? try ReschedulingReading.rescheduling(
              of: dose, list: environment.interactions.list, now: call.now,
              zones: environment.zones, in: reader) : nil,
          shift: isOpen
            ? nil
            : try DoseRescheduler.proposal(
              for: dose, list: environment.interactions.list, now: call.now,
              zones: environment.zones, in: reader))
      )
    }
    try await environment.audit(authorization, count: 1, at: call.now)
    return found
  }

  /// The numbers of practitioner and pharmacy, for whoever may know the person's details.
  package static func contacts(
    of patient: PatientID, _ call: Call, in reader: any SQLReader
  ) throws -> [CareContact] {
    guard (try? call.authorize(.read, "Patient", of: patient)) != nil else { return [] }
    return try PeopleQueries.details(patient, in: reader)?.details.contacts ?? []
  }
}

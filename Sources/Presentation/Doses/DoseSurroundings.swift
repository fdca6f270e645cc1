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

/// A dose with everything that its page shows around it, read from one snapshot.
package struct DoseSurroundings: Sendable {
  /// The dose itself.
  package let dose: Dose
  /// The patient's time zone.
  package let zone: Zone
  /// The answers, corrections and undos, in the order in which they were recorded.
  package let story: [AnswerStoryEntry]
  /// The deliveries of its reminders, with their results.
  package let deliveries: [Delivery]
  /// The minimum gap between doses of its plan, in milliseconds; nil if the plan states none.
  package let minimumGap: Int64?
  /// The intakes of the same medicine within the gap before now, to be asked about; empty once it
  /// is answered.
  package let earlier: [Intake]
  /// The reasons for its time; empty if the plan has changed since.
  package let reasons: [DoseReason]
  /// The plan's own rule for a missed dose; nil if it has none.
  package let rule: MissedDoseAdvice?
  /// The contacts to ask about a missed dose; empty if the actor has no access to the person's
  /// details.
  package let contacts: [CareContact]
  /// The appearance of the medicine.
  package let looks: MedicineAppearances
  /// The interval within which it may be moved; nil if it cannot be moved.
  package let room: DoseMover.Room?
  /// The advice on a late or missed dose, rule by rule; nil once it is answered.
  package let rescheduling: Rescheduling?
  /// The proposal to move the next doses because it was taken late; nil if there is none.
  package let shift: DoseRescheduler.Proposal?

  /// True if it was postponed so often that the page asks for a reason.
  package var isAskedWhyLater: Bool {
    story.filter { $0.action == .later }.count >= LaterChoices.timesWithoutReason
  }

  /// Reads the dose and its surroundings for an actor who may see it, and audits the read.
  ///
  /// - Throws: `notFound` if the dose does not exist or the actor must not know of it.
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
          rule: try MissedDoseAdviceQueries.rules(of: [id.plan], patient: patient, in: reader)[
            id.plan],
          contacts: try contacts(of: patient, call, in: reader),
          looks: try MedicineAppearances(ofPlan: id.plan, patient: patient, in: reader),
          room: dose.state == .scheduled
            ? try DoseMover.room(
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

  /// Returns the contacts of practitioner and pharmacy; empty if the actor has no access to the
  /// person's details.
  package static func contacts(
    of patient: PatientID, _ call: Call, in reader: any SQLReader
  ) throws -> [CareContact] {
    guard (try? call.authorize(.read, "Patient", of: patient)) != nil else { return [] }
    return try PeopleQueries.details(patient, in: reader)?.details.contacts ?? []
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import Plans
import Prescriptions
import Presentation
import Reminders
import Storage
import Web

extension PractitionerAccess {
  /// Returns the findings about a prescription that the practitioner may see, and audits the read
  /// of the patient's medicines.
  ///
  /// - Parameter plan: The prescription that it changes; nil for a new one.
  func findings(
    _ draft: PlanDraft, id: ProposalID, changing plan: PlanID?, clock: MedicineClock, _ call: Call
  ) async throws -> InteractionStep {
    let (commands, list) = (prescriptions(call), call.environment.interactions.list)
    let region = call.region
    let check = try await call.environment.database.read { reader in
      try commands.check(draft, id: id, changing: plan, list: list, region: region, in: reader)
    }
    try await call.environment.audit(
      authorize(.read, "MedicationRequest"), count: check.checked.medicines.count, at: call.now)
    return InteractionStep(
      check: check,
      said: InteractionText(
        checked: check.checked, list: list,
        words: DoseFormatter(localizer: call.localizer, zone: clock.zone, now: call.now)),
      audience: .prescriber)
  }

  /// Sends a prescription to the patient and returns to the patient's page; sending it again
  /// changes nothing.
  ///
  /// - Parameters:
  /// - form: The form with the confirmation of severe findings.
  /// - cleanUp: A change in the same transaction, such as deleting the draft.
  func send(
    _ draft: PlanDraft, id: ProposalID, changing plan: PlanID?, identity: PatientIdentity,
    _ form: FormBody, _ call: Call, cleanUp: @escaping @Sendable (any SQLWriter) throws -> Void
  ) async throws -> Response {
    let (commands, patient) = (prescriptions(call), patient)
    let reminders = call.environment.reminderContext(at: call.now)
    let list = call.environment.interactions.list
    let confirmed =
      form.isChecked(InteractionStep.confirmedField)
      ? Set(form.all(InteractionStep.seenField)) : []
    try await call.environment.database.write { writer in
      let isNew = try ProposalQueries.proposal(id, patient: patient, in: writer) == nil
      try commands.prescribe(
        draft, id: id, changing: plan, identity: identity, list: list, confirmed: confirmed,
        in: writer)
      try cleanUp(writer)
      guard isNew else { return }
      try ReminderCommands.notify(.prescription, patient: patient, reminders, in: writer)
    }
    call.environment.live.reminders.ring()
    return call.redirect(to: deskAddress("", [("done", "sent")]) + "#waiting")
  }
}

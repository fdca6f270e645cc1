// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Prescriptions
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The proposal of fewer times of day on a practitioner's page of a patient; it takes effect with
/// the patient's consent.
package enum CareTeamSimplification {
  static let path = "/care/:patient/simplify"

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    let page = try await page(access, call, signedIn, leaving: [])
    return page.response(call, signedIn)
  }

  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await call.careForm()
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    var page = try await page(access, call, signedIn, leaving: nil, form)
    let list = page.list
    let identity = IdentityInput(form: form)
    page.identity = identity
    let commands = access.prescriptions(call)
    if form.isChecked("accept") {
      let seen = form.text(SimplificationRoutes.seenField) ?? ""
      let planned = page.planned
      let reminders = call.environment.reminderContext(at: call.now)
      do {
        try await call.environment.database.write { writer in
          _ = try commands.retime(
            planned, list, digest: seen, identity: identity.identity, in: writer)
          try ReminderCommands.notify(
            .prescription, patient: access.patient, reminders, in: writer)
        }
        call.environment.live.reminders.ring()
        return call.redirect(to: "\(access.address)?done=sent#waiting")
      } catch IntakeError.outdated {
        page = try await renewed(access, call, signedIn, form)
      } catch IntakeError.nothing {
        return page.response(call, signedIn)
      } catch CareTeamError.wrongPatient {
        page.problem = .wrongPatient
      } catch let error as CareTeamError {
        throw error.failure
      }
    }
    if !page.proposal.changes.isEmpty {
      // The doses also depend on intakes, which may not be shared.
      if access.reading("Dose") != nil {
        let planned = page.planned
        do {
          page.trial = try await SimplificationTrial.run(
            of: access.patient, planned.basis.situation, context: access.context(call),
            in: call.environment.database
          ) { writer in try commands.trialOfTimes(planned, list, in: writer) }
        } catch IntakeError.outdated {
          return try await renewed(access, call, signedIn, form).response(call, signedIn)
        }
      }
      page.isSeen = true
    }
    return page.response(call, signedIn)
  }

  /// Returns the updated page after a change in the meantime.
  private static func renewed(
    _ access: PractitionerAccess, _ call: Call, _ signedIn: SignedIn, _ form: FormBody
  ) async throws -> SimplificationPage {
    var page = try await page(access, call, signedIn, leaving: nil, form)
    page.identity = IdentityInput(form: form)
    page.isOutdated = true
    return page
  }

  /// - Parameter left: The medicines to leave unchanged; nil for those that the form leaves.
  private static func page(
    _ access: PractitionerAccess, _ call: Call, _ signedIn: SignedIn, leaving left: Set<PlanID>?,
    _ form: FormBody? = nil
  ) async throws -> SimplificationPage {
    let environment = call.environment
    let (patient, account, now) = (access.patient, signedIn.account.id, call.now)
    let list = environment.interactions.list
    let (basis, asks) = try await environment.database.read { reader in
      (
        try IntakeReading.read(
          list, patient: patient, prescriber: account, now: now, zones: environment.zones,
          in: reader),
        try PatientIdentity.hasBirthDate(patient, in: reader)
      )
    }
    try await environment.audit(
      access.authorize(.read, "MedicationRequest"), count: basis.situation.medicines.count, at: now)
    let left = left ?? form.map { SimplificationRoutes.left($0, basis) } ?? []
    return SimplificationPage(
      subject: .patient(access, asksBirthDate: asks), basis: basis,
      proposal: SimplificationPlanner.propose(basis.situation.leaving(left)), left: left,
      list: list,
      localizer: call.localizer)
  }
}

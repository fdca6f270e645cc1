// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Identifiers
import Localization
import Plans
import Prescriptions
import Presentation
import Storage
import Web

/// The last step of a prescription, which shows the patient's interactions, duplicates,
/// contraindications and limits before it is sent.
enum SendingPrescription {
  /// Returns the fields for the patient's name and birth date; nil for one's own medicines.
  static func identity(
    _ opened: OpenedDraft, _ form: FormBody? = nil, problem: CareTeamError? = nil
  ) async throws -> IdentityFields? {
    guard case .prescription(let access) = opened.site.kind else { return nil }
    let patient = access.patient
    let asks = try await opened.call.environment.database.read { reader in
      try PatientIdentity.hasBirthDate(patient, in: reader)
    }
    return IdentityFields(
      input: form.map(IdentityInput.init(form:)) ?? IdentityInput(), asksBirthDate: asks,
      problem: problem?.message(opened.localizer), localizer: opened.localizer)
  }

  /// Sends the prescription only once, however often the button is pressed.
  static func send(_ opened: OpenedDraft, _ form: FormBody) async throws -> Response {
    guard case .prescription(let access) = opened.site.kind else { throw Failure.notFound }
    if let step = CheckingMedicine.unfinished(opened) { return step }
    guard form.text("version") == String(opened.draft.version) else {
      return try await page(opened, form) { $0.isOutdated = true }
    }
    do {
      let check = try await CheckingMedicine.check(opened, form)
      guard check.questions == nil, check.interactions.isSeen(form) else {
        return try await page(opened, form) { page in
          page.isPosted = true
          page.answers = SafetyQuestionFields.carried(form)
        }
      }
      let (stored, account) = (opened.draft, opened.signedIn.account.id)
      return try await access.send(
        check.draft, id: ProposalID(stored.id.text), changing: nil,
        identity: IdentityInput(form: form).identity, form, opened.call
      ) { writer in
        try MedicineDrafts.remove(stored.id, of: account, in: writer)
      }
    } catch PlanError.invalid {
      return CheckingMedicine.missing(opened)
    } catch let error as CareTeamError {
      switch error {
      case .wrongPatient:
        return try await page(opened, form, problem: error) { page in
          page.isPosted = true
          page.answers = SafetyQuestionFields.carried(form)
        }
      // A medicine was added in the meantime, so the findings are shown again.
      case .unseenFindings: return try await page(opened, form) { $0.isOutdated = true }
      default: throw error.failure
      }
    }
  }

  /// Returns the page with the input; findings that were shown but not confirmed are marked.
  private static func page(
    _ opened: OpenedDraft, _ form: FormBody, problem: CareTeamError? = nil,
    _ change: (inout CheckMedicinePage) -> Void
  ) async throws -> Response {
    var check = try await CheckingMedicine.check(opened, form)
    check.interactions.isUnconfirmed =
      check.interactions.isShown(form) && !check.interactions.isSeen(form)
    var page = try await CheckMedicinePage(opened: opened, check: check)
    page.identity = try await identity(opened, form, problem: problem)
    change(&page)
    return page.response
  }
}

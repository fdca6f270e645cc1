// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Prescriptions
import Presentation
import Storage
import Web

/// Deciding about a proposal with one press on Today.
package enum ProposalDecisions {
  @Sendable static func decide(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    let proposal = try ProposalID(call.parameter("proposal"))
    let action = form.text("action")
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let confirmation = try await ProposalConfirmation.read(
      proposal, isAccepting: action == "accept", patient: patient, form, call)
    if let page = confirmation.page { return page }
    let confirmed = confirmation.confirmed
    do {
      let plan: PlanID? = try await call.environment.database.write { writer in
        guard
          try ProposalQueries.proposal(proposal, patient: patient, in: writer) != nil
        else { throw Failure.notFound }
        switch action {
        case "accept":
          return try ProposalCommands.accept(
            proposal, patient: patient, confirmed: confirmed, context: context, in: writer)
        case "decline":
          try ProposalCommands.decline(proposal, patient: patient, context: context, in: writer)
        case "seen":
          try ProposalCommands.markSeen(proposal, patient: patient, context: context, in: writer)
        default:
          throw Failure.unprocessable("value", "The form names no action that is known.")
        }
        return nil
      }
      return call.redirect(to: plan.map { "/medicines/\($0)?done=added" } ?? "/")
    } catch ImportError.decided {
      // Decided before, here or on another device: Today shows how it stands.
      return call.redirect(to: "/")
    } catch ImportError.notFound {
      throw Failure.notFound
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Hummingbird
import Identifiers
import Prescriptions
import Presentation
import Web

/// The decision about a proposal with one button on Today.
package enum ProposalDecisions {
  static func decide(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.update, "MedicationRequest")
    let proposal = try ProposalID(form.parameter("proposal"))
    let action = form.text("action")
    let confirmation = try await ProposalConfirmation.read(
      proposal, isAccepting: action == "accept", patient: patient, form.fields,
      form.call)
    if let page = confirmation.page { return page }
    let confirmed = confirmation.confirmed
    do {
      let plan: PlanID? = try await form.run { context, writer in
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
          throw Failure.unprocessable("value", "The form must name a known action.")
        }
        return nil
      }
      return form.redirect(to: plan.map { "/medicines/\($0)?done=added" } ?? "/")
    } catch ImportError.decided {
      // Already decided, here or on another device: Today shows the current state.
      return form.redirect(to: "/")
    } catch ImportError.notFound {
      throw Failure.notFound
    }
  }
}

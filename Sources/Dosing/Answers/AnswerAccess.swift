// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People

/// The one question to ``decide(actor:action:patient:resource:purpose:)`` that every answer asks.
package enum AnswerAccess {
  package static func authorization(
    _ action: Action, patient: PatientID, context: CommandContext
  ) throws(AnswerError) -> Authorization {
    let decision = decide(
      actor: context.actor, action: action, patient: patient,
      resource: AdministrationResource.type, purpose: context.purpose)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason.concealsExistence ? .notFound : .notAuthorized
    }
  }
}

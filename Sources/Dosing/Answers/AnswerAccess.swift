// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People

/// The single access check shared by every command that changes an answer.
package enum AnswerAccess {
  /// Returns the right to perform an action on the patient's administrations.
  ///
  /// - Throws: `notFound` if the actor must not learn that the patient exists, otherwise
  ///   `notAuthorized`.
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

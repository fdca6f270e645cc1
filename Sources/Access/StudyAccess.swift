// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// Proof that ``decideStudy(actor:action:study:)`` allowed access to the pseudonymised data of one study.
///
/// Nothing outside this module can create one.
package struct StudyAuthorization: Sendable, Hashable {
  /// The actor that was allowed.
  package let actor: Actor
  /// The action that was allowed.
  package let action: Action
  /// The study whose data may be read.
  package let study: StudyID
}

/// The answer to a request for the data of a study.
package enum StudyDecision: Sendable, Hashable {
  case allow(StudyAuthorization)
  case deny(DenialReason)
}

/// Decides access to the pseudonymised data of a study: its counts (`read`) and its export.
///
/// Only the operator on the host and the holder of a token of this very study get either. Being an administrator, or
/// taking part in the study, opens nothing.
package func decideStudy(actor: Actor, action: Action, study: StudyID) -> StudyDecision {
  guard action == .read || action == .export else { return .deny(.scopeNotAllowed) }
  let isOperator = actor.kind == .host && actor.scope.systemWide
  let isResearcher = actor.kind == .token && actor.scope.study == study
  guard isOperator || isResearcher else { return .deny(.scopeNotAllowed) }
  return .allow(StudyAuthorization(actor: actor, action: action, study: study))
}

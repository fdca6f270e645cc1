// SPDX-License-Identifier: Apache-2.0

import People

/// An action that follows from an answer.
///
/// Consequences that ``PossibleConsequences`` rules out execute no statement.
package struct AnswerConsequence: Consequence {
  /// The name under which tests list this consequence.
  package let name: String
  let carryOut: @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void

  /// Creates a consequence from its name and the action, which runs in the answer's transaction.
  package init(
    _ name: String,
    _ carryOut: @escaping @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

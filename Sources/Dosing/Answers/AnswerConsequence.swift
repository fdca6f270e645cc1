// SPDX-License-Identifier: Apache-2.0

import People

/// An action that follows from an answer.
///
/// Consequences that ``PossibleConsequences`` rules out execute no statement.
package struct AnswerConsequence: Consequence {
  package let name: String
  let carryOut: @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void

  package init(
    _ name: String,
    _ carryOut: @escaping @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

// SPDX-License-Identifier: Apache-2.0

/// An action that follows from an answer.
///
/// Consequences that ``PossibleConsequences`` rules out execute no statement.
struct AnswerConsequence: Consequence {
  let name: String
  let carryOut: @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void

  init(
    _ name: String,
    _ carryOut: @escaping @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

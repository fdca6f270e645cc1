// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Identifiers
import Knowledge
import Storage

/// The questions that wait after doses that were taken late, on pages other than the doses' own.
struct ShiftCards: PagePart {
  let proposals: [DoseShifting.Proposal]
  let words: DoseWords
  var list = InteractionList.shipped
  let token: FormToken
  /// Where an answer leads back to.
  let returnPath: String

  /// What waits for a person; the caller has decided that their doses may be read.
  static func open(
    of patient: PatientID, _ call: Call, in reader: any SQLReader
  ) throws -> [DoseShifting.Proposal] {
    try DoseShifting.open(
      patient: patient, list: call.environment.interactions.list, now: call.now,
      zones: call.environment.zones, in: reader)
  }

  var markup: Markup { "\(each: proposals, card)" }

  private func card(_ proposal: DoseShifting.Proposal) -> Markup {
    ShiftPart(
      proposal: proposal, words: words, list: list, token: token, returnPath: returnPath,
      isAside: true
    ).markup
  }
}

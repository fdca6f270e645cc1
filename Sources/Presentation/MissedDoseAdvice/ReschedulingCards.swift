// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Knowledge
import Storage
import Web

/// The questions that wait after doses that were taken late, on pages other than the doses' own.
package struct ReschedulingCards: PagePart {
  package let proposals: [DoseRescheduler.Proposal]
  package let words: DoseFormatter
  package var list = InteractionList.shipped
  package let token: FormToken
  /// Where an answer leads back to.
  package let returnPath: String

  package init(
    proposals: [DoseRescheduler.Proposal], words: DoseFormatter,
    list: InteractionList = InteractionList.shipped, token: FormToken, returnPath: String
  ) {
    self.proposals = proposals
    self.words = words
    self.list = list
    self.token = token
    self.returnPath = returnPath
  }

  /// What waits for a person; the caller has decided that their doses may be read.
  package static func open(
    of patient: PatientID, _ call: Call, in reader: any SQLReader
  ) throws -> [DoseRescheduler.Proposal] {
    try DoseRescheduler.open(
      patient: patient, list: call.environment.interactions.list, now: call.now,
      zones: call.environment.zones, in: reader)
  }

  package var markup: Markup { "\(each: proposals, card)" }

  private func card(_ proposal: DoseRescheduler.Proposal) -> Markup {
    ReschedulingProposalPart(
      proposal: proposal, words: words, list: list, token: token, returnPath: returnPath,
      isAside: true
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Knowledge
import Storage
import Web

/// The open questions after doses that were taken late, on pages other than the doses' own.
package struct ReschedulingCards: PagePart {
  /// The proposals to show.
  package let proposals: [DoseRescheduler.Proposal]
  /// The formatter of times and durations.
  package let words: DoseFormatter
  /// The interaction list whose sources are named.
  package var list = InteractionList.shipped
  /// The token of the forms.
  package let token: FormToken
  /// The address to which the forms return.
  package let returnPath: String

  /// Creates the cards.
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

  /// Returns the proposals that wait for a person; the caller has checked that the actor may read
  /// the doses.
  package static func open(
    of patient: PatientID, _ call: Call, in reader: any SQLReader
  ) throws -> [DoseRescheduler.Proposal] {
    try DoseRescheduler.open(
      patient: patient, list: call.environment.interactions.list, now: call.now,
      zones: call.environment.zones, in: reader)
  }

  /// The cards, one for each proposal.
  package var markup: Markup { "\(each: proposals, card)" }

  private func card(_ proposal: DoseRescheduler.Proposal) -> Markup {
    ReschedulingProposalPart(
      proposal: proposal, words: words, list: list, token: token, returnPath: returnPath,
      isAside: true
    ).markup
  }
}

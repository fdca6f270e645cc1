// SPDX-License-Identifier: Apache-2.0

import Accounts
import Plans
import Presentation

/// The cards on Today about prescriptions from elsewhere that wait for a decision, and about unread
/// stops.
package struct ProposalsOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}
  /// Returns the cards, and the plans whose doses need a review before they are taken.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.features.proposals else { return .nothing }
    let reading = try ProposalReading(
      of: today.patient,
      checker: today.call.medicineChecker(
        patient: today.patient.patient, actor: today.signedIn.actor, zone: today.zone))
    let list = today.environment.interactions.list
    var addition = TodayAddition(
      TodayCard(.beforeDoses, fillsPage: !reading.isEmpty) {
        ProposalCards(reading: reading, token: $0.token, words: $0.words, list: list).markup
      })
    addition.plansForReview = reading.plansForReview
    return addition
  }
}

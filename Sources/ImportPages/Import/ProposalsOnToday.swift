// SPDX-License-Identifier: Apache-2.0

import Accounts
import Plans
import Presentation

/// Prescriptions from elsewhere that wait for a decision, and stops that nobody has read.
package struct ProposalsOnToday: TodayContribution {
  package init() {}
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

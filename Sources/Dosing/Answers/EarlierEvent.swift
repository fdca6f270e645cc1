// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling

/// The effect of an event when it was first received.
struct EarlierEvent: Sendable, Hashable {
  let plan: PlanID?
  let era: Int64?
  let occurrence: String?
  let action: String
  let administration: AdministrationID?

  func isFor(_ dose: DoseID, _ action: AnswerAction) -> Bool {
    plan == dose.plan && era == dose.era && occurrence == dose.occurrence.text
      && self.action == action.rawValue
  }

  /// The dose that it answered; nil if it answered none.
  var dose: DoseID? {
    guard let plan, let era, let occurrence else { return nil }
    return DoseID(text: "\(plan)_\(era)_\(occurrence)")
  }
}

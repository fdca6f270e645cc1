// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A person's choice about the question after the doses of one medicine.
package struct FollowUpChoice: Sendable, Hashable {
  /// The choice until a person makes one.
  package static let standard = FollowUpChoice(isAsked: true, minutes: nil, isForHeadache: false)

  /// False if the question is turned off.
  package let isAsked: Bool
  /// The minutes after a dose; nil for the time that the program chooses.
  package let minutes: Int?
  /// True if the person takes the medicine for headaches, so that the days of a month are counted.
  package let isForHeadache: Bool

  /// Creates a choice.
  package init(isAsked: Bool, minutes: Int?, isForHeadache: Bool) {
    self.isAsked = isAsked
    self.minutes = minutes
    self.isForHeadache = isForHeadache
  }
}

/// The question whether one dose helped.
package struct FollowUp: Sendable, Hashable {
  /// The MedicationAdministration of the dose.
  package let administration: AdministrationID
  /// The plan of the medicine.
  package let plan: PlanID
  /// The time at which the dose was taken.
  package let taken: Timestamp
  /// The minutes after which the question comes, and comes again.
  package let minutes: Int
  /// The time from which the question is asked.
  package internal(set) var due: Timestamp
  /// The time from which the question is not asked any more.
  package let ends: Timestamp
  /// The number of times that the question was set.
  package internal(set) var asked: Int64
  /// The id of the Observation with the answer; nil without one.
  package internal(set) var observation: String?

  /// Creates the question about a dose, which comes at once if its time has passed; nil if it is too late for it.
  package init?(
    _ administration: AdministrationID, plan: PlanID, taken: Timestamp, minutes: Int,
    now: Timestamp
  ) {
    let ends = taken.adding(milliseconds: FollowUpTiming.reach)
    let due = max(taken.adding(milliseconds: Int64(minutes) * 60_000), now)
    guard due < ends else { return nil }
    self.init(
      administration: administration, plan: plan, taken: taken, minutes: minutes, due: due,
      ends: ends, asked: 1, observation: nil)
  }

  init(
    administration: AdministrationID, plan: PlanID, taken: Timestamp, minutes: Int, due: Timestamp,
    ends: Timestamp, asked: Int64, observation: String?
  ) {
    self.administration = administration
    self.plan = plan
    self.taken = taken
    self.minutes = minutes
    self.due = due
    self.ends = ends
    self.asked = asked
    self.observation = observation
  }

  /// Returns true if the question waits for an answer.
  package func asks(at now: Timestamp) -> Bool {
    observation == nil && due <= now && now < ends
  }

  /// Returns the question as it comes again after "too early to say"; nil if it is too late for that.
  package func again(at now: Timestamp) -> FollowUp? {
    var next = self
    next.due = now.adding(milliseconds: Int64(minutes) * 60_000)
    next.asked += 1
    return next.due < ends ? next : nil
  }
}

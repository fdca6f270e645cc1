// SPDX-License-Identifier: Apache-2.0

import Calendar
import CareTeam
import Dosing
import HeartRate
import People
import Plans
import Reminders
import Statistics
import Supply

extension Consequences {
  /// The consequences of all features.
  ///
  /// A new consequence is one more line of a list below; one of an answer is also one more row of
  /// the table in `AnswerConsequenceTests`.
  package static let all = Consequences(
    AnswerConsequence.inOrder, PlanConsequence.inOrder, ZoneConsequence.inOrder,
    WarningConsequence.inOrder)
}

extension AnswerConsequence {
  /// Everything that follows from an answer; a later one may read what the earlier ones wrote.
  static let inOrder: [AnswerConsequence] = [
    .intakes,
    .stock,
    .reminder,
    .rollup,
    .warnings,
    .messages,
    .followingDoses,
    .movedDoses,
  ]
}

extension PlanConsequence {
  /// Everything that follows from an event of a plan.
  static let inOrder: [PlanConsequence] = [
    .reminders,
    .intakeNames,
    .movedDoses,
  ]
}

extension ZoneConsequence {
  /// Everything that follows when a patient's time zone changes.
  static let inOrder: [ZoneConsequence] = [
    .alarms,
    .travelQuestion,
    .reminders,
    .rollup,
  ]
}

extension WarningConsequence {
  /// Everything that follows from the answer to a warning.
  static let inOrder: [WarningConsequence] = [
    .messages
  ]
}

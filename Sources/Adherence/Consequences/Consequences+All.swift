// SPDX-License-Identifier: Apache-2.0

import Calendar
import CareTeam
import Diary
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
  /// A new consequence is one more line in a list below; one of an answer is also one more row in the table
  /// of `AnswerConsequenceTests`.
  package static let all = Consequences(
    AnswerConsequence.inOrder, PlanConsequence.inOrder, ZoneConsequence.inOrder,
    WarningConsequence.inOrder)
}

extension AnswerConsequence {
  /// The consequences of an answer; a later one may read what the earlier ones wrote.
  static let inOrder: [AnswerConsequence] = [
    .intakes,
    .stock,
    .reminder,
    .rollup,
    .warnings,
    .messages,
    .followingDoses,
    .movedDoses,
    .followUps,
    .sites,
    .subscriptions,
  ]
}

extension PlanConsequence {
  /// The consequences of an event of a plan.
  static let inOrder: [PlanConsequence] = [
    .reminders,
    .intakeNames,
    .movedDoses,
    .subscriptions,
  ]
}

extension ZoneConsequence {
  /// The consequences of a change of a patient's time zone.
  static let inOrder: [ZoneConsequence] = [
    .alarms,
    .travelQuestion,
    .reminders,
    .rollup,
  ]
}

extension WarningConsequence {
  /// The consequences of an answer to a warning.
  static let inOrder: [WarningConsequence] = [
    .messages
  ]
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Reminders
import Scheduling
import Storage

/// The quiet reminders that a questionnaire can be answered: one for each occasion, at six in the evening of the day on
/// which it opens.
///
/// Only the open occasion and the next ones have one, so that nobody who stopped answering is reminded for ever; each
/// answer opens further ones.
enum QuestionnaireReminders {
  /// The number of coming occasions that have a reminder.
  static let ahead = 4
  private static let evening: Int64 = 18 * 3_600_000

  /// Opens the missing reminders.
  ///
  /// - Parameter answered: An occasion that needs none, because it was just answered; nil for none.
  static func open(
    _ assignment: QuestionnaireAssignment, of patient: PatientID, besides answered: Int? = nil,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    guard assignment.reminds else { return }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let today = zone.date(at: Instant(milliseconds: context.now.milliseconds))
    for occasion in occasions(assignment.schedule, from: today) where occasion.number != answered {
      func start(_ day: CivilDate) -> Timestamp {
        Timestamp(milliseconds: zone.startOfDay(day).milliseconds)
      }
      let due = max(context.now, start(occasion.opens).adding(milliseconds: evening))
      let ends = start(occasion.lastDay.adding(days: 1))
      guard due < ends else { continue }
      try AlertCommands.open(
        QuestionnaireAlert.alert(
          of: assignment.id, occasion: occasion.number, patient: patient, due: due, ends: ends),
        newIdentifier: context.newIdentifier, at: context.now, in: writer)
    }
  }

  /// Cancels the reminder of an occasion.
  static func cancel(
    _ occasion: Int, of assignment: QuestionnaireAssignmentID, patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    try AlertCommands.cancel(
      source: QuestionnaireAlert.source(of: assignment, occasion: occasion),
      kind: QuestionnaireAlert.kind, patient: patient, at: context.now, in: writer)
  }

  /// Cancels the reminders of an assignment that has ended.
  static func cancelAll(
    _ assignment: QuestionnaireAssignment, of patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let today = zone.date(at: Instant(milliseconds: context.now.milliseconds))
    for occasion in occasions(assignment.schedule, from: today) {
      try cancel(occasion.number, of: assignment.id, patient: patient, context, in: writer)
    }
  }

  /// Returns the occasion that is open on a day, and the next ones.
  static func occasions(
    _ schedule: QuestionnaireSchedule, from today: CivilDate
  ) -> [QuestionnaireSchedule.Occasion] {
    var occasions: [QuestionnaireSchedule.Occasion] = []
    if let current = schedule.open(on: today) { occasions.append(current) }
    var day = today
    for _ in 0..<ahead {
      guard let next = schedule.next(after: day) else { break }
      occasions.append(next)
      day = next.opens
    }
    return occasions
  }
}

// SPDX-License-Identifier: Apache-2.0

import Diary
import Identifiers
import Localization
import People
import Scheduling
import Storage

/// The questionnaires of a study: assigned when a person joins, and ended when the person withdraws or the study is
/// closed.
enum StudyQuestionnaires {
  /// Asks a person on the study's days, counted from today on the person's clock.
  ///
  /// Questions from anyone else go on: one answer counts for all who asked.
  static func assign(
    _ study: StudyDefinition, to patient: PatientID, in language: Language,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    guard !study.questionnaires.isEmpty else { return }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let joined = zone.date(at: Instant(milliseconds: context.now.milliseconds))
    for questionnaire in study.questionnaires {
      for schedule in questionnaire.schedules(from: joined, studyDays: study.days) {
        _ = try QuestionnaireAssignments.assign(
          questionnaire.instrument.url, on: schedule, as: .study(study.id.text), reminds: true,
          byName: study.title.text(in: language), to: patient, context, in: writer)
      }
    }
  }

  /// Stops asking a person; what was answered stays in the person's own record.
  static func end(
    _ study: StudyID, for patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    for assignment in try QuestionnaireAssignments.all(of: patient, in: writer)
    where assignment.ended == nil && assignment.origin == .study(study.text) {
      try QuestionnaireAssignments.end(assignment.id, of: patient, context, in: writer)
    }
  }
}

extension StudyQuestionnaire {
  /// Returns the schedules of the days, counted from the day of joining.
  ///
  /// Days that are a week apart are one weekly schedule. An occasion closes when the next one opens, after its usual
  /// days, or with the study.
  func schedules(from joined: CivilDate, studyDays: Int) -> [QuestionnaireSchedule] {
    let ends = Array(days.dropFirst()) + [studyDays]
    let spans = zip(days, ends).map { (day: $0, length: $1 - $0) }
    if let first = days.first, let last = spans.last, days.count > 1,
      spans.dropLast().allSatisfy({ $0.length == 7 }), last.length >= 7
    {
      let weekly = QuestionnaireSchedule(
        .weekly, starts: joined.adding(days: first), lastDay: joined.adding(days: last.day))
      return [weekly].compactMap(\.self)
    }
    return spans.compactMap { span in
      QuestionnaireSchedule(
        .once, starts: joined.adding(days: span.day),
        openDays: min(span.length, QuestionnaireSchedule.Kind.once.usualOpenDays))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Scheduling
import Storage

/// Assigns questionnaires to people, and finds those that are due and those that were answered.
///
/// An occasion that is not answered in its days closes without a trace: silence is not an answer.
package enum QuestionnaireAssignments {
  /// The name of assignments in access decisions and in the audit trail.
  package static let resource = "QuestionnaireAssignment"
  /// The most assignments in force of one person, without those of studies, whose files have limits of their own.
  package static let most = 50

  /// Assigns a questionnaire; the caller has made sure that it exists and can be answered.
  ///
  /// The actor must be allowed to create assignments of the patient: the person and guardians, and a practitioner with
  /// whom answers to doses are shared.
  ///
  /// - Parameters:
  ///   - questionnaire: The canonical address, without a version.
  ///   - reminds: True to show it on Today while it can be answered, and to send a quiet reminder when it opens.
  ///   - byName: The name shown as that of whoever asks; nil for the person who acts.
  /// - Throws: `DenialReason`, and ``QuestionnaireError/tooMany``.
  package static func assign(
    _ questionnaire: String, on schedule: QuestionnaireSchedule,
    as origin: QuestionnaireAssignment.Origin, reminds: Bool, byName: String? = nil,
    to patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws -> QuestionnaireAssignmentID {
    _ = try context.authorize(.create, resource, of: patient)
    if origin.study == nil {
      let all = try QuestionnaireRows.assignments(of: patient, in: writer)
      let count = all.count(where: { $0.ended == nil && $0.origin.study == nil })
      guard count < most else { throw QuestionnaireError.tooMany }
    }
    let assignment = QuestionnaireAssignment(
      id: context.newID(), questionnaire: questionnaire, schedule: schedule, origin: origin,
      account: context.actor.accountID, byName: byName ?? context.byName, reminds: reminds,
      created: context.now, ended: nil)
    try QuestionnaireRows.insert(assignment, of: patient, in: writer)
    try QuestionnaireReminders.open(assignment, of: patient, context, in: writer)
    audit(.create, assignment.id, of: patient, context, in: writer)
    return assignment.id
  }

  /// Ends an assignment; its answers stay, and ending it again changes nothing.
  ///
  /// - Throws: `DenialReason`, and ``QuestionnaireError/notFound``.
  package static func end(
    _ id: QuestionnaireAssignmentID, of patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try context.authorize(.update, resource, of: patient)
    guard let known = try all(of: patient, in: writer).first(where: { $0.id == id }) else {
      throw QuestionnaireError.notFound
    }
    guard known.ended == nil else { return }
    try QuestionnaireRows.end(id, of: patient, at: context.now, in: writer)
    try QuestionnaireReminders.cancelAll(known, of: patient, context, in: writer)
    audit(.update, id, of: patient, context, in: writer)
  }

  /// Returns all assignments of a person, the latest first.
  ///
  /// The caller decides access.
  package static func all(
    of patient: PatientID, in reader: any SQLReader
  ) throws -> [QuestionnaireAssignment] {
    try QuestionnaireRows.assignments(of: patient, in: reader)
  }

  /// Returns the assignments in force as the person sees them, the latest first: of a study's days, only the next
  /// one for each questionnaire.
  ///
  /// The caller decides access.
  package static func planned(
    of patient: PatientID, on day: CivilDate, in reader: any SQLReader
  ) throws -> [QuestionnaireAssignment] {
    let inForce = try all(of: patient, in: reader).filter { $0.ended == nil }
    var next: [QuestionnaireAssignment.StudyPart: QuestionnaireAssignment] = [:]
    for assignment in inForce {
      guard let part = assignment.studyPart,
        let occasion = assignment.schedule.open(on: day) ?? assignment.schedule.next(after: day)
      else { continue }
      let known = next[part]?.schedule
      let found = known?.open(on: day) ?? known?.next(after: day)
      if let found, found.opens <= occasion.opens { continue }
      next[part] = assignment
    }
    return inForce.filter { one in one.studyPart.map { next[$0]?.id == one.id } ?? true }
  }

  /// Returns the occasions that can be answered on a day, those that close first at the front.
  ///
  /// The caller decides access.
  package static func due(
    of patient: PatientID, on day: CivilDate, in reader: any SQLReader
  ) throws -> [DueQuestionnaire] {
    let answers = Set(
      try answered(of: patient, in: reader).map { Key($0.assignment, $0.occasion) })
    return try all(of: patient, in: reader)
      .filter { $0.ended == nil }
      .compactMap { assignment in
        assignment.schedule.open(on: day).map {
          DueQuestionnaire(assignment: assignment, occasion: $0)
        }
      }
      .filter { !answers.contains(Key($0.assignment.id, $0.occasion.number)) }
      .sorted { ($0.occasion.lastDay, $0.assignment.id) < ($1.occasion.lastDay, $1.assignment.id) }
  }

  /// Returns the occasions that were answered, the latest first.
  ///
  /// The caller decides access.
  package static func answered(
    of patient: PatientID, in reader: any SQLReader
  ) throws -> [AnsweredQuestionnaire] {
    try QuestionnaireRows.answers(of: patient, in: reader)
  }

  // MARK: Parts

  private struct Key: Hashable {
    let assignment: QuestionnaireAssignmentID
    let occasion: Int

    init(_ assignment: QuestionnaireAssignmentID, _ occasion: Int) {
      self.assignment = assignment
      self.occasion = occasion
    }
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: QuestionnaireAssignmentID, of patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: resource, resourceID: id.text, purpose: context.purpose.rawValue))
  }
}

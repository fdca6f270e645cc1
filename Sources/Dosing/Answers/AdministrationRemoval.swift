// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage

/// Deletes records of doses.
///
/// The answer in a record is taken back first, as by *Undo* on a page.
package enum AdministrationRemoval {
  /// Takes the answer in a record back, if it is still in force, and deletes the record.
  ///
  /// The record first gets a version with the status `entered-in-error`, so that everyone to whom it was sent
  /// hears of it.
  ///
  /// - Parameter ifVersion: The version that the client saw; nil to skip the check.
  /// - Returns: The version of the deletion; nil if the record was deleted before.
  /// - Throws: `cancelled` if the dose can no longer be opened again.
  package static func delete(
    _ administration: AdministrationID, patient: PatientID, ifVersion: Int64?,
    context: CommandContext, in writer: any SQLWriter
  ) throws(AnswerError) -> Int64? {
    let deleting = try AnswerAccess.authorization(.delete, patient: patient, context: context)
    let reading = try AnswerAccess.authorization(.read, patient: patient, context: context)
    let (records, type) = (RecordStore(), AdministrationResource.type)
    do throws(RecordsError) {
      let version = try records.read(
        type, administration.text, authorization: reading, in: writer
      ).version
      if let ifVersion, ifVersion != version { throw .versionConflict(current: version) }
    } catch {
      guard error == .gone else { throw .records(error) }
      return nil
    }
    try takeBack(
      administration, patient: patient, by: deleting, context: context, in: writer)
    do throws(RecordsError) {
      return try records.delete(
        type, administration.text, ifVersion: nil, authorization: deleting, at: context.now,
        in: writer
      ).version
    } catch {
      throw .records(error)
    }
  }

  /// Takes back what a record counts for: the answer to a dose, or an entry without one.
  private static func takeBack(
    _ administration: AdministrationID, patient: PatientID, by right: Authorization,
    context: CommandContext, in writer: any SQLWriter
  ) throws(AnswerError) {
    let answers = try storing { () throws(StorageError) in
      try writer.query(answersStatement, [.text(patient), .text(administration)])
        .decode(as: RecordedDoseRow.self)
    }
    // Every record of a dose comes from an answer; another one counts for nothing.
    guard !answers.isEmpty else { return }
    guard let dose = answers.lazy.compactMap(\.dose).first else {
      return try IntakeCommands.takeBack(
        administration, patient: patient, context: context, in: writer)
    }
    let found = try storing { () throws(StorageError) in
      try AnswerableDose.read(dose, patient: patient, event: nil, in: writer)
    }
    // A later answer has a record of its own.
    guard let found, found.inForce?.administration == administration else { return }
    _ = try AnswerCommands.perform(
      CheckedAnswer(AnswerRequest(action: .undo), now: context.now), on: found, right,
      context: context, in: writer)
  }

  private static let answersStatement = SQLStatement(
    """
    SELECT \(RecordedDoseRow.columns) FROM answers WHERE patient = $1 AND administration = $2
    """)
}

/// An answer with its dose, if it is about one.
struct RecordedDoseRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence
  }

  static let columns = SQLColumns<Column>()

  let dose: DoseID?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    guard let plan: PlanID = try row.optionalID(.plan), let era = try row.optionalInteger(.era),
      let text = try row.optionalText(.occurrence), let occurrence = OccurrenceID(text: text)
    else {
      dose = nil
      return
    }
    dose = DoseID(plan: plan, era: era, occurrence: occurrence)
  }
}

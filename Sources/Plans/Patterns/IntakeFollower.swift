// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import People
import Scheduling
import Storage

extension LastIntake {
  /// Reads the last intake of a plan whose hours are counted from it; nil for all other plans.
  static func load(
    _ request: MedicationRequestView, plan: PlanID, patient: PatientID, era: Int64,
    in reader: any SQLReader
  ) throws(StorageError) -> LastIntake? {
    guard request.dosages.contains(where: { AfterIntake($0) != nil }) else { return nil }
    let intake = try reader.first(lastStatement, [.text(patient), .text(plan)])?
      .decode(as: LastIntakeRow.self)
    guard let intake else { return nil }
    var number: Int64 = -1
    if intake.era == era,
      case .running(let own)? = intake.occurrence.flatMap({ OccurrenceID(text: $0) })
    {
      number = own
    }
    // Doses due by then are facts and keep their numbers.
    let due = try reader.first(
      """
      SELECT occurrence FROM doses WHERE patient = $1 AND plan = $2 AND era = $3 AND due <= $4
      ORDER BY due DESC, occurrence DESC LIMIT 1
      """, [.text(patient), .text(plan), .integer(era), SQLValue(intake.recorded)]
    )?.value(as: String.self)
    if let due, case .running(let last)? = OccurrenceID(text: due) {
      number = max(number, last)
    }
    return LastIntake(
      taken: Instant(intake.taken), recorded: Instant(intake.recorded), number: number)
  }

  private static let lastStatement = SQLStatement(
    """
    SELECT \(LastIntakeRow.columns) FROM intakes WHERE patient = $1 AND plan = $2
    ORDER BY taken DESC, administration DESC LIMIT 1
    """)
}

/// The columns of `intakes` from which hours are counted.
struct LastIntakeRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case taken, recorded, era, occurrence
  }

  static let columns = SQLColumns<Column>()

  let taken: Timestamp
  let recorded: Timestamp
  let era: Int64?
  let occurrence: String?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    taken = try columns.timestamp(.taken)
    recorded = try columns.timestamp(.recorded)
    era = try columns.optionalInteger(.era)
    occurrence = try columns.optionalText(.occurrence)
  }
}

/// The rescheduling of future doses whose hours are counted from the last intake.
package enum IntakeFollower {
  /// Reschedules the doses after an intake was recorded, corrected or undone; other plans stay as
  /// they are.
  package static func renew(
    _ plan: PlanID?, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let plan else { return }
    let row = try writer.first(
      """
      SELECT 1 FROM plans
      WHERE patient = $1 AND plan = $2 AND kind = 'elapsed' AND status = 'active'
        AND unplanned_reason IS NULL
      """, [.text(patient), .text(plan)])
    guard row != nil else { return }
    do {
      guard let snapshot = try PlanSnapshot.load(plan, patient: patient, in: writer),
        snapshot.request.dosages.contains(where: { AfterIntake($0) != nil }),
        let person = try PeopleRows.load(patient, in: writer)
      else { return }
      try PlanCommands.change(context, writer)
        .follow(snapshot, person: person, reason: .edit)
    } catch let error as StorageError {
      throw error
    } catch PlanError.storage(let error) {
      throw error
    } catch {
      // A plan that can no longer be read gives no doses; the intake is recorded anyway.
      return
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// A row of `plan_slots`.
enum PlanSlotRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, slot, dosage, time, retired
  }

  static let columns = SQLColumns<Column>()
}

/// The times of day of a plan and the ids that were given to them.
enum PlanSlotRows {
  /// Returns the slots in use and the highest id ever given.
  static func load(_ plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> (slots: [PlanSlot], highest: Int)
  {
    let rows = try reader.query(oneStatement, [.text(patient), .text(plan)])
    var found: (slots: [PlanSlot], highest: Int) = ([], 0)
    for row in rows { try add(row.read(PlanSlotRow.self), to: &found) }
    return found
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(PlanSlotRow.columns) FROM plan_slots
    WHERE patient = $1 AND plan = $2 ORDER BY slot
    """)

  /// Returns the slots in use and the highest id ever given, for all plans of a patient.
  static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: (slots: [PlanSlot], highest: Int)] {
    let rows = try reader.query(allStatement, [.text(patient)])
    var found: [PlanID: (slots: [PlanSlot], highest: Int)] = [:]
    for row in rows {
      let row = row.read(PlanSlotRow.self)
      try add(row, to: &found[try row.id(.plan), default: ([], 0)])
    }
    return found
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(PlanSlotRow.columns) FROM plan_slots
    WHERE patient = $1 ORDER BY plan, slot
    """)

  private static func add(
    _ row: ColumnReader<PlanSlotRow.Column>, to found: inout (slots: [PlanSlot], highest: Int)
  ) throws(StorageError) {
    let id = Int(try row.integer(.slot))
    found.highest = max(found.highest, id)
    guard try row.optionalInteger(.retired) == nil else { return }
    guard let time = SlotTime(text: try row.text(.time)) else { throw row.unexpected(.time) }
    found.slots.append(PlanSlot(id: id, dosage: Int(try row.integer(.dosage)), time: time))
  }

  static func save(
    _ assignment: SlotAssignment.Result, plan: PlanID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    for slot in assignment.slots {
      let row = WrittenPlanSlotRow(patient: patient, plan: plan, slot: slot)
      try writer.execute(saveStatement, row.values)
    }
    for slot in assignment.retired {
      try writer.execute(
        "UPDATE plan_slots SET retired = $1 WHERE patient = $2 AND plan = $3 AND slot = $4",
        [SQLValue(now), .text(patient), .text(plan), SQLValue(slot)])
    }
  }

  private static let saveStatement = SQLStatement(
    """
    INSERT INTO plan_slots (\(WrittenPlanSlotRow.columns)) VALUES (\(WrittenPlanSlotRow.placeholders))
    ON CONFLICT (patient, plan, slot)
    DO UPDATE SET dosage = excluded.dosage, time = excluded.time
    """)
}

/// A row of `plan_slots` that is in use.
struct WrittenPlanSlotRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, slot, dosage, time
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let slot: PlanSlot

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .slot: SQLValue(slot.id)
    case .dosage: SQLValue(slot.dosage)
    case .time: .text(slot.time.text)
    }
  }
}

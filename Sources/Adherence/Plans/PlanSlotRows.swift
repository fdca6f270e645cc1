// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Storage
import Scheduling

/// The times of day of a plan and the ids that were given to them.
enum PlanSlotRows {
  /// The slots in use, and the highest id ever given.
  static func load(_ plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> (slots: [PlanSlot], highest: Int)
  {
    let rows = try reader.query(
      """
      SELECT slot, dosage, time, retired FROM plan_slots
      WHERE patient = $1 AND plan = $2 ORDER BY slot
      """, [.text(patient), .text(plan)])
    var found: (slots: [PlanSlot], highest: Int) = ([], 0)
    for row in rows { try add(row, to: &found) }
    return found
  }

  /// The same for all plans of a patient.
  static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: (slots: [PlanSlot], highest: Int)] {
    let rows = try reader.query(
      """
      SELECT slot, dosage, time, retired, plan FROM plan_slots
      WHERE patient = $1 ORDER BY plan, slot
      """, [.text(patient)])
    var found: [PlanID: (slots: [PlanSlot], highest: Int)] = [:]
    for row in rows { try add(row, to: &found[try row.id(4), default: ([], 0)]) }
    return found
  }

  private static func add(
    _ row: SQLRow, to found: inout (slots: [PlanSlot], highest: Int)
  ) throws(StorageError) {
    let id = Int(try row.integer(0))
    found.highest = max(found.highest, id)
    guard try row.optionalInteger(3) == nil else { return }
    guard let time = SlotTime(text: try row.text(2)) else {
      throw .unexpectedValue(column: 2, expected: .text)
    }
    found.slots.append(PlanSlot(id: id, dosage: Int(try row.integer(1)), time: time))
  }

  static func save(
    _ assignment: SlotAssignment.Result, plan: PlanID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    for slot in assignment.slots {
      try writer.execute(
        """
        INSERT INTO plan_slots (patient, plan, slot, dosage, time, retired)
        VALUES ($1, $2, $3, $4, $5, NULL)
        ON CONFLICT (patient, plan, slot)
        DO UPDATE SET dosage = excluded.dosage, time = excluded.time
        """,
        [
          .text(patient), .text(plan), SQLValue(slot.id), SQLValue(slot.dosage),
          .text(slot.time.text),
        ])
    }
    for slot in assignment.retired {
      try writer.execute(
        "UPDATE plan_slots SET retired = $1 WHERE patient = $2 AND plan = $3 AND slot = $4",
        [SQLValue(now), .text(patient), .text(plan), SQLValue(slot)])
    }
  }
}

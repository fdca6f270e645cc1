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
    var slots: [PlanSlot] = []
    var highest = 0
    for row in rows {
      let id = Int(try row.integer(0))
      highest = max(highest, id)
      guard try row.optionalInteger(3) == nil else { continue }
      guard let time = SlotTime(text: try row.text(2)) else {
        throw .unexpectedValue(column: 2, expected: .text)
      }
      slots.append(PlanSlot(id: id, dosage: Int(try row.integer(1)), time: time))
    }
    return (slots, highest)
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

// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Storage

/// The times of intakes and doses from which newly placed doses must keep the minimum gap.
struct MinimumGap: Sendable {
  let milliseconds: Int64
  /// The times at which doses were taken, are still open, or were answered early.
  private(set) var occupied: [Timestamp]

  /// Returns true if a dose at a time would be too close to another.
  func forbids(_ due: Timestamp) -> Bool {
    occupied.contains { abs(due.milliseconds - $0.milliseconds) < milliseconds }
  }

  /// Reads intakes, open doses that are due, and the answers of `rows` (not yet due).
  static func load(
    _ milliseconds: Int64?, plan: PlanID, patient: PatientID, now: Timestamp,
    rows: [DoseProjectionRow], in reader: any SQLReader
  ) throws(StorageError) -> MinimumGap {
    let milliseconds = milliseconds ?? 0
    guard milliseconds > 0 else { return MinimumGap(milliseconds: 0, occupied: []) }
    var occupied = try reader.query(
      "SELECT taken FROM intakes WHERE patient = $1 AND taken > $2 AND plan = $3",
      [.text(patient), SQLValue(now.adding(milliseconds: -milliseconds)), .text(plan)]
    ).values(as: Timestamp.self)
    // The late window never exceeds twelve hours.
    let waiting = try DoseStore.planned(
      plan, patient: patient, dueAfter: now.adding(milliseconds: -13 * 3_600_000), in: reader)
    for row in waiting where row.due <= now && row.state == .open && row.lateUntil > now {
      occupied.append(max(row.due, row.laterUntil ?? row.due))
    }
    for row in rows where !row.isProjection {
      occupied.append(max(row.due, row.laterUntil ?? row.due))
    }
    return MinimumGap(milliseconds: milliseconds, occupied: occupied)
  }
}

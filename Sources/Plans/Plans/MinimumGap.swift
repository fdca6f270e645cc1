// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Storage

/// The moments from which a plan's newly placed doses must keep the minimum gap.
struct MinimumGap: Sendable {
  let milliseconds: Int64
  /// When doses were taken, are still waiting, or were answered ahead of time.
  private(set) var occupied: [Timestamp]

  /// Returns true if a dose due then would come too close.
  func forbids(_ due: Timestamp) -> Bool {
    occupied.contains { abs(due.milliseconds - $0.milliseconds) < milliseconds }
  }

  /// Reads what was taken, what is due and open, and what `rows` (not yet due) have as answers.
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
    // The late window is never longer than twelve hours.
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

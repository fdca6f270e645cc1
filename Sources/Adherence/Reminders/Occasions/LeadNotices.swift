// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// Words ahead of doses, for the medicines of which a person wants them: made as occasions some time before,
/// and looked at again when their moment has come.
package enum LeadNotices {
  package static let longest = 1_440
  /// How far ahead they are made, in milliseconds.
  private static let reach: Int64 = 26 * 3_600_000
  /// One whose moment is further past than this is not made any more, in milliseconds.
  private static let patience: Int64 = 120_000

  /// Those that are to come and are not made yet.
  package static func missing(_ now: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [NewOccasion]
  {
    let rows = try reader.query(
      """
      SELECT d.patient, d.plan, d.era, d.occurrence, d.due, n.lead
      FROM plan_reminders n
      JOIN plans p ON p.patient = n.patient AND p.plan = n.plan
      JOIN doses d ON d.patient = n.patient AND d.plan = n.plan
      WHERE n.lead IS NOT NULL AND n.is_silent = 0 AND p.status = 'active'
        AND p.unplanned_reason IS NULL AND d.state = 'open' AND d.later_until IS NULL
        AND d.due > $1 AND d.due <= $2 AND d.due - n.lead * 60000 > $3
        AND NOT EXISTS (
          SELECT 1 FROM occasions o
          WHERE o.patient = d.patient AND o.ends = d.due AND o.kind = 'lead'
            AND o.source = d.plan || '_' || d.era || '_' || d.occurrence
            AND o.rings_from = d.due - n.lead * 60000)
      ORDER BY d.due LIMIT $4
      """,
      [
        SQLValue(now), SQLValue(now.adding(milliseconds: reach)),
        SQLValue(now.adding(milliseconds: -patience)), SQLValue(limit),
      ])
    var found: [NewOccasion] = []
    for row in rows {
      let key = DoseKey(
        patient: try row.text(0), plan: try row.text(1), era: try row.integer(2),
        occurrence: try row.text(3))
      let due = try row.timestamp(4)
      let lead = try row.integer(5)
      found.append(
        NewOccasion(
          patient: key.patient, id: "lead-\(key.text)-\(due.milliseconds)-\(lead)", kind: .lead,
          source: key.text, due: due, ringsFrom: due.adding(milliseconds: -lead * 60_000),
          ends: due))
    }
    return found
  }

  /// Whether what a notice is ahead of still stands as it stood: open, at that time, of a medicine that rings.
  static func stands(_ occasion: Occasion, in reader: any SQLReader) throws(StorageError) -> Bool {
    // Alarms call theirs off themselves.
    guard let dose = DoseID(text: occasion.source) else { return true }
    let row = try reader.first(
      """
      SELECT d.due, n.lead FROM doses d
      JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
      JOIN plan_reminders n ON n.patient = d.patient AND n.plan = d.plan
      WHERE d.patient = $1 AND d.plan = $2 AND d.era = $3 AND d.occurrence = $4
        AND d.state = 'open' AND d.later_until IS NULL AND p.status = 'active'
        AND n.is_silent = 0 AND n.lead IS NOT NULL
      """,
      [
        .text(occasion.patient), .text(dose.plan), .integer(dose.era),
        .text(dose.occurrence.text),
      ])
    guard let row else { return false }
    let moment = try row.timestamp(0).adding(milliseconds: -(try row.integer(1)) * 60_000)
    return try row.timestamp(0) == occasion.due && moment == occasion.ringsFrom
  }
}

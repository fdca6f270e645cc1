// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The rows of measured days.
enum VitalRows {
  static func load(_ key: VitalDayKey, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> VitalDay?
  {
    guard
      let row = try reader.first(
        """
        SELECT value, minimum, count, stamp, at, zone_offset, samples, revisions, withdrawn
        FROM vital_days
        WHERE patient = $1 AND metric = $2 AND day = $3 AND source = $4 /*postgresql FOR UPDATE */
        """,
        [.text(patient), .text(key.metric.rawValue), .text(key.day), .text(key.source)])
    else { return nil }
    return VitalDay(
      value: try row.optionalInteger(0), minimum: try row.optionalInteger(1),
      count: Int(try row.integer(2)), stamp: try row.integer(3), at: try row.integer(4),
      zoneOffset: Int(try row.integer(5)),
      samples: try row.optionalBlob(6).map { DaySamples(packed: $0) ?? DaySamples() },
      revisions: try row.optionalBlob(7).flatMap { [VitalRevision](packed: $0) },
      withdrawn: try row.optionalBlob(8).flatMap { WithdrawnSamples(packed: $0) }
        ?? WithdrawnSamples())
  }

  static func store(
    _ day: VitalDay, _ key: VitalDayKey, patient: PatientID, observation: () -> String, isNew: Bool,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let place: [SQLValue] = [
      .text(patient), .text(key.metric.rawValue), .text(key.day), .text(key.source),
    ]
    let figures: [SQLValue] = [
      SQLValue(day.value), SQLValue(day.minimum), SQLValue(day.count), .integer(day.stamp),
      .integer(day.at), SQLValue(day.zoneOffset), SQLValue(now), SQLValue(day.samples?.packed),
      // Where there was the one value alone, the row says it.
      SQLValue(day.samples == nil && day.revisions.count != 1 ? day.revisions.packed : nil),
      SQLValue(day.withdrawn.isEmpty ? nil : day.withdrawn.packed),
    ]
    if isNew {
      try writer.execute(
        """
        INSERT INTO vital_days (patient, metric, day, source, value, minimum, count, stamp, at,
          zone_offset, changed, samples, revisions, withdrawn, observation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """, place + figures + [.text(observation())])
    } else {
      try writer.execute(
        """
        UPDATE vital_days SET value = $1, minimum = $2, count = $3, stamp = $4, at = $5,
          zone_offset = $6, changed = $7, samples = $8, revisions = $9, withdrawn = $10
        WHERE patient = $11 AND metric = $12 AND day = $13 AND source = $14
        """, figures + place)
    }
  }
}

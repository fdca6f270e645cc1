// SPDX-License-Identifier: Apache-2.0

import Storage

/// The rows of measured days.
enum VitalRows {
  static func load(_ key: VitalDayKey, patient: String, in reader: any SQLReader)
    throws(StorageError) -> VitalDay?
  {
    guard
      let row = try reader.first(
        """
        SELECT value, minimum, count, stamp, at, zone_offset, samples FROM vital_days
        WHERE patient = $1 AND metric = $2 AND day = $3 AND source = $4 /*postgresql FOR UPDATE */
        """,
        [.text(patient), .text(key.metric.rawValue), .text(key.day), .text(key.source)])
    else { return nil }
    return VitalDay(
      value: try row.optionalInteger(0), minimum: try row.optionalInteger(1),
      count: Int(try row.integer(2)), stamp: try row.integer(3), at: try row.integer(4),
      zoneOffset: Int(try row.integer(5)),
      samples: try row.optionalBlob(6).map { DaySamples(packed: $0) ?? DaySamples() })
  }

  static func store(
    _ day: VitalDay, _ key: VitalDayKey, patient: String, observation: () -> String, isNew: Bool,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let place: [SQLValue] = [
      .text(patient), .text(key.metric.rawValue), .text(key.day), .text(key.source),
    ]
    let figures: [SQLValue] = [
      SQLValue(day.value), SQLValue(day.minimum), SQLValue(day.count), .integer(day.stamp),
      .integer(day.at), SQLValue(day.zoneOffset), SQLValue(now), SQLValue(day.samples?.packed),
    ]
    if isNew {
      try writer.execute(
        """
        INSERT INTO vital_days (patient, metric, day, source, value, minimum, count, stamp, at,
          zone_offset, changed, samples, observation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """, place + figures + [.text(observation())])
    } else {
      try writer.execute(
        """
        UPDATE vital_days SET value = $1, minimum = $2, count = $3, stamp = $4, at = $5,
          zone_offset = $6, changed = $7, samples = $8
        WHERE patient = $9 AND metric = $10 AND day = $11 AND source = $12
        """, figures + place)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Storage
import TimeZones

/// The time zones that people, plans and alarms go by.
package enum ZonesInUse {
  /// The names, in their order; fixed distances from UTC need no file.
  package static func names(in reader: any SQLReader) throws(StorageError) -> [String] {
    let rows = try reader.query(
      """
      SELECT zone FROM people
      UNION
      SELECT e.zone FROM plan_eras e
      JOIN plans p ON p.patient = e.patient AND p.plan = e.plan
      WHERE p.status = 'active' AND p.unplanned_reason IS NULL
      ORDER BY 1
      """)
    var names: [String] = []
    for row in rows {
      let name = try row.text(0)
      if !FixedOffset.isFixed(name) { names.append(name) }
    }
    return names
  }

  /// Loads every zone in use, so that it keeps its rules for as long as the program runs.
  ///
  /// Returns those that cannot be loaded: without them times would be wrong.
  package static func load(_ zones: ZoneCatalog, in reader: any SQLReader) throws(StorageError)
    -> [String]
  {
    try names(in: reader).filter { (try? zones.zone($0)) == nil }
  }

  /// The zones in use whose files are missing or damaged on the disk now.
  package static func missing(_ zones: ZoneCatalog, in reader: any SQLReader) throws(StorageError)
    -> [String]
  {
    try names(in: reader).filter { (try? zones.check($0)) == nil }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage
import TimeZones

/// The time zones of all people, whose alarms follow them, and of active plans.
package enum ZonesInUse {
  /// Returns the names in order; fixed offsets from UTC need no file.
  ///
  /// Includes the earlier zones of a plan: the first one dates its anchor, and a plan at a fixed offset goes back to
  /// its last place.
  package static func names(in reader: any SQLReader) throws(StorageError) -> [String] {
    let names = try reader.query(
      """
      SELECT zone FROM people
      UNION
      SELECT e.zone FROM plan_eras e
      JOIN plans p ON p.patient = e.patient AND p.plan = e.plan
      WHERE p.status = 'active' AND p.unplanned_reason IS NULL
      ORDER BY 1
      """
    ).values(as: String.self)
    return names.filter { !FixedOffset.isFixed($0) }
  }

  /// Loads every zone in use, so that its rules stay available as long as the program runs.
  ///
  /// Returns the zones that cannot be loaded; without them, times would be wrong.
  package static func load(_ zones: ZoneCatalog, in reader: any SQLReader) throws(StorageError)
    -> [String]
  {
    try names(in: reader).filter { (try? zones.zone($0)) == nil }
  }

  /// Returns the zones in use whose files are now missing or damaged on disk.
  package static func missing(_ zones: ZoneCatalog, in reader: any SQLReader) throws(StorageError)
    -> [String]
  {
    try names(in: reader).filter { (try? zones.check($0)) == nil }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Storage

/// The server's country, which decides the emergency number on cards and children's pages.
package enum ServerRegion {
  private static let name = "region"

  /// Returns the selected country, or nil if no one has selected one yet.
  package static func read(in reader: any SQLReader) throws(StorageError) -> EmergencyRegion? {
    let code: String? = try reader.first(
      "SELECT value FROM server_choices WHERE name = $1", [.text(name)])?.value()
    return code.flatMap(EmergencyRegion.init(rawValue:))
  }

  /// Stores the country.
  package static func choose(
    _ region: EmergencyRegion, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO server_choices (name, value) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, [.text(name), .text(region.rawValue)])
  }
}

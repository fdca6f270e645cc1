// SPDX-License-Identifier: Apache-2.0

/// The list of contents of a backup; sealed like the rest.
package struct BackupManifest: Codable, Sendable, Equatable {
  /// A step of the schema that had been applied.
  struct Step: Codable, Sendable, Equatable {
    let name: String
    let checksum: String
  }

  /// The version of the program that made it.
  package let application: String
  /// The time of the backup, in milliseconds since 1970 UTC.
  package let made: Int64
  /// The engine that it was read from.
  package let engine: String
  let steps: [Step]
  /// The number of rows by table.
  package let rows: [String: Int64]

  /// The last step of the schema.
  package var schema: String { steps.last?.name ?? "none" }
  /// The number of rows over all tables.
  package var rowCount: Int64 { rows.values.reduce(0, +) }
}

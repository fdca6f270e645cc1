// SPDX-License-Identifier: Apache-2.0
import Storage

extension RecordIndex {
  /// Removes one row of a resource.
  static func delete(
    _ row: [SQLValue], from table: RecordIndexTable, of resource: IndexedResource,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      deletion(from: table, isShared: resource.patient == nil), resource.values + row)
  }

  private static func deletion(from table: RecordIndexTable, isShared: Bool) -> StaticString {
    switch (table, isShared) {
    case (.tokens, false):
      """
      DELETE FROM record_tokens WHERE patient = $1 AND type = $2 AND id = $3 AND parameter = $4
        AND code = $5 AND system = $6
      """
    case (.strings, false):
      """
      DELETE FROM record_strings WHERE patient = $1 AND type = $2 AND id = $3 AND parameter = $4
        AND folded = $5 AND exact = $6 AND place = $7
      """
    case (.dates, false):
      """
      DELETE FROM record_dates WHERE patient = $1 AND type = $2 AND id = $3 AND parameter = $4
        AND lower = $5 AND upper = $6
      """
    case (.quantities, false):
      """
      DELETE FROM record_quantities WHERE patient = $1 AND type = $2 AND id = $3 AND parameter = $4
        AND lower = $5 AND upper = $6 AND system = $7 AND code = $8 AND unit = $9
      """
    case (.references, false):
      """
      DELETE FROM record_references WHERE patient = $1 AND type = $2 AND id = $3 AND parameter = $4
        AND target_id = $5 AND target_type = $6
      """
    case (.tokens, true):
      """
      DELETE FROM shared_tokens WHERE type = $1 AND id = $2 AND parameter = $3 AND code = $4
        AND system = $5
      """
    case (.strings, true):
      """
      DELETE FROM shared_strings WHERE type = $1 AND id = $2 AND parameter = $3 AND folded = $4
        AND exact = $5 AND place = $6
      """
    case (.dates, true):
      """
      DELETE FROM shared_dates WHERE type = $1 AND id = $2 AND parameter = $3 AND lower = $4
        AND upper = $5
      """
    case (.quantities, true):
      """
      DELETE FROM shared_quantities WHERE type = $1 AND id = $2 AND parameter = $3 AND lower = $4
        AND upper = $5 AND system = $6 AND code = $7 AND unit = $8
      """
    case (.references, true):
      """
      DELETE FROM shared_references WHERE type = $1 AND id = $2 AND parameter = $3
        AND target_id = $4 AND target_type = $5
      """
    }
  }

  /// Removes all rows, before they are built again.
  static func clear(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM record_tokens", [])
    try writer.execute("DELETE FROM record_strings", [])
    try writer.execute("DELETE FROM record_dates", [])
    try writer.execute("DELETE FROM record_quantities", [])
    try writer.execute("DELETE FROM record_references", [])
    try writer.execute("DELETE FROM shared_tokens", [])
    try writer.execute("DELETE FROM shared_strings", [])
    try writer.execute("DELETE FROM shared_dates", [])
    try writer.execute("DELETE FROM shared_quantities", [])
    try writer.execute("DELETE FROM shared_references", [])
  }
}

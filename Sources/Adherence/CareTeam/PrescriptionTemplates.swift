// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A prescription that a practitioner begins from; nothing of it is a patient's.
package struct PrescriptionTemplate: Sendable, Hashable {
  package let id: String
  package let name: String
  /// The form as it was sent.
  package let fields: String

  package init(id: String, name: String, fields: String) {
    self.id = id
    self.name = name
    self.fields = fields
  }
}

/// The templates of an account, which are nobody else's.
package enum PrescriptionTemplates {
  package static let most = 100
  package static let longestName = 80

  /// By name.
  package static func all(of account: AccountID, in reader: any SQLReader) throws(StorageError)
    -> [PrescriptionTemplate]
  {
    try reader.query(
      """
      SELECT template, name, fields FROM prescription_templates WHERE account = $1
      ORDER BY name, template
      """, [.text(account)]
    ).map { row throws(StorageError) in
      PrescriptionTemplate(
        id: try row.text(0), name: try row.text(1), fields: try row.text(2))
    }
  }

  package static func one(_ id: String, of account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> PrescriptionTemplate?
  {
    try all(of: account, in: reader).first { $0.id == id }
  }

  /// Keeps one; of the same name it takes the place of the earlier.
  package static func save(
    _ template: PrescriptionTemplate, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let name = DraftText.trimmed(template.name)
    guard (1...longestName).contains(name.count) else { throw CareTeamError.templateName }
    try writer.execute(
      "DELETE FROM prescription_templates WHERE account = $1 AND name = $2",
      [.text(account), .text(name)])
    guard try all(of: account, in: writer).count < most else {
      throw CareTeamError.tooManyTemplates
    }
    try writer.execute(
      """
      INSERT INTO prescription_templates (account, template, name, fields, changed)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(account), .text(template.id), .text(name), .text(template.fields), SQLValue(now),
      ])
  }

  package static func remove(_ id: String, of account: AccountID, in writer: any SQLWriter) throws {
    let count = try writer.execute(
      "DELETE FROM prescription_templates WHERE account = $1 AND template = $2",
      [.text(account), .text(id)])
    guard count == 1 else { throw CareTeamError.notFound }
  }
}

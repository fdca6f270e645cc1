// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Storage

/// A prescription from which a practitioner starts; it contains no data of a patient.
package struct PrescriptionTemplate: Sendable, Hashable {
  /// The identifier of the template.
  package let id: String
  /// The name, of 1 to 80 characters, unique in the account.
  package let name: String
  /// The fields of the form, URL-encoded.
  package let fields: String

  /// Creates a template.
  package init(id: String, name: String, fields: String) {
    self.id = id
    self.name = name
    self.fields = fields
  }
}

/// The templates of one account, which no other account can use.
package enum PrescriptionTemplates {
  /// The maximum number of templates of an account.
  package static let most = 100
  /// The maximum length of a name, in characters.
  package static let longestName = 80

  /// Returns the templates of an account, by name.
  package static func all(of account: AccountID, in reader: any SQLReader) throws(StorageError)
    -> [PrescriptionTemplate]
  {
    try reader.query(allStatement, [.text(account)]).decode(as: PrescriptionTemplateRow.self)
      .map(\.template)
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(PrescriptionTemplateRow.columns) FROM prescription_templates WHERE account = $1
    ORDER BY name, template
    """)

  /// Returns a template of an account; nil if there is none.
  package static func one(_ id: String, of account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> PrescriptionTemplate?
  {
    try all(of: account, in: reader).first { $0.id == id }
  }

  /// Saves a template; it replaces one with the same name.
  ///
  /// - Throws: `templateName` for an empty or too long name, `tooManyTemplates` at ``most``.
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
    let row = NewPrescriptionTemplateRow(
      account: account, template: template.id, name: name, fields: template.fields, changed: now)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO prescription_templates (\(NewPrescriptionTemplateRow.columns))
    VALUES (\(NewPrescriptionTemplateRow.placeholders))
    """)

  /// Deletes a template.
  ///
  /// - Throws: `notFound` if the account has none with this identifier.
  package static func remove(_ id: String, of account: AccountID, in writer: any SQLWriter) throws {
    let count = try writer.execute(
      "DELETE FROM prescription_templates WHERE account = $1 AND template = $2",
      [.text(account), .text(id)])
    guard count == 1 else { throw CareTeamError.notFound }
  }
}

/// A row of `prescription_templates` as it is read.
struct PrescriptionTemplateRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case template, name, fields }

  static let columns = SQLColumns<Column>()

  let template: PrescriptionTemplate

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    template = PrescriptionTemplate(
      id: try row.text(.template), name: try row.text(.name), fields: try row.text(.fields))
  }
}

/// A row of `prescription_templates` as it is written.
struct NewPrescriptionTemplateRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case account, template, name, fields, changed }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let template: String
  let name: String
  let fields: String
  let changed: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .account: .text(account)
    case .template: .text(template)
    case .name: .text(name)
    case .fields: .text(fields)
    case .changed: SQLValue(changed)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
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
    try reader.query(allStatement, [.text(account)]).decode(as: PrescriptionTemplateRow.self)
      .map(\.template)
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(PrescriptionTemplateRow.columns) FROM prescription_templates WHERE account = $1
    ORDER BY name, template
    """)

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
    let row = NewPrescriptionTemplateRow(
      account: account, template: template.id, name: name, fields: template.fields, changed: now)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO prescription_templates (\(NewPrescriptionTemplateRow.columns))
    VALUES (\(NewPrescriptionTemplateRow.placeholders))
    """)

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

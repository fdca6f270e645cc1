// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// The imports of tables of medicines, each of which can be undone.
package enum TableImports {
  /// The system of the keys under which the entries of a table are known.
  package static let keySystem = "urn:regimen:table"

  /// An import of a table.
  package struct Made: Sendable, Hashable {
    /// The identifier of the import.
    package let id: String
    /// The name of the file, of at most 120 characters.
    package let fileName: String
    /// The time of the import.
    package let made: Timestamp
    /// The display name of the account that imported it.
    package let byName: String
    /// The number of plans and administrations that came with it.
    package let count: Int
    /// The time at which it was undone; nil if it was not.
    package let takenBack: Timestamp?
  }

  /// Returns the imports of a patient, the newest first.
  package static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Made] {
    let rows: [TableImportRow] = try reader.query(allStatement, [.text(patient)]).decode()
    return rows.map { row in
      Made(
        id: row.id, fileName: row.fileName, made: row.made, byName: row.byName,
        count: row.keys.count, takenBack: row.takenBack)
    }
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(TableImportRow.columns) FROM table_imports
    WHERE patient = $1 ORDER BY made DESC, import
    """)

  /// Returns the number of imports that were undone; it is part of new keys, so that the same table can be
  /// imported again.
  package static func generation(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Int {
    let count: Int? = try reader.first(
      """
      SELECT COUNT(*) FROM table_imports WHERE patient = $1 AND taken_back IS NOT NULL
      """, [.text(patient)])?.value()
    return count ?? 0
  }

  /// Returns true if a file was made from a table.
  package static func isTable(_ file: ImportFile) -> Bool { !keys(of: file).isEmpty }

  private static func keys(of file: ImportFile) -> [String] {
    (file.prescriptions.map(\.keys.first)
      + file.prescriptions.flatMap(\.administrations).map(\.keys.first)
      + file.administrations.map(\.keys.first)).filter { $0.hasPrefix("\(keySystem)|") }
  }

  /// Records the entries of a table that are new here, before they are imported, so that even an
  /// interrupted import can be undone.
  ///
  /// Files that are not tables are not recorded.
  package static func note(
    _ file: ImportFile, name: String, patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let keys = keys(of: file)
    if keys.isEmpty { return }
    let right = try PlanCommands.authorize(.create, patient: patient, context)
    var new: [String] = []
    for key in keys {
      if try !isKnown(key, patient: patient, in: writer) { new.append(key) }
    }
    if new.isEmpty { return }
    let row = NewTableImportRow(
      patient: patient, id: context.newIdentifier(), fileName: String(name.prefix(120)),
      made: context.now, account: right.actor.accountID, byName: context.byName, keys: new)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO table_imports (\(NewTableImportRow.columns))
    VALUES (\(NewTableImportRow.placeholders))
    """)

  private static func isKnown(
    _ key: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM plan_sources WHERE patient = $1 AND source_key = $2
      UNION ALL
      SELECT 1 FROM imported_administrations WHERE patient = $1 AND source_key = $2
      """, [.text(patient), .text(key)]) != nil
  }

  /// Undoes the import of a table: stops its medicines and withdraws its administrations.
  ///
  /// Entries that were stopped or changed since stay as they are. The work is done in short transactions;
  /// when it is interrupted, calling it again continues.
  ///
  /// - Parameter reason: The reason for the stop, in the person's language.
  /// - Throws: `PlanError.notFound` if there is no such import.
  package static func takeBack(
    _ id: String, patient: PatientID, reason: String, in database: Database,
    context: @escaping @Sendable () -> CommandContext
  ) async throws {
    let stored = try await database.read { reader in
      let row: TableImportRow? = try reader.first(
        oneStatement, [.text(patient), .text(id)])?.decode()
      guard let row else { throw PlanError.notFound }
      return row
    }
    if stored.takenBack != nil { return }
    var rest = stored.keys[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieceLength))
      rest = rest.dropFirst(pieceLength)
      try await database.write { writer in
        for key in piece {
          try withdraw(key, patient: patient, reason: reason, context(), in: writer)
        }
      }
    }
    try await database.write { writer in
      let context = context()
      let right = try PlanCommands.authorize(.update, patient: patient, context)
      try writer.execute(
        """
        UPDATE table_imports SET taken_back = $1, taken_back_account = $2
        WHERE patient = $3 AND import = $4 AND taken_back IS NULL
        """,
        [
          SQLValue(context.now), .text(right.actor.accountID), .text(patient), .text(id),
        ])
    }
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(TableImportRow.columns) FROM table_imports WHERE patient = $1 AND import = $2")

  private static let pieceLength = 100

  private static func withdraw(
    _ key: String, patient: PatientID, reason: String, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try PlanCommands.authorize(.update, patient: patient, context)
    let administration: AdministrationID? = try writer.first(
      """
      SELECT administration FROM imported_administrations
      WHERE patient = $1 AND source_key = $2
      """, [.text(patient), .text(key)])?.value()
    if let administration {
      return try withdraw(administration, patient: patient, context, in: writer)
    }
    guard let plan = try PlanSources.plan([key], patient: patient, in: writer) else { return }
    do {
      _ = try PlanCommands.stop(plan, reason: reason, context: context, in: writer)
    } catch PlanError.alreadyStopped {
      // Someone already stopped it.
    }
  }

  /// Withdraws an administration: as the answer to its dose, or as a separate record.
  private static func withdraw(
    _ administration: AdministrationID, patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let row = try writer.first(answerStatement, [.text(patient), .text(administration)])?
      .read(ImportedAnswerRow.self)
    guard let row else {
      return try IntakeCommands.takeBack(
        administration, patient: patient, context: context, in: writer)
    }
    guard let plan: PlanID = try row.optionalID(.plan), let era = try row.optionalInteger(.era),
      let occurrence = try row.optionalText(.occurrence).flatMap({ OccurrenceID(text: $0) })
    else { return }
    let dose = DoseID(plan: plan, era: era, occurrence: occurrence)
    // Only while the table's answer is still in force.
    let inForce = try writer.first(
      """
      SELECT 1 FROM doses d JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
      WHERE d.patient = $1 AND d.plan = $2 AND d.era = $3 AND d.occurrence = $4
        AND a.administration = $5
      """,
      [
        .text(patient), .text(plan), .integer(era), .text(occurrence.text), .text(administration),
      ])
    guard inForce != nil else { return }
    _ = try AnswerCommands.perform(
      dose, patient: patient, AnswerRequest(action: .undo), context: context, in: writer)
  }

  private static let answerStatement = SQLStatement(
    """
    SELECT \(ImportedAnswerRow.columns) FROM answers
    WHERE patient = $1 AND administration = $2 AND occurrence IS NOT NULL
    """)
}

/// The columns of `table_imports` that are read.
struct TableImportRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case `import`, fileName, made, byName, keys, takenBack
  }

  static let columns = SQLColumns<Column>()

  let id: String
  let fileName: String
  let made: Timestamp
  let byName: String
  let keys: [String]
  let takenBack: Timestamp?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    id = try row.text(.import)
    fileName = try row.text(.fileName)
    made = try row.timestamp(.made)
    byName = try row.text(.byName)
    keys = try row.text(.keys).split(separator: "\n").map(String.init)
    takenBack = try row.optionalTimestamp(.takenBack)
  }
}

/// A new row of `table_imports`.
struct NewTableImportRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, `import`, fileName, made, account, byName, keys
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let id: String
  let fileName: String
  let made: Timestamp
  let account: AccountID
  let byName: String
  let keys: [String]

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .import: .text(id)
    case .fileName: .text(fileName)
    case .made: SQLValue(made)
    case .account: .text(account)
    case .byName: .text(byName)
    case .keys: .text(keys.joined(separator: "\n"))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// Acknowledgements of warnings ("My doctor knows about this"); the warnings stay visible.
package enum InteractionNotes {
  /// An acknowledgement of a warning.
  package struct Note: Sendable, Hashable {
    /// The identifier of the acknowledgement.
    package let id: String
    /// The time of the acknowledgement.
    package let said: Timestamp
    /// The display name of the account that acknowledged it.
    package let byName: String
  }

  /// The maximum length of a warning's key, in characters.
  static let longestKey = 1_000

  /// Returns the acknowledgements in force, by the keys of the warnings.
  package static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String: Note] {
    var notes: [String: Note] = [:]
    for row in try reader.query(allStatement, [.text(patient)]) {
      let row = row.read(InteractionNoteRow.self)
      notes[try row.text(.warning)] = Note(
        id: try row.text(.note), said: try row.timestamp(.said), byName: try row.text(.byName))
    }
    return notes
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(InteractionNoteRow.columns) FROM interaction_notes
    WHERE patient = $1 AND taken_back IS NULL ORDER BY said, note
    """)

  /// Records that a warning is acknowledged; an earlier acknowledgement stays as it is.
  ///
  /// - Parameter warning: The key of the warning, of at most 1,000 characters.
  package static func say(
    _ warning: String, patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let right = try PlanCommands.authorize(.update, patient: patient, context)
    guard warning.count <= longestKey else { throw PlanError.notFound }
    if try all(patient: patient, in: writer)[warning] != nil { return }
    let id = context.newIdentifier()
    let row = NewInteractionNoteRow(
      patient: patient, note: id, warning: warning, said: context.now,
      account: right.actor.accountID, byName: context.byName)
    try writer.execute(insertStatement, row.values)
    writer.audit(.detectedIssue(.create, id, right, at: context.now))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO interaction_notes (\(NewInteractionNoteRow.columns))
    VALUES (\(NewInteractionNoteRow.placeholders))
    """)

  /// Withdraws an acknowledgement; it stays on record, and nothing happens if there is none.
  package static func takeBack(
    _ warning: String, patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let right = try PlanCommands.authorize(.update, patient: patient, context)
    guard let note = try all(patient: patient, in: writer)[warning] else { return }
    try writer.execute(
      """
      UPDATE interaction_notes SET taken_back = $1, taken_back_account = $2, taken_back_by = $3
      WHERE patient = $4 AND warning = $5 AND taken_back IS NULL
      """,
      [
        SQLValue(context.now), .text(right.actor.accountID), .text(context.byName),
        .text(patient), .text(warning),
      ])
    writer.audit(.detectedIssue(.update, note.id, right, at: context.now))
  }
}

/// The columns of a note in force, with its warning.
enum InteractionNoteRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case warning, note, said, byName
  }

  static let columns = SQLColumns<Column>()
}

/// The conditions recorded for a person, by their identifiers in the interaction list.
package enum StatedConditions {
  /// Returns the identifiers of the recorded conditions; the caller has checked the access.
  package static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Set<String> {
    let conditions = try reader.query(
      "SELECT condition FROM stated_conditions WHERE patient = $1", [.text(patient)]
    ).values(as: String.self)
    return Set(conditions)
  }

  /// Records the chosen conditions and removes the others.
  ///
  /// Conditions that the current list does not know stay, since no one could deselect them.
  ///
  /// - Parameter known: The conditions of the current list.
  package static func set(
    _ chosen: Set<String>, known: Set<String>, patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    guard
      case .allow(let right) = decide(
        actor: context.actor, action: .update, patient: patient, resource: "Condition",
        purpose: context.purpose)
    else { throw PlanError.notFound }
    let before = try all(patient: patient, in: writer)
    let after = chosen.intersection(known)
    // Conditions from an older list stay, because no one could deselect them.
    for condition in before.intersection(known).subtracting(after).sorted() {
      try writer.execute(
        "DELETE FROM stated_conditions WHERE patient = $1 AND condition = $2",
        [.text(patient), .text(condition)])
    }
    for condition in after.subtracting(before).sorted() {
      let row = StatedConditionRow(
        patient: patient, condition: condition, since: context.now,
        account: right.actor.accountID, byName: context.byName)
      try writer.execute(insertStatement, row.values)
    }
    guard before.intersection(known) != after else { return }
    writer.audit(
      AuditEntry(
        at: context.now, actor: right.actor.accountID, kind: .update, patient: patient,
        resource: "Condition", resourceID: nil, purpose: right.purpose.rawValue))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO stated_conditions (\(StatedConditionRow.columns))
    VALUES (\(StatedConditionRow.placeholders))
    """)
}

/// A new row of `interaction_notes`.
struct NewInteractionNoteRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, note, warning, said, account, byName
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let note: String
  let warning: String
  let said: Timestamp
  let account: AccountID
  let byName: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .note: .text(note)
    case .warning: .text(warning)
    case .said: SQLValue(said)
    case .account: .text(account)
    case .byName: .text(byName)
    }
  }
}

/// A row of `stated_conditions`.
struct StatedConditionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, condition, since, account, byName
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let condition: String
  let since: Timestamp
  let account: AccountID
  let byName: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .condition: .text(condition)
    case .since: SQLValue(since)
    case .account: .text(account)
    case .byName: .text(byName)
    }
  }
}

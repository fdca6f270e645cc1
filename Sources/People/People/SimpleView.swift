// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The simple view, in which a person's first page asks one question at a time.
///
/// The person or a guardian turns it on; the caller has decided that the account may.
package enum SimpleView {
  /// Returns true if the person's first page is the simple one.
  package static func isChosen(by patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try reader.first(
      "SELECT account FROM simple_views WHERE patient = $1", [.text(patient)]) != nil
  }

  /// Turns the simple view on or off, with an audit entry.
  package static func choose(
    _ isChosen: Bool, for patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    if isChosen {
      try writer.execute(
        insertStatement, SimpleViewRow(patient: patient, account: account, since: now).values)
    } else {
      try writer.execute("DELETE FROM simple_views WHERE patient = $1", [.text(patient)])
    }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "Patient",
        resourceID: patient.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO simple_views (\(SimpleViewRow.columns)) VALUES (\(SimpleViewRow.placeholders))
    ON CONFLICT (patient) DO NOTHING
    """)
}

/// A row of `simple_views`.
struct SimpleViewRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, account, since
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let account: AccountID
  let since: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .account: .text(account)
    case .since: SQLValue(since)
    }
  }
}

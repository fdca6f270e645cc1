// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A row of `action_links`, written when a delivery is claimed.
struct NewActionLinkRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, linkHash, delivery, recipient, action, doses, expires
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let linkHash: [UInt8]
  let delivery: DeliveryID
  let recipient: AccountID
  let action: String
  let doses: String
  let expires: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .linkHash: .blob(linkHash)
    case .delivery: .text(delivery)
    case .recipient: .text(recipient)
    case .action: .text(action)
    case .doses: .text(doses)
    case .expires: SQLValue(expires)
    }
  }
}

/// A link with its delivery, its reminder and the languages and names that its page needs.
enum FoundLinkRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, recipient, action, doses, used, delivery, subject, outcome, reminderOutcome
    case accountLanguage, zone, patientLanguage, displayName, label, nickname, colour
    case patientCount, due, kind
  }

  /// The columns; `$1` is the time at which grants must be valid for the count of patients.
  static let columns = SQLColumns<Column>(
    of: "l",
    [
      .subject: "d.subject", .outcome: "d.outcome", .reminderOutcome: "r.outcome",
      .accountLanguage: "a.language", .zone: "u.zone", .patientLanguage: "u.language",
      .displayName: "u.display_name", .label: "u.label", .nickname: "u.nickname",
      .colour: "u.colour",
      .patientCount: """
      (SELECT COUNT(DISTINCT g.patient) FROM grants g
        WHERE g.account = l.recipient AND g.relationship IN ('self', 'guardian')
          AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
      """,
      .due: "d.due", .kind: "r.kind",
    ])

  /// The tables that the columns come from.
  static let tables: SQLText = """
    action_links l
    JOIN deliveries d ON d.patient = l.patient AND d.delivery = l.delivery
    JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
    JOIN accounts a ON a.account = l.recipient
    LEFT JOIN people u ON u.patient = l.patient
    """
}

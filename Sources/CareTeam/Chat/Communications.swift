// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// A FHIR Communication of a patient: a message of a conversation, or one sent by another system.
package enum FoundCommunication: Sendable {
  /// A message of a conversation.
  case message(ChatMessage)
  /// A resource from another system: its identifier, its JSON as it was sent, and the time when it
  /// was stored.
  case sent(id: String, body: String, created: Timestamp)

  /// The identifier of the resource.
  package var id: String {
    switch self {
    case .message(let message): message.id.text
    case .sent(let id, _, _): id
    }
  }
}

/// A search for Communications of one patient.
package struct CommunicationQuery: Sendable {
  /// The patient whose Communications are searched.
  package let patient: PatientID
  /// The member whose conversation is searched, without resources of other systems; nil for all of
  /// the patient's.
  package var member: AccountID?
  /// The identifier of the only resource that matches; nil for all.
  package var id: String?
  /// The earliest time of sending, in milliseconds since 1970.
  package var from: Int64 = .min
  /// The end of the times of sending, in milliseconds since 1970; that time itself is excluded.
  package var until: Int64 = .max
  /// The beginning of a time in which none of them was sent, in milliseconds since 1970.
  package var isNotFrom: Int64 = 0
  /// The end of that time, in milliseconds since 1970; the same as its beginning for no such time.
  package var isNotUntil: Int64 = 0
  /// The codes of `status` that match; nil for all.
  package var states: Set<String>?
  /// The most resources to return.
  package var limit = 50
  /// The number of found resources to skip.
  package var offset = 0

  /// Creates a search that matches everything of a patient, or of one member's conversation.
  package init(patient: PatientID, member: AccountID?) {
    self.patient = patient
    self.member = member
  }
}

/// The Communications of patients: those from other systems, and the messages of conversations.
package struct Communications: Sendable {
  private let accounts: AccountStore
  private var rows: ChatRows { ChatRows(cipher: accounts.cipher) }

  /// Creates them with the accounts whose key encrypts them.
  package init(accounts: AccountStore) {
    self.accounts = accounts
  }

  private static func context(_ id: String) -> String { "communications:\(id):body" }

  /// Stores a resource that another system sent, whole and encrypted.
  ///
  /// - Parameters:
  ///   - body: The JSON of the resource.
  ///   - sent: The time of sending that the resource states.
  package func keep(
    _ body: String, id: String, status: String, sent: Timestamp, _ authorization: Authorization,
    at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let row = NewCommunicationRow(
      patient: authorization.patient, communication: id, status: status, sent: sent,
      created: now, sentBy: authorization.actor.accountID,
      bodySealed: try accounts.cipher.seal(body, context: Self.context(id)))
    try writer.execute(Self.insertStatement, row.values)
    writer.audit(
      AuditEntry(
        at: now, actor: authorization.actor.accountID, kind: .create,
        patient: authorization.patient, resource: "Communication", resourceID: id,
        purpose: authorization.purpose.rawValue))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO communications (\(NewCommunicationRow.columns))
    VALUES (\(NewCommunicationRow.placeholders))
    """)

  /// Returns the patient of a Communication or message; nil if there is none with that identifier.
  package func patient(of id: String, in reader: any SQLReader) throws -> PatientID? {
    try reader.first(
      """
      SELECT patient FROM chat_messages WHERE message = $1
      UNION ALL SELECT patient FROM communications WHERE communication = $1
      """, [.text(id)])?.value()
  }

  /// Returns the resources that a search finds, the latest first, and the number of all that match.
  package func search(
    _ query: CommunicationQuery, in reader: any SQLReader
  ) throws -> (found: [FoundCommunication], total: Int) {
    let arguments = arguments(query)
    let total: Int? = try reader.first(
      """
      SELECT COUNT(*) FROM (
        SELECT message FROM chat_messages
        WHERE patient = $1 AND ($2 = '' OR conversation = $2) AND ($3 = '' OR message = $3)
          AND sent >= $4 AND sent < $5 AND NOT (sent >= $6 AND sent < $7)
          AND ($8 = '' OR CASE WHEN withdrawn IS NULL THEN $8 LIKE '% completed %'
          ELSE $8 LIKE '% entered-in-error %' END)
        UNION ALL SELECT communication FROM communications
        WHERE patient = $1 AND $2 = '' AND ($3 = '' OR communication = $3)
          AND sent >= $4 AND sent < $5 AND NOT (sent >= $6 AND sent < $7)
          AND ($8 = '' OR $8 LIKE '% ' || status || ' %')
      ) AS all_of_them
      """, arguments)?.value()
    let rows = try reader.query(
      Self.searchStatement, arguments + [SQLValue(query.limit), SQLValue(query.offset)])
    let ids = try rows.map { row in
      let row = row.read(FoundMessageRow.self)
      return (id: try row.text(.message), isMessage: try row.integer(.isMessage) == 1)
    }
    let messages =
      try rows.isEmpty
      ? [:] : self.rows.messages(ids.filter(\.isMessage).map { MessageID($0.id) }, in: reader)
    let sent = try sent(ids.filter { !$0.isMessage }.map(\.id), in: reader)
    return (
      ids.compactMap { entry in
        entry.isMessage
          ? messages[MessageID(entry.id)].map(FoundCommunication.message) : sent[entry.id]
      },
      total ?? 0
    )
  }

  private static let searchStatement = SQLStatement(
    """
    SELECT \(FoundMessageRow.columns) FROM chat_messages
    WHERE patient = $1 AND ($2 = '' OR conversation = $2) AND ($3 = '' OR message = $3)
      AND sent >= $4 AND sent < $5 AND NOT (sent >= $6 AND sent < $7)
      AND ($8 = '' OR CASE WHEN withdrawn IS NULL THEN $8 LIKE '% completed %'
        ELSE $8 LIKE '% entered-in-error %' END)
    UNION ALL SELECT \(ForeignMessageRow.columns) FROM communications
    WHERE patient = $1 AND $2 = '' AND ($3 = '' OR communication = $3)
      AND sent >= $4 AND sent < $5 AND NOT (sent >= $6 AND sent < $7)
        AND ($8 = '' OR $8 LIKE '% ' || status || ' %')
    ORDER BY 2 DESC, 1 LIMIT $9 OFFSET $10
    """)

  private func arguments(_ query: CommunicationQuery) -> [SQLValue] {
    let conversation = query.member.map {
      Conversation.id(patient: query.patient, member: $0)
    }
    let states = query.states.map { " \($0.sorted().joined(separator: " ")) " } ?? ""
    return [
      .text(query.patient), .text(conversation?.text ?? ""), .text(query.id ?? ""),
      .integer(query.from), .integer(query.until), .integer(query.isNotFrom),
      .integer(query.isNotUntil), .text(states),
    ]
  }

  private func sent(
    _ ids: [String], in reader: any SQLReader
  ) throws -> [String: FoundCommunication] {
    guard !ids.isEmpty else { return [:] }
    var found: [String: FoundCommunication] = [:]
    for row in try reader.query(
      "SELECT \(CommunicationRow.columns) FROM communications WHERE communication IN (", [],
      in: ids.map { .text($0) })
    {
      let row = try row.decode(as: CommunicationRow.self)
      found[row.communication] = .sent(
        id: row.communication, body: try open(row), created: row.created)
    }
    return found
  }

  /// Returns the resources that other systems sent, in the order of their identifiers, for a copy
  /// of everything.
  ///
  /// - Parameter id: The identifier after which to continue; empty for the beginning.
  package func all(
    of patient: PatientID, after id: String, limit: Int, in reader: any SQLReader
  ) throws -> [(id: String, body: String)] {
    try reader.query(Self.allStatement, [.text(patient), .text(id), SQLValue(limit)])
      .decode(as: CommunicationRow.self).map { ($0.communication, try open($0)) }
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(CommunicationRow.columns) FROM communications
    WHERE patient = $1 AND communication > $2 ORDER BY communication LIMIT $3
    """)

  private func open(_ row: CommunicationRow) throws -> String {
    try accounts.cipher.open(row.bodySealed, context: Self.context(row.communication))
  }
}

/// A message among the found Communications, by its position in their order.
enum FoundMessageRow: SQLRowType {
  enum Column: Int, SQLColumn { case message, sent, isMessage }

  static let columns = SQLColumns<Column>([.isMessage: "1"])
}

/// A Communication from elsewhere, with the columns of a ``FoundMessageRow``.
enum ForeignMessageRow: SQLRowType {
  typealias Column = FoundMessageRow.Column

  static let columns = SQLColumns<Column>([.message: "communication", .isMessage: "0"])
}

/// A row of `communications` as it is read.
struct CommunicationRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case communication, bodySealed, created }

  static let columns = SQLColumns<Column>()

  let communication: String
  let bodySealed: [UInt8]
  let created: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    communication = try row.text(.communication)
    bodySealed = try row.blob(.bodySealed)
    created = try row.timestamp(.created)
  }
}

/// A row of `communications` as it is written.
struct NewCommunicationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, communication, status, sent, created, sentBy, bodySealed
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let communication: String
  let status: String
  let sent: Timestamp
  let created: Timestamp
  let sentBy: AccountID
  let bodySealed: [UInt8]

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .communication: .text(communication)
    case .status: .text(status)
    case .sent: SQLValue(sent)
    case .created: SQLValue(created)
    case .sentBy: .text(sentBy)
    case .bodySealed: .blob(bodySealed)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// A reader of conversations, limited to those that its actor may know of.
package struct ChatReader: Sendable {
  /// The account that reads.
  package let actor: Actor
  /// The accounts, whose grants decide what may be read and whose key decrypts the messages.
  package let accounts: AccountStore
  /// The time at which grants are checked.
  package let now: Timestamp

  /// Creates a reader for one account.
  package init(actor: Actor, accounts: AccountStore, now: Timestamp) {
    self.actor = actor
    self.accounts = accounts
    self.now = now
  }

  var rows: ChatRows { ChatRows(cipher: accounts.cipher) }
}

/// A person with whom messages are shared now.
struct ChatPartner: Sendable, Hashable {
  let account: AccountID
  let name: String
  let relationship: Relationship

  /// Returns the people of a patient's grants, one for each account; those who act for the patient are on the
  /// patient's own side.
  static func all(_ grants: [Grant]) -> [ChatPartner] {
    let acting = Set(grants.filter { $0.right.relationship.actsForPatient }.map(\.account))
    var found: [ChatPartner] = []
    for grant in grants where !acting.contains(grant.account) && grant.right.shares(.messages) {
      let partner = ChatPartner(
        account: grant.account, name: grant.displayName, relationship: grant.right.relationship)
      if let index = found.firstIndex(where: { $0.account == grant.account }) {
        // A doctor in the family counts as a doctor.
        if grant.right.relationship == .practitioner { found[index] = partner }
      } else {
        found.append(partner)
      }
    }
    return found
  }
}

/// Finds conversations.
///
/// A conversation that the reader may not know of is treated as missing.
extension ChatReader {
  /// Returns a conversation by its identifier, even before its first message; nil if the actor may
  /// not know of it.
  package func conversation(_ id: ConversationID, in reader: any SQLReader) throws -> Conversation?
  {
    let row = try reader.first(Self.conversationStatement, [.text(id)])?
      .read(ConversationRow.self)
    if let row { return try conversation(row, in: reader) }
    for (patient, right) in actor.rights.sorted(by: { $0.key < $1.key }) {
      if right.relationship.actsForPatient {
        let found = try begun(of: patient, in: reader).first { $0.id == id }
        if let found { return found }
      } else if Conversation.id(patient: patient, member: actor.accountID) == id {
        return try own(with: patient, in: reader)
      }
    }
    return nil
  }

  private static let conversationStatement = SQLStatement(
    "SELECT \(ConversationRow.columns) FROM chat_conversations WHERE conversation = $1")

  /// Returns a conversation for each person with whom a patient's messages are shared, as if none
  /// had begun.
  ///
  /// The result is empty unless the actor acts for the patient.
  package func begun(of patient: PatientID, in reader: any SQLReader) throws -> [Conversation] {
    guard let standing = ChatStanding.of(actor, patient: patient), standing.side == .patient else {
      return []
    }
    let grants = try accounts.grants(of: patient, at: now, in: reader)
    return ChatPartner.all(grants).map { partner in
      Conversation(
        id: Conversation.id(patient: patient, member: partner.account), patient: patient,
        member: partner.account, memberName: partner.name, relationship: partner.relationship,
        isOpen: true, standing: standing, lastNumber: 0)
    }
  }

  /// Returns the actor's own conversation about a patient whose messages are shared with it, as if
  /// it had not begun.
  ///
  /// The result is nil if the messages are not shared with the actor, or if it acts for the patient
  /// itself.
  package func own(with patient: PatientID, in reader: any SQLReader) throws -> Conversation? {
    guard case .member? = ChatStanding.of(actor, patient: patient) else { return nil }
    let id = Conversation.id(patient: patient, member: actor.accountID)
    let grants = try accounts.grants(of: patient, at: now, in: reader)
    guard let partner = ChatPartner.all(grants).first(where: { $0.account == actor.accountID })
    else { return nil }
    return Conversation(
      id: id, patient: patient, member: partner.account, memberName: partner.name,
      relationship: partner.relationship, isOpen: true, standing: .member(partner.relationship),
      lastNumber: 0)
  }

  private func conversation(
    _ row: ColumnReader<ConversationRow.Column>, in reader: any SQLReader
  ) throws -> Conversation? {
    let patient: PatientID = try row.id(.patient)
    let member: AccountID = try row.id(.member)
    guard let standing = ChatStanding.of(actor, patient: patient) else { return nil }
    if case .member = standing, member != actor.accountID { return nil }
    let grants = try accounts.grants(of: patient, at: now, in: reader)
    let partner = ChatPartner.all(grants).first { $0.account == member }
    // A session may be a second older than the grant that it depends on.
    if case .member = standing, partner == nil { return nil }
    return Conversation(
      id: try row.id(.conversation), patient: patient, member: member,
      memberName: try partner?.name ?? row.text(.memberName),
      relationship: try partner?.relationship ?? row.named(.relationship),
      isOpen: partner != nil, standing: standing, lastNumber: try row.integer(.lastNumber))
  }

  // MARK: Lists

  /// The maximum number of started conversations in a list.
  package static let most = 200

  /// Returns conversations, the latest first, followed by those that have not begun.
  ///
  /// - Parameter patient: The patient of whom the conversations are; nil for all patients the
  ///   account acts for, and for all conversations in which it is the other side.
  package func conversations(
    of patient: PatientID? = nil, in reader: any SQLReader
  ) throws -> [ListedConversation] {
    var found: [Conversation] = []
    for row in try begunRows(of: patient, in: reader) {
      if let conversation = try conversation(row, in: reader) { found.append(conversation) }
    }
    let known = Set(found.map(\.id))
    let asked = patient.map { [$0] } ?? actor.rights.keys.sorted()
    for patient in asked {
      switch ChatStanding.of(actor, patient: patient) {
      case .acting: found += try begun(of: patient, in: reader).filter { !known.contains($0.id) }
      case .member where asked.count <= Self.mostPatients:
        if let own = try own(with: patient, in: reader), !known.contains(own.id) {
          found.append(own)
        }
      default: break
      }
    }
    return try listed(found, in: reader)
  }

  /// The maximum number of patients without messages in a list; larger practices find the others on their own
  /// pages.
  private static let mostPatients = 50

  private func begunRows(
    of patient: PatientID?, in reader: any SQLReader
  ) throws -> [ColumnReader<ConversationRow.Column>] {
    let patients =
      patient.map { [$0] }
      ?? actor.rights.filter { $0.value.relationship.actsForPatient }.keys.sorted()
    let ours =
      patients.isEmpty
      ? []
      : try reader.query(
        "SELECT \(ConversationRow.columns) FROM chat_conversations WHERE patient IN (", [],
        in: patients.map { .text($0) })
    let theirs =
      patient != nil
      ? []
      : try reader.query(
        Self.ofMemberStatement, [.text(actor.accountID), SQLValue(Self.most)])
    var known: Set<ConversationID> = []
    var all: [(row: ColumnReader<ConversationRow.Column>, lastAt: Int64)] = []
    for row in ours + theirs {
      let row = row.read(ConversationRow.self)
      if known.insert(try row.id(.conversation)).inserted {
        all.append((row, try row.integer(.lastAt)))
      }
    }
    return all.sorted { $0.lastAt > $1.lastAt }.prefix(Self.most).map(\.row)
  }

  private static let ofMemberStatement = SQLStatement(
    """
    SELECT \(ConversationRow.columns) FROM chat_conversations
    WHERE member = $1 ORDER BY last_at DESC LIMIT $2
    """)

  private func listed(
    _ conversations: [Conversation], in reader: any SQLReader
  ) throws -> [ListedConversation] {
    var unread: [ConversationID: Int] = [:]
    for row in try reader.query(Self.unreadStatement, [.text(actor.accountID)]) {
      let row = try row.decode(as: UnreadConversationRow.self)
      unread[row.conversation] = row.unread
    }
    return try conversations.map { conversation in
      let last =
        conversation.lastNumber == 0
        ? nil
        : try rows.messages(
          conversation.id, patient: conversation.patient, before: .max, limit: 1, in: reader
        ).last
      return ListedConversation(
        conversation: conversation, unread: unread[conversation.id] ?? 0, last: last)
    }
  }

  private static let unreadStatement = SQLStatement(
    """
    SELECT \(UnreadConversationRow.columns) FROM chat_members
    WHERE account = $1 AND unread > 0
    """)

  /// Returns the sum of an account's unread messages, by patient, without patients whose messages
  /// it may not see.
  package static func unread(of actor: Actor, among counts: [PatientID: Int]) -> Int {
    counts.reduce(0) { sum, one in
      ChatStanding.of(actor, patient: one.key) == nil ? sum : sum + one.value
    }
  }
}

extension ChatReader {
  /// Returns the conversation that a notification to this account was about; nil once it was read.
  package func conversation(
    ofNotice subject: ReminderID, in reader: any SQLReader
  ) throws -> Conversation? {
    let id: ConversationID? = try reader.first(
      "SELECT conversation FROM chat_members WHERE notice = $1 AND account = $2",
      [.text(subject), .text(actor.accountID)])?.value()
    return try id.flatMap { try conversation($0, in: reader) }
  }
}

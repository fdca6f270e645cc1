// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Storage

/// An emergency card that a helper can open, with everything needed to print it again.
package struct EmergencyCard: Sendable, Hashable {
  /// The identifier of the card.
  package let id: String
  /// The time when it was made.
  package let created: Timestamp
  /// The time from which it no longer opens.
  package let expires: Timestamp
  /// The secret in its link.
  package let secret: String
  /// The code that opens it together with the link.
  package let code: EmergencyCode
  /// True if the code is printed next to the link.
  package let showsCode: Bool
  /// The number of wrong codes entered.
  package var refused = 0
  /// The time of the last wrong code; nil if there was none.
  package var refusedLast: Timestamp?
}

/// The short code of a card, which is read from the paper or told by the person.
package struct EmergencyCode: Sendable, Hashable {
  /// The six upper-case letters and digits, without those that look alike.
  package let text: String

  /// Creates a random code.
  package init(random: RandomBytes) {
    text = String(random(Self.length).map { Self.alphabet[Int($0) % Self.alphabet.count] })
  }

  /// Creates a code from what was typed, in any case and with spaces or dashes; nil if it cannot be a code.
  package init?(typed: String) {
    guard typed.utf8.count <= 32 else { return nil }
    let letters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    text = letters
  }

  private static let length = 6
  // Excludes letters and digits that look alike.
  private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
}

/// The reason why a card was not made or ended.
package enum EmergencyCardError: Error, Sendable, Hashable {
  /// The patient has no such card.
  case notFound
  /// The patient already has the maximum number of open cards.
  case tooMany(maximum: Int)
}

/// Commands and queries on emergency cards; the caller has decided that the account may act for the
/// patient.
package enum EmergencyCards {
  /// The resource in the audit trail.
  package static let resource = "EmergencyCard"
  /// The prefix of the secret in a card's link.
  package static let prefix = "rgc_"
  /// The maximum number of open cards of a patient.
  package static let most = 3
  /// The account in the audit trail for an opening, which stands for anyone with the card and its
  /// code.
  package static let reader = AccountID.emergencyCard
  /// The numbers of days for which a card may be made.
  package static let days = [7, 30, 365]

  /// Creates a card that expires after some days.
  ///
  /// - Throws: ``EmergencyCardError/tooMany(maximum:)`` if the patient has ``most`` open cards.
  package static func make(
    _ secret: Secret, _ code: EmergencyCode, showsCode: Bool, days: Int, of patient: PatientID,
    _ context: CommandContext, cipher: FieldCipher, in writer: any SQLWriter
  ) throws {
    guard try count(of: patient, at: context.now, in: writer) < most else {
      throw EmergencyCardError.tooMany(maximum: most)
    }
    let id = context.newIdentifier()
    let row = NewEmergencyCardRow(
      patient: patient, card: id, secretHash: secret.digest,
      secretSealed: try cipher.seal(secret.text, context: "emergency_cards:\(id):secret"),
      codeSealed: try cipher.seal(code.text, context: "emergency_cards:\(id):code"),
      showsCode: showsCode, account: context.actor.accountID, created: context.now,
      expires: context.now.adding(milliseconds: Int64(days) * 86_400_000))
    try writer.execute(insertStatement, row.values)
    audit(.create, id, patient, context, in: writer)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO emergency_cards (\(NewEmergencyCardRow.columns))
    VALUES (\(NewEmergencyCardRow.placeholders))
    """)

  /// Ends a card at once.
  ///
  /// - Throws: ``EmergencyCardError/notFound`` if the patient has no such card.
  package static func end(
    _ id: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let count = try writer.execute(
      "DELETE FROM emergency_cards WHERE patient = $1 AND card = $2", [.text(patient), .text(id)])
    guard count == 1 else { throw EmergencyCardError.notFound }
    audit(.delete, id, patient, context, in: writer)
  }

  /// Returns the number of cards that have not expired.
  package static func count(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Int {
    let open: Int? = try reader.first(
      "SELECT COUNT(*) FROM emergency_cards WHERE patient = $1 AND expires > $2",
      [.text(patient), SQLValue(now)])?.value()
    return open ?? 0
  }

  /// Returns the cards that have not expired, the oldest first.
  package static func all(
    of patient: PatientID, at now: Timestamp, cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> [EmergencyCard] {
    var found: [EmergencyCard] = []
    for row in try reader.query(openStatement, [.text(patient), SQLValue(now)]) {
      let row = row.read(EmergencyCardRow.self)
      let id = try row.text(.card)
      let code = try cipher.open(
        try row.blob(.codeSealed), context: "emergency_cards:\(id):code")
      guard let code = EmergencyCode(typed: code) else { continue }
      found.append(
        EmergencyCard(
          id: id, created: try row.timestamp(.created), expires: try row.timestamp(.expires),
          secret: try cipher.open(
            try row.blob(.secretSealed), context: "emergency_cards:\(id):secret"),
          code: code, showsCode: try row.bool(.showsCode), refused: Int(try row.integer(.refused)),
          refusedLast: try row.optionalTimestamp(.refusedLast)))
    }
    return found
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(EmergencyCardRow.columns) FROM emergency_cards
    WHERE patient = $1 AND expires > $2 ORDER BY created, card
    """)

  /// Returns the card of a link: its identifier, its patient, and the account that made it.
  ///
  /// The result is nil if there is no such card, if it has expired, or if the account no longer
  /// acts for the patient.
  package static func named(by secret: Secret, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> (id: String, patient: PatientID, account: AccountID)?
  {
    guard secret.text.hasPrefix(prefix),
      let row = try reader.first(namedStatement, [.blob(secret.digest), SQLValue(now)])?
        .read(NamedCardRow.self)
    else { return nil }
    return (try row.text(.card), try row.id(.patient), try row.id(.account))
  }

  private static let namedStatement = SQLStatement(
    """
    SELECT \(NamedCardRow.columns) FROM emergency_cards e
    WHERE e.secret_hash = $1 AND e.expires > $2 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = e.patient AND g.account = e.account
        AND g.relationship IN ('self', 'guardian') AND g.starts <= $2
        AND g.starts <= e.created
        AND (g.ends IS NULL OR g.ends > $2))
    """)

  /// Returns true if a code opens a card that has not expired.
  package static func opens(
    _ id: String, of patient: PatientID, with code: EmergencyCode, at now: Timestamp,
    cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try all(of: patient, at: now, cipher: cipher, in: reader)
      .contains { $0.id == id && $0.code == code }
  }

  /// Counts a wrong code, which the person can see; the first one in each minute is also audited.
  package static func noteRefusal(
    of id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let last = try writer.first(
      "SELECT refused_last FROM emergency_cards WHERE patient = $1 AND card = $2",
      [.text(patient), .text(id)])?.value(as: Timestamp?.self)
    try writer.execute(
      """
      UPDATE emergency_cards SET refused = refused + 1, refused_last = $1
      WHERE patient = $2 AND card = $3
      """, [SQLValue(now), .text(patient), .text(id)])
    if let last, now.milliseconds - last.milliseconds < 60_000 { return }
    writer.audit(
      AuditEntry(
        at: now, actor: reader, kind: .read, patient: patient, resource: resource,
        resourceID: id, version: nil, purpose: Purpose.emergency.rawValue, outcome: .denied))
  }

  /// Records an opening, for the person to read and in the audit trail.
  package static func note(
    opening: String, of id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "INSERT INTO emergency_card_openings (patient, opening, card, at) VALUES ($1, $2, $3, $4)",
      [.text(patient), .text(opening), .text(id), SQLValue(now)])
    writer.audit(
      AuditEntry(
        at: now, actor: reader, kind: .read, patient: patient, resource: resource,
        resourceID: id, version: nil, purpose: Purpose.emergency.rawValue, outcome: .success))
  }

  /// Returns the times at which a patient's cards were opened, the latest first.
  package static func openings(of patient: PatientID, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [Timestamp]
  {
    try reader.query(
      """
      SELECT at FROM emergency_card_openings WHERE patient = $1 ORDER BY at DESC, opening LIMIT $2
      """, [.text(patient), SQLValue(limit)]
    ).values()
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: String, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: resource, resourceID: id, version: nil, purpose: context.purpose.rawValue,
        outcome: .success))
  }
}

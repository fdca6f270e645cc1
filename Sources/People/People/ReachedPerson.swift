// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// A person whose data an account may see, with the status shown on every page.
package struct ReachedPerson: Sendable {
  /// The person with name, label and photo.
  package let person: NamedPerson
  /// True if someone recently opened the data in an emergency.
  package let wasOpened: Bool
  /// True if someone recently entered wrong codes for the emergency card.
  package let isCardGuessed: Bool
  /// The number of messages that the account has not read.
  package let unread: Int

  /// The number of wrong codes for an emergency card that triggers a warning on every page.
  private static let guessesTold = 5
  /// The duration of that warning after the last wrong code, in milliseconds.
  private static let guessesToldFor: Int64 = 7 * 86_400_000

  /// Returns the rights that an account was granted and the people it can access by them, in no particular
  /// order, in one statement.
  ///
  /// An unknown patient is left out of the people.
  package static func granted(
    to account: AccountID, openedSince: Timestamp, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (rights: [PatientID: PatientRight], people: [ReachedPerson]) {
    let rows = try reader.query(
      grantedStatement,
      [
        SQLValue(openedSince), SQLValue(guessesTold),
        SQLValue(now.adding(milliseconds: -guessesToldFor)), SQLValue(now),
        .text(account),
      ])
    var rights: [PatientID: PatientRight] = [:]
    var people: [PatientID: ReachedPerson] = [:]
    for row in rows {
      try AccountStore.add(row, to: &rights)
      let row = row.read(ReachedPersonRow.self)
      let patient: PatientID = try row.id(.patient)
      guard let name = try row.optionalText(.displayName) else { continue }
      people[patient] = ReachedPerson(
        person: NamedPerson(
          patient: patient, name: name,
          label: try PersonLabel(row, kind: .label, nickname: .nickname, colour: .colour),
          photo: try row.optionalText(.photo)),
        wasOpened: try row.bool(.wasOpened), isCardGuessed: try row.bool(.isCardGuessed),
        unread: Int(clamping: try row.integer(.unread)))
    }
    return (rights, Array(people.values))
  }

  // The columns of ReachedPersonRow, written out in order because the last ones have parameters.
  private static let grantedStatement = SQLStatement(
    """
    SELECT g.patient, g.relationship, g.categories,
      p.display_name, p.label, p.nickname, p.colour, f.photo,
      EXISTS (SELECT 1 FROM emergencies e WHERE e.patient = g.patient AND e.started >= $1),
      EXISTS (SELECT 1 FROM emergency_cards c WHERE c.patient = g.patient AND c.refused >= $2
        AND c.refused_last >= $3 AND c.expires > $4),
      (SELECT CAST(COALESCE(SUM(m.unread), 0) AS BIGINT) FROM chat_members m
        WHERE m.account = $5 AND m.patient = g.patient AND m.unread > 0)
    FROM grants g
    LEFT JOIN people p ON p.patient = g.patient
    LEFT JOIN person_photos f ON f.patient = g.patient
    WHERE g.account = $5 AND g.starts <= $4 AND (g.ends IS NULL OR g.ends > $4)
    """)

  /// Creates a person whose data an account opened in an emergency, without further status.
  package init(opened person: NamedPerson) {
    self.init(person: person, wasOpened: false, isCardGuessed: false, unread: 0)
  }

  init(person: NamedPerson, wasOpened: Bool, isCardGuessed: Bool, unread: Int) {
    self.person = person
    self.wasOpened = wasOpened
    self.isCardGuessed = isCardGuessed
    self.unread = unread
  }
}

/// The columns of a ``ReachedPerson``, after those of the grant.
enum ReachedPersonRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, relationship, categories, displayName, label, nickname, colour, photo
    case wasOpened, isCardGuessed, unread
  }

  static let columns = SQLColumns<Column>()
}

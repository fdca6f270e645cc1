// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The profile of a confirmed practitioner, for people who look for one.
package struct PractitionerProfile: Sendable, Hashable {
  /// The practitioner's account.
  package let account: AccountID
  /// The display name of the account.
  package let displayName: String
  /// True if everyone who is signed in finds it in the directory.
  package var isListed: Bool
  /// The specialty, as the practitioner wrote it.
  package var specialty: String
  /// The place of work, as the practitioner wrote it.
  package var place: String
  /// The phone number, as the practitioner wrote it.
  package var phone: String
  /// The opening hours, which may have several lines.
  package var hours: String
  /// The names of topics of illness, in the order in which they were chosen.
  package var illnesses: [String]
  /// The code in the profile's link, listed or not.
  package let code: String

  /// The maximum length of a line, in characters.
  package static let longest = 120
  /// The maximum length of the opening hours, in characters.
  package static let longestHours = 400

  /// Creates a profile, by default empty and not listed.
  package init(
    account: AccountID, displayName: String, isListed: Bool = false, specialty: String = "",
    place: String = "", phone: String = "", hours: String = "", illnesses: [String] = [],
    code: String
  ) {
    self.account = account
    self.displayName = displayName
    self.isListed = isListed
    self.specialty = specialty
    self.place = place
    self.phone = phone
    self.hours = hours
    self.illnesses = illnesses
    self.code = code
  }

  /// Returns true if the profile matches a search: it has the illness, if one is given, and
  /// contains each word.
  package func matches(_ words: String, illness: String?) -> Bool {
    if let illness, !illnesses.contains(illness) { return false }
    let text = "\(displayName) \(specialty) \(place)".lowercased()
    return words.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy(text.contains)
  }
}

/// The directory of practitioners; the caller has decided that access is allowed.
extension AccountStore {
  /// Returns the profile of an account; nil if it has none or is not a confirmed practitioner.
  package func profile(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> PractitionerProfile? {
    try reader.first(Self.profileStatement, [.text(account)])?.decode()
  }

  private static let profileStatement = SQLStatement(
    """
    SELECT \(PractitionerProfile.columns)
    FROM practitioner_profiles f JOIN practitioners p ON p.account = f.account
    JOIN accounts a ON a.account = f.account WHERE f.account = $1
    """)

  /// Returns the profile with a code; nil if there is none.
  package func profile(
    code: InvitationCode, in reader: any SQLReader
  ) throws(StorageError) -> PractitionerProfile? {
    try reader.first(Self.profileByCodeStatement, [.text(code.text)])?.decode()
  }

  private static let profileByCodeStatement = SQLStatement(
    """
    SELECT \(PractitionerProfile.columns)
    FROM practitioner_profiles f JOIN practitioners p ON p.account = f.account
    JOIN accounts a ON a.account = f.account WHERE f.code = $1
    """)

  /// Returns the profiles of practitioners who chose to be listed, by name.
  package func directory(in reader: any SQLReader) throws(StorageError) -> [PractitionerProfile] {
    try reader.query(Self.directoryStatement, []).decode()
  }

  private static let directoryStatement = SQLStatement(
    """
    SELECT \(PractitionerProfile.columns)
    FROM practitioner_profiles f JOIN practitioners p ON p.account = f.account
    JOIN accounts a ON a.account = f.account
    WHERE f.is_listed = 1 ORDER BY a.display_name, f.account
    """)

  /// Saves a profile; an earlier code stays valid.
  ///
  /// Throws ``GrantError/notAllowed`` if the account is not a confirmed practitioner.
  package func save(
    _ profile: PractitionerProfile, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try isPractitioner(profile.account, in: writer) else { throw GrantError.notAllowed }
    try writer.execute(
      """
      INSERT INTO practitioner_profiles (account, is_listed, specialty, place, phone, hours,
        illnesses, code, changed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (account) DO UPDATE SET is_listed = excluded.is_listed,
        specialty = excluded.specialty, place = excluded.place, phone = excluded.phone,
        hours = excluded.hours, illnesses = excluded.illnesses, changed = excluded.changed
      """,
      [
        .text(profile.account), SQLValue(profile.isListed), .text(profile.specialty),
        .text(profile.place), .text(profile.phone), .text(profile.hours),
        .text(profile.illnesses.joined(separator: "\n")), .text(profile.code), SQLValue(now),
      ])
    writer.audit(
      AuditEntry(
        at: now, actor: profile.account, kind: .update, patient: nil, resource: "Practitioner",
        resourceID: profile.account.text, purpose: "care"))
  }
}

extension PractitionerProfile: SQLReadableRow {
  /// The columns of the profile, with the name of its account.
  package enum Column: Int, SQLColumn {
    case account, displayName, isListed, specialty, place, phone, hours, illnesses, code
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(of: "f", [.displayName: "a.display_name"])

  /// Creates a profile from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      account: try columns.id(.account), displayName: try columns.text(.displayName),
      isListed: try columns.bool(.isListed), specialty: try columns.text(.specialty),
      place: try columns.text(.place), phone: try columns.text(.phone),
      hours: try columns.text(.hours),
      illnesses: try columns.text(.illnesses).split(separator: "\n").map(String.init),
      code: try columns.text(.code))
  }
}

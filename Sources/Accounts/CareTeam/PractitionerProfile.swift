// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// What a confirmed practitioner tells of itself to those who look for one.
package struct PractitionerProfile: Sendable, Hashable {
  package let account: AccountID
  package let displayName: String
  /// Whether everybody who is signed in finds it in the directory.
  package var isListed: Bool
  package var specialty: String
  package var place: String
  package var phone: String
  package var hours: String
  /// Names of topics, in the order in which they were chosen.
  package var illnesses: [String]
  /// Leads to the profile, listed or not.
  package let code: String

  /// The longest line, in characters.
  package static let longest = 120
  /// The longest hours, which may have several lines.
  package static let longestHours = 400

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

  /// Whether it is of what somebody looks for: each word stands somewhere in it.
  package func matches(_ words: String, illness: String?) -> Bool {
    if let illness, !illnesses.contains(illness) { return false }
    let text = "\(displayName) \(specialty) \(place)".lowercased()
    return words.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy(text.contains)
  }
}

/// The directory; the caller has decided that it may be asked.
extension AccountStore {
  /// The profile of an account; nil where it has none, or is no confirmed practitioner's.
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

  /// The profile that a code leads to.
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

  /// Those who chose to be listed, by name.
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

  /// Keeps a profile; a code that was given before stays good.
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
  package enum Column: Int, SQLColumn {
    case account, displayName, isListed, specialty, place, phone, hours, illnesses, code
  }

  package static let columns = SQLColumns<Column>(of: "f", [.displayName: "a.display_name"])

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

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
    let row = try reader.first(
      """
      SELECT f.account, a.display_name, f.is_listed, f.specialty, f.place, f.phone, f.hours,
        f.illnesses, f.code
      FROM practitioner_profiles f JOIN practitioners p ON p.account = f.account
      JOIN accounts a ON a.account = f.account WHERE f.account = $1
      """, [.text(account)])
    guard let row else { return nil }
    return try PractitionerProfile(row)
  }

  /// The profile that a code leads to.
  package func profile(
    code: InvitationCode, in reader: any SQLReader
  ) throws(StorageError) -> PractitionerProfile? {
    let row = try reader.first(
      """
      SELECT f.account, a.display_name, f.is_listed, f.specialty, f.place, f.phone, f.hours,
        f.illnesses, f.code
      FROM practitioner_profiles f JOIN practitioners p ON p.account = f.account
      JOIN accounts a ON a.account = f.account WHERE f.code = $1
      """, [.text(code.text)])
    guard let row else { return nil }
    return try PractitionerProfile(row)
  }

  /// Those who chose to be listed, by name.
  package func directory(in reader: any SQLReader) throws(StorageError) -> [PractitionerProfile] {
    try reader.query(
      """
      SELECT f.account, a.display_name, f.is_listed, f.specialty, f.place, f.phone, f.hours,
        f.illnesses, f.code
      FROM practitioner_profiles f JOIN practitioners p ON p.account = f.account
      JOIN accounts a ON a.account = f.account
      WHERE f.is_listed = 1 ORDER BY a.display_name, f.account
      """
    ).map { row throws(StorageError) in try PractitionerProfile(row) }
  }

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

extension PractitionerProfile {
  fileprivate init(_ row: SQLRow) throws(StorageError) {
    self.init(
      account: try row.id(0), displayName: try row.text(1), isListed: try row.bool(2),
      specialty: try row.text(3), place: try row.text(4), phone: try row.text(5),
      hours: try row.text(6),
      illnesses: try row.text(7).split(separator: "\n").map(String.init), code: try row.text(8))
  }
}

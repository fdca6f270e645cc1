// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Sending the code of an invitation by mail.
extension AccountStore {
  /// The maximum number of invitation mails of an account in 24 hours.
  package static let mostInvitationMails = 10
  private static let day: Int64 = 24 * 3_600_000

  /// Records that an open invitation is sent by mail, and returns it.
  ///
  /// The recipient is not stored, and the address is not looked up among the accounts.
  package func mail(
    invitation id: InvitationID, of patient: PatientID, mail: String, by actor: Actor,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> GrantInvitation {
    guard actor.rights[patient]?.relationship.actsForPatient ?? false,
      let found = try invitation(id, of: patient, at: now, in: writer), found.state == .open,
      found.asked == nil
    else { throw GrantError.notFound }
    let since = now.adding(milliseconds: -Self.day)
    try writer.execute("DELETE FROM invitation_mails WHERE sent <= $1", [SQLValue(since)])
    let sent = try writer.first(
      "SELECT COUNT(*) FROM invitation_mails WHERE account = $1", [.text(actor.accountID)]
    )?.value(as: Int.self)
    guard sent ?? 0 < Self.mostInvitationMails else {
      throw GrantError.tooManyMails(maximum: Self.mostInvitationMails)
    }
    try writer.execute(
      "INSERT INTO invitation_mails (account, mail, sent) VALUES ($1, $2, $3)",
      [.text(actor.accountID), .text(mail), SQLValue(now)])
    writer.audit(
      AuditEntry(
        at: now, actor: actor.accountID, kind: .update, patient: patient, resource: "Invitation",
        resourceID: id.text, purpose: Purpose.care.rawValue))
    return found
  }
}

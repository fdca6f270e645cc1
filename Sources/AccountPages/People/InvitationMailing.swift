// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Presentation
import Storage
import Web

/// Sends an invitation by e-mail, if the server can send mail.
///
/// The text is the same for every inviter and every right, and the server neither checks nor
/// reveals whether the address has an account.
enum InvitationMailing {
  static let field = "email"

  /// The outcome of sending.
  enum Outcome: String, Sendable, Hashable {
    case sent
    case address
    case tooMany = "too-many"
    /// The mail program rejected it.
    case failed

    func text(_ localizer: Localizer) -> String {
      localizer.text("health-profile.mail.outcome", ["outcome": .text(rawValue)])
    }
  }

  static func send(
    _ id: InvitationID, of patient: PatientID, to typed: String, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Outcome {
    let environment = call.environment
    guard let program = environment.channels.sendMail, let sender = environment.channels.sender
    else { throw Failure.notFound }
    guard (try? EmailAddress(typed)) != nil, let recipient = MailAddress(typed) else {
      return .address
    }
    let (accounts, actor, now) = (environment.accounts, signedIn.actor, call.now)
    let mail = environment.newIdentifier()
    let invitation: GrantInvitation
    do {
      invitation = try await environment.database.write { writer in
        try accounts.mail(
          invitation: id, of: patient, mail: mail, by: actor, at: now, in: writer)
      }
    } catch GrantError.tooManyMails {
      return .tooMany
    }
    let localizer = call.localizer
    // Uses the configured address rather than the client's, because the mail goes to someone else.
    let link = "\(environment.baseURL)/join/\(invitation.code)"
    let outcome = await program(
      MailMessage(
        from: sender, to: recipient, subject: localizer.text("people.invitation.mail-subject"),
        text: [
          localizer.text(
            "people.invitation.mail-body",
            ["link": .text(link), "policy": .text(environment.settings.signUp.rawValue)]),
          localizer.text("health-profile.mail.why"),
        ].joined(separator: "\n\n") + "\n",
        messageID: "\(mail)@regimen.invalid", dateSeconds: now.milliseconds / 1000))
    return outcome == .accepted ? .sent : .failed
  }

  /// Returns the form next to the code.
  static func form(
    _ invitation: GrantInvitation, typed: String, _ outcome: Outcome?, _ call: Call
  ) -> Markup {
    let localizer = call.localizer
    let error = outcome.flatMap { $0 == .sent ? nil : $0.text(localizer) }
    let email = FormField(
      field, label: localizer.text("health-profile.mail.address"), kind: .email, value: typed,
      hint: localizer.text("health-profile.mail.hint"), error: error, autocomplete: "off",
      maximumLength: 254, localizer: localizer)
    return Form(
      action: "/people/invitations/\(invitation.id)", token: call.formToken,
      fields: "<input type=\"hidden\" name=\"action\" value=\"mail\">\(email)",
      buttons: Button(
        localizer.text("health-profile.mail.send"), kind: .secondary, icon: .check,
        person: call.formToken.personName
      ).markup
    ).markup
  }
}

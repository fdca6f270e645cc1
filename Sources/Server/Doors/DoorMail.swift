// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Localization
import Logging
import ServiceLifecycle
import Storage

/// Mail of the doors, sent apart from the request: an answer must not tell by its time whether there
/// was anything to send.
final class DoorMail: Sendable {
  /// Somebody forgot the password.
  struct Wish: Sendable, Hashable {
    let email: String
    let language: Language
  }

  /// What there is to send.
  enum Errand: Sendable, Hashable {
    case recovery(Wish)
    /// A link with which whoever reads an address says that it is theirs.
    case proof(address: String, link: String, language: Language)
    /// To the address before: another one opens the account now.
    case changed(address: String, language: Language)
  }

  let errands: AsyncStream<Errand>
  private let continuation: AsyncStream<Errand>.Continuation

  init() {
    (errands, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1000))
  }

  /// Takes an errand; one too many is dropped, and whoever asked for it asks again.
  func take(_ errand: Errand) {
    continuation.yield(errand)
  }

  /// Tells the address that an account had until now.
  func tellOfChange(_ account: Account) {
    guard !account.isByPhone else { return }
    take(.changed(address: account.email, language: account.language ?? .en))
  }
}

/// Sends what was asked for.
struct DoorMailService: Service {
  let environment: ServerEnvironment

  func run() async throws {
    for await errand in environment.doorMail.errands.cancelOnGracefulShutdown() {
      do {
        try await perform(errand)
      } catch {
        // The type alone: its text may hold an address.
        environment.logger.error(
          "recovery mail failed", metadata: ["type": .string("\(type(of: error))")])
      }
    }
  }

  func perform(_ errand: DoorMail.Errand) async throws {
    switch errand {
    case .recovery(let wish): try await perform(wish)
    case .proof(let address, let link, let language):
      let localizer = Localizer.of(language)
      await send(
        to: address, subject: localizer.text("addresses.mail.subject"),
        localizer.text("addresses.mail.text", ["link": .text(link)]))
    case .changed(let address, let language):
      let localizer = Localizer.of(language)
      await send(
        to: address, subject: localizer.text("addresses.notice.subject"),
        localizer.text("addresses.notice.text"))
    }
  }

  /// Makes the link and sends it, where somebody has the address.
  func perform(_ wish: DoorMail.Wish) async throws {
    guard environment.channels.mailIsPossible, let address = try? EmailAddress(wish.email) else {
      return
    }
    let (accounts, now) = (environment.accounts, environment.now())
    let secret = Secret(prefix: Secret.invitationPrefix, random: environment.random)
    let account = try await environment.database.write { writer in
      try accounts.startRecovery(secret, for: address, at: now, in: writer)
    }
    guard let account else { return }
    let localizer = Localizer.of(account.language ?? wish.language)
    let link = "\(environment.baseURL)/invitation/\(secret.text)"
    await send(
      to: account.email, subject: localizer.text("doors.mail.subject"),
      localizer.text("doors.mail.text", ["link": .text(link)]))
  }

  private func send(to address: String, subject: String, _ text: String) async {
    guard let send = environment.channels.sendMail, let sender = environment.channels.sender,
      let recipient = MailAddress(address)
    else { return }
    let outcome = await send(
      MailMessage(
        from: sender, to: recipient, subject: subject, text: text,
        messageID: "\(environment.newIdentifier())@regimen",
        dateSeconds: environment.now().milliseconds / 1000))
    environment.logger.info(
      "mail of the doors", metadata: ["sent": .string(outcome == .accepted ? "yes" : "no")])
  }
}

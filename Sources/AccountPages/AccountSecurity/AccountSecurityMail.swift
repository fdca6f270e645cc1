// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Identifiers
import Localization
import Logging
import Presentation
import ServiceLifecycle
import Storage
import Web

/// The queue of e-mails and text messages about account security, sent outside of the request.
///
/// The response time must not reveal whether anything was sent.
package final class AccountSecurityMail: Sendable {
  /// A request for a link after a forgotten password.
  struct Wish: Sendable, Hashable {
    /// The address or number, as it was typed.
    let email: String
    let language: Language
  }

  /// A message to send.
  enum Errand: Sendable, Hashable {
    case recovery(Wish)
    /// The link with which the reader of an address confirms that it is theirs.
    case proof(address: String, link: String, language: Language)
    /// The code with which the owner of a number confirms that it is theirs.
    case code(ProofCode, number: String, language: Language)
    /// A message to the previous address or number that another one now opens the account.
    case changed(name: String, isPhone: Bool, language: Language)
  }

  let errands: AsyncStream<Errand>
  private let continuation: AsyncStream<Errand>.Continuation

  /// Creates an empty queue for at most 1000 messages; further ones are dropped.
  package init() {
    (errands, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1000))
  }

  /// Adds a message to the queue; if the queue is full, it is dropped and the person asks again.
  func take(_ errand: Errand) {
    continuation.yield(errand)
  }

  /// Tells the previous address of an account that another one now opens it.
  ///
  /// - Parameter wasProved: True if the owner had verified the previous address; an unverified
  ///   phone number may be anyone's and gets nothing.
  package func tellOfChange(_ account: Account, wasProved: Bool) {
    guard !account.isByPhone || wasProved else { return }
    take(
      .changed(
        name: account.email, isPhone: account.isByPhone, language: account.language ?? .en))
  }
}

extension AccountSecurityMail: FeatureValue {
  /// A queue that is never emptied.
  package static let absent = AccountSecurityMail()
}

extension ServerEnvironment {
  /// The queue of mails and texts about account security.
  package var accountSecurityMail: AccountSecurityMail { features[AccountSecurityMail.self] }
}

/// Sends the mails and texts about account security.
package struct AccountSecurityMailService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "mail about signing in"

  /// The services and settings of the server.
  package let environment: ServerEnvironment

  /// Creates the service of a server.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Sends messages until the server shuts down; one that fails is logged without its address.
  package func run() async throws {
    for await errand in environment.accountSecurityMail.errands.cancelOnGracefulShutdown() {
      do {
        try await perform(errand)
      } catch {
        // Logs only the type: the error's text may contain an address.
        environment.logger.error(
          "recovery mail failed", metadata: ["type": .string("\(type(of: error))")])
      }
    }
  }

  func perform(_ errand: AccountSecurityMail.Errand) async throws {
    switch errand {
    case .recovery(let wish): try await perform(wish)
    case .proof(let address, let link, let language):
      let localizer = Localizer.of(language)
      await send(
        to: address, subject: localizer.text("addresses.mail.subject"),
        localizer.text("addresses.mail.text", ["link": .text(link)]))
    case .code(let code, let number, let language):
      let text = Localizer.of(language).text(
        "addresses.text.code", ["code": .text(code.text), "minutes": .number(ProofCode.minutes)])
      await sendText(text, to: number)
    case .changed(let number, isPhone: true, let language):
      await sendText(Localizer.of(language).text("addresses.notice.text"), to: number)
    case .changed(let address, isPhone: false, let language):
      let localizer = Localizer.of(language)
      await send(
        to: address, subject: localizer.text("addresses.notice.subject"),
        localizer.text("addresses.notice.text"))
    }
  }

  /// Creates the link and sends it if an account has this address or has proved this number.
  func perform(_ wish: AccountSecurityMail.Wish) async throws {
    guard let name = try? SignInName(wish.email), environment.channels.reaches(name) else { return }
    let (accounts, now) = (environment.accounts, environment.now())
    let secret = Secret(prefix: Secret.invitationPrefix, random: environment.random)
    let account = try await environment.database.write { writer in
      try accounts.startRecovery(secret, for: name, at: now, in: writer)
    }
    guard let account else { return }
    let localizer = Localizer.of(account.language ?? wish.language)
    let link = "\(environment.baseURL)/invitation/\(secret.text)"
    guard !name.isPhone else {
      await sendText(localizer.text("account-security.text", ["link": .text(link)]), to: name.text)
      return
    }
    await send(
      to: account.email, subject: localizer.text("account-security.mail.subject"),
      localizer.text("account-security.mail.text", ["link": .text(link)]))
  }

  private func sendText(_ text: String, to number: String) async {
    guard let phones = environment.channels.phones, let number = PhoneNumber(number) else {
      return
    }
    let request = phones.gateway.text(text, to: number, id: environment.newIdentifier())
    let outcome = await phones.send(request, environment.now().milliseconds / 1000)
    environment.logger.info(
      "account security text",
      metadata: ["sent": .string(outcome == .accepted ? "yes" : "no")])
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
      "account security mail",
      metadata: ["sent": .string(outcome == .accepted ? "yes" : "no")])
  }
}

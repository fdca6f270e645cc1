// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Scheduling
import Storage
import Web

/// The rules for who is told what about a person, and an account's preferences for its own
/// messages.
package enum MessageRuleRoutes {
  static let path = "/caregiver-messages/rules"
  static let toldPath = "/caregiver-messages/told"
  static let preferencesPath = "/caregiver-messages/preferences"

  static let all: [Route] = [
    .page(.get, path, page),
    .page(.get, "\(path)/:account", form),
    .form("\(path)/:account", keep),
    .accountForm(toldPath, told),
    .accountForm(preferencesPath, preferences),
  ]

  @Sendable private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await MessageRulesPage.read(call, signedIn).response(call)
  }

  @Sendable private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let recipient = try await recipient(call, signedIn, to: .read)
    return MessageRuleForm(recipient: recipient, input: MessageRuleInput(recipient)).response(call)
  }

  private static func keep(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let recipient = try await recipient(form.call, form.signedIn, to: .update)
    let input = MessageRuleInput(form.fields)
    guard let choice = input.choice(of: recipient) else {
      return MessageRuleForm(recipient: recipient, input: input, isMistaken: true)
        .response(form.call)
    }
    let accounts = form.call.environment.accounts
    let isKept = try await form.run { context, writer in
      try MessageCommands.keep(
        choice, of: patient, by: context.actor.accountID, accounts: accounts, at: context.now,
        in: writer)
    }
    guard isKept else { throw Failure.notFound }
    return form.redirect(to: "\(path)?done=saved")
  }

  /// Returns the account in the address, with which the chosen person shares something.
  private static func recipient(
    _ call: Call, _ signedIn: SignedIn, to action: Access.Action
  ) async throws -> MessageRecipient {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(action, MessageCommands.resource, of: patient)
    let account = try AccountID(call.parameter("account"))
    let environment = call.environment
    let found = try await environment.database.read { reader in
      try MessageCommands.recipients(
        of: patient, accounts: environment.accounts, zones: environment.zones, at: call.now,
        in: reader
      ).first { $0.account == account }
    }
    guard let found else { throw Failure.notFound }
    return found
  }

  /// Agrees to messages about a patient, or ends them.
  private static func told(_ form: PostedForm) async throws -> Response {
    // Reveals nothing about patients without an offer.
    guard let patient = form.text("patient").map(PatientID.init),
      form.signedIn.actor.rights[patient] != nil
    else {
      throw Failure.notFound
    }
    let isAgreed = form.text("do") == "agree"
    try await form.run { context, writer in
      let (account, now) = (context.actor.accountID, context.now)
      if isAgreed {
        guard try MessageCommands.agree(to: patient, account: account, at: now, in: writer) else {
          throw Failure.notFound
        }
      } else {
        try MessageCommands.withdraw(account, of: patient, by: account, at: now, in: writer)
      }
    }
    return form.redirect(to: "\(path)?done=saved#own")
  }

  private static func preferences(_ form: PostedForm) async throws -> Response {
    let environment = form.call.environment
    let own = form.signedIn.account.patient
    let zone = try await environment.database.read { reader in
      try PeopleQueries.zone(own, zones: environment.zones, in: reader)
    }
    let input = MessagePreferencesInput(form.fields)
    guard let choice = input.preferences(zone: zone) else {
      var page = try await MessageRulesPage.read(form.call, form.signedIn)
      page.input = input
      page.isMistaken = true
      return page.response(form.call)
    }
    try await form.run { context, writer in
      try MessageCommands.keep(
        choice, of: context.actor.accountID, accounts: environment.accounts, at: context.now,
        in: writer)
    }
    return form.redirect(to: "\(path)?done=saved#own")
  }
}

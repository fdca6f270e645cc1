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

/// Who is told what of a person, and what an account chose about being told.
package enum MessageRuleRoutes {
  static let path = "/caregiver-messages/rules"
  static let toldPath = "/caregiver-messages/told"
  static let preferencesPath = "/caregiver-messages/preferences"

  static let all: [Route] = [
    .page(.get, path, page),
    .page(.get, "\(path)/:account", form),
    .page(.post, "\(path)/:account", keep),
    .page(.post, toldPath, told),
    .page(.post, preferencesPath, preferences),
  ]

  @Sendable private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await MessageRulesPage.read(call, signedIn).response(call)
  }

  @Sendable private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let recipient = try await recipient(call, signedIn, to: .read)
    return MessageRuleForm(recipient: recipient, input: MessageRuleInput(recipient)).response(call)
  }

  @Sendable private static func keep(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    let recipient = try await recipient(call, signedIn, to: .update)
    let input = MessageRuleInput(form)
    guard let choice = input.choice(of: recipient) else {
      return MessageRuleForm(recipient: recipient, input: input, isMistaken: true).response(call)
    }
    let environment = call.environment
    let (account, now) = (signedIn.account.id, call.now)
    let isKept = try await environment.database.write { writer in
      try MessageCommands.keep(
        choice, of: patient, by: account, accounts: environment.accounts, at: now, in: writer)
    }
    guard isKept else { throw Failure.notFound }
    return call.redirect(to: "\(path)?done=saved")
  }

  /// Somebody with whom the chosen person shares something, by the address.
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

  /// The one who is to be told agrees, or does not want it any more.
  @Sendable private static func told(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    // Nothing is said about patients of whom nothing was offered.
    guard let patient = form.text("patient").map(PatientID.init),
      signedIn.actor.rights[patient] != nil
    else {
      throw Failure.notFound
    }
    let isAgreed = form.text("do") == "agree"
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      if isAgreed {
        guard try MessageCommands.agree(to: patient, account: account, at: now, in: writer) else {
          throw Failure.notFound
        }
      } else {
        try MessageCommands.withdraw(account, of: patient, by: account, at: now, in: writer)
      }
    }
    return call.redirect(to: "\(path)?done=saved#own")
  }

  @Sendable private static func preferences(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    let environment = call.environment
    let (account, now) = (signedIn.account.id, call.now)
    let zone = try await environment.database.read { reader in
      try PeopleQueries.zone(signedIn.account.patient, zones: environment.zones, in: reader)
    }
    let input = MessagePreferencesInput(form)
    guard let choice = input.preferences(zone: zone) else {
      var page = try await MessageRulesPage.read(call, signedIn)
      page.input = input
      page.isMistaken = true
      return page.response(call)
    }
    try await environment.database.write { writer in
      try MessageCommands.keep(
        choice, of: account, accounts: environment.accounts, at: now, in: writer)
    }
    return call.redirect(to: "\(path)?done=saved#own")
  }
}

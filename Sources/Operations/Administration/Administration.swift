// SPDX-License-Identifier: Apache-2.0

import Access
import AccountPages
import Accounts
import FHIR
import HTTPTypes
import Identifiers
import Storage
import Web

/// A command of the operator on the host about accounts and tokens.
///
/// It is sent to the running server through its Unix socket, or runs directly under the lock if no
/// server runs.
package enum AdministrationCommand: Sendable, Hashable {
  /// Creates an account; without a password, it also creates an invitation link.
  case createAccount(email: String, password: String?, isAdministrator: Bool)
  /// Creates a new link for the owner of an account who forgot the password.
  case invite(email: String)
  /// Changes the sign-in address; the operator vouches that it is the owner's.
  case changeAddress(email: String, to: String)
  /// Removes the second factors of an owner who lost everything except the password.
  case removeSecondStep(email: String)
  /// Creates a token.
  ///
  /// - Parameter days: The days until it expires; nil for the standard lifetime.
  case createToken(email: String, scope: String, days: Int? = nil)
  /// Lists the tokens of an account.
  case listTokens(email: String)
  /// Revokes a token.
  ///
  /// - Parameter id: The token's identifier, or a unique prefix of it.
  case endToken(email: String, id: String)
  /// Confirms that an account belongs to a practitioner, or withdraws the confirmation.
  case practitioner(email: String, ends: Bool)
  /// Manages the systems that may ask for decision support.
  case cds(CDSClientCommand)
  /// Registers, lists, enables or disables apps.
  case app(AppAdministrationCommand)
  /// Adds, lists or revokes devices in people's homes.
  case device(HomeDeviceAdministrationCommand)
  /// Loads, lists, closes or exports studies, and manages their researchers.
  case study(StudyAdministrationCommand)

  /// The command as it is sent through the socket.
  package var json: JSONValue {
    switch self {
    case .cds(let command):
      command.json
    case .createAccount(let email, let password, let isAdministrator):
      [
        "command": "account create", "email": .string(email),
        "password": password.map(JSONValue.string) ?? .null,
        "administrator": .bool(isAdministrator),
      ]
    case .app(let command): command.json
    case .device(let command): command.json
    case .study(let command): command.json
    case .invite(let email):
      ["command": "account invite", "email": .string(email)]
    case .changeAddress(let email, let new):
      ["command": "account change-address", "email": .string(email), "to": .string(new)]
    case .removeSecondStep(let email):
      ["command": "account remove-second-step", "email": .string(email)]
    case .practitioner(let email, let ends):
      ["command": "account practitioner", "email": .string(email), "end": .bool(ends)]
    case .listTokens(let email):
      ["command": "token list", "email": .string(email)]
    case .endToken(let email, let id):
      ["command": "token end", "email": .string(email), "id": .string(id)]
    case .createToken(let email, let scope, let days):
      [
        "command": "token create", "email": .string(email), "scope": .string(scope),
        "days": days.map { .number(JSONNumber($0)) } ?? .null,
      ]
    }
  }

  /// Creates the command from JSON; nil if it is not an administration command.
  package init?(json: JSONValue) {
    if let command = CDSClientCommand(json: json) {
      self = .cds(command)
      return
    }
    if let command = AppAdministrationCommand(json: json) {
      self = .app(command)
      return
    }
    if let command = HomeDeviceAdministrationCommand(json: json) {
      self = .device(command)
      return
    }
    if let command = StudyAdministrationCommand(json: json) {
      self = .study(command)
      return
    }
    guard let email = json["email"]?.string else { return nil }
    switch json["command"]?.string {
    case "account create":
      let password = json["password"] ?? .null
      let administrator = json["administrator"] ?? .bool(false)
      guard password.isNull || password.string != nil, let isAdministrator = administrator.bool
      else { return nil }
      self = .createAccount(
        email: email, password: password.string, isAdministrator: isAdministrator)
    case "account invite":
      self = .invite(email: email)
    case "account change-address":
      guard let new = json["to"]?.string else { return nil }
      self = .changeAddress(email: email, to: new)
    case "account remove-second-step":
      self = .removeSecondStep(email: email)
    case "account practitioner":
      guard let ends = json["end"]?.bool else { return nil }
      self = .practitioner(email: email, ends: ends)
    case "token create":
      let days = json["days"] ?? .null
      guard let scope = json["scope"]?.string, days.isNull || days.number?.integer != nil else {
        return nil
      }
      self = .createToken(email: email, scope: scope, days: days.number?.integer)
    case "token list":
      self = .listTokens(email: email)
    case "token end":
      guard let id = json["id"]?.string else { return nil }
      self = .endToken(email: email, id: id)
    default:
      return nil
    }
  }
}

/// The operator's commands about accounts and tokens.
package struct Administration: Sendable {
  let environment: ServerEnvironment

  /// Creates the commands for a server.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Runs a command and returns the line to print, such as an invitation link or a new token.
  ///
  /// - Throws: ``AccountError/unknownAccount`` if no account has the address.
  package func perform(_ command: AdministrationCommand) async throws -> String {
    switch command {
    case .createAccount(let email, let password, let isAdministrator):
      try await createAccount(
        email: email, password: password, isAdministrator: isAdministrator)
    case .invite(let email):
      try await invite(email: email)
    case .changeAddress(let email, let new):
      try await changeAddress(email: email, to: new)
    case .removeSecondStep(let email):
      try await removeSecondStep(email: email)
    case .practitioner(let email, let ends):
      try await practitioner(email: email, ends: ends)
    case .createToken(let email, let scope, let days):
      try await createToken(email: email, scope: scope, days: days)
    case .listTokens(let email):
      try await listTokens(email: email)
    case .endToken(let email, let id):
      try await endToken(email: email, id: id)
    case .cds(let command):
      try await perform(command)
    case .app(let command): try await perform(command)
    case .device(let command): try await perform(command)
    case .study(let command): try await perform(command)
    }
  }

  private func createAccount(
    email: String, password: String?, isAdministrator: Bool
  ) async throws -> String {
    let address = try SignInName(email)
    var hash: PasswordHash?
    if let password {
      // The operator is responsible for this password; it needs at least 8 characters.
      hash = try await environment.signIn.hash(
        newPassword: password, rules: PasswordRules(minimum: 8), context: [address.text])
    }
    let invitation =
      password == nil
      ? Secret(prefix: Secret.invitationPrefix, random: environment.random) : nil
    let account = try await Registration(environment: environment).create(
      email: address.text, displayName: Registration.name(from: address), passwordHash: hash,
      isAdministrator: isAdministrator, language: nil, invitation: invitation,
      by: .hostOperator)
    guard let invitation else { return account.id.text }
    return link(of: invitation)
  }

  private func invite(email: String) async throws -> String {
    let address = try SignInName(email)
    let secret = Secret(prefix: Secret.invitationPrefix, random: environment.random)
    let now = environment.now()
    let accounts = environment.accounts
    try await environment.database.write { writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      try accounts.createInvitation(secret, for: found.account.id, at: now, in: writer)
    }
    return link(of: secret)
  }

  private func changeAddress(email: String, to new: String) async throws -> String {
    let (old, name) = (try SignInName(email), try SignInName(new: new))
    let (accounts, now) = (environment.accounts, environment.now())
    let (account, wasProved) = try await environment.database.write { writer in
      guard let found = try accounts.account(named: old, in: writer) else {
        throw AccountError.unknownAccount
      }
      let wasProved = try accounts.addressProved(of: found.account.id, in: writer) != nil
      try accounts.rename(
        found.account, to: name, proved: nil, at: now, by: .hostOperator, in: writer)
      return (found.account, wasProved)
    }
    environment.sessions.forget()
    environment.accountSecurityMail.tellOfChange(account, wasProved: wasProved)
    return account.id.text
  }

  /// Removes passkeys, authenticator app and recovery codes, and ends every session.
  private func removeSecondStep(email: String) async throws -> String {
    let address = try SignInName(email)
    let (accounts, now) = (environment.accounts, environment.now())
    let id = try await environment.database.write { writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      try accounts.removeSecondFactors(
        of: found.account.id, at: now, by: .hostOperator, in: writer)
      return found.account.id
    }
    environment.sessions.forget()
    return id.text
  }

  /// Returns the account's name, so that the operator sees whom it was about.
  private func practitioner(email: String, ends: Bool) async throws -> String {
    let address = try SignInName(email)
    let (accounts, now) = (environment.accounts, environment.now())
    let name = try await environment.database.write { writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      let account = found.account
      if ends {
        try accounts.endPractitioner(
          account.id, by: .hostOperator, at: now, in: writer)
      } else {
        try accounts.confirmPractitioner(
          account.id, by: .hostOperator, at: now, in: writer)
      }
      return account.displayName
    }
    environment.sessions.forget()
    return TerminalText.line(name)
  }

  private func link(of invitation: Secret) -> String {
    let base =
      environment.settings.publicURL ?? environment.listening.current ?? "http://127.0.0.1:8080"
    return "\(base)/invitation/\(invitation.text)"
  }

  private func createToken(email: String, scope: String, days: Int?) async throws -> String {
    let address = try SignInName(email)
    let scope = try TokenScope(parsing: scope)
    let secret = Secret(prefix: Secret.tokenPrefix, random: environment.random)
    let now = environment.now()
    let end = try TokenLifetime.end(days: days ?? TokenLifetime.standardDays, at: now)
    let accounts = environment.accounts
    try await environment.database.write { writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      try accounts.createToken(
        secret, for: found.account.id, scope: scope, patient: found.account.patient, expires: end,
        at: now, in: writer)
    }
    return secret.text
  }
}

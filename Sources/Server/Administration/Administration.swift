// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Storage

/// What the operator asks for on the host: through the running server's socket, or directly under
/// the lock when no server runs.
///
/// One form for both, as JSON.
package enum AdministrationCommand: Sendable, Hashable {
  /// Without a password an invitation link is made.
  case createAccount(email: String, password: String?, isAdministrator: Bool)
  /// A new link for somebody who has an account and forgot the password.
  case invite(email: String)
  case createToken(email: String, scope: String)

  /// The command as it crosses the socket.
  package var json: JSONValue {
    switch self {
    case .createAccount(let email, let password, let isAdministrator):
      [
        "command": "account create", "email": .string(email),
        "password": password.map(JSONValue.string) ?? .null,
        "administrator": .bool(isAdministrator),
      ]
    case .invite(let email):
      ["command": "account invite", "email": .string(email)]
    case .createToken(let email, let scope):
      ["command": "token create", "email": .string(email), "scope": .string(scope)]
    }
  }

  /// Reads a command; nil for what is none.
  package init?(json: JSONValue) {
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
    case "token create":
      guard let scope = json["scope"]?.string else { return nil }
      self = .createToken(email: email, scope: scope)
    default:
      return nil
    }
  }
}

/// Carries out what the operator asks for.
package struct Administration: Sendable {
  let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// The actor that audit rows name for what is done on the host.
  private static let operatorName = "operator"

  /// Runs a command and returns the line to print.
  package func perform(_ command: AdministrationCommand) async throws -> String {
    switch command {
    case .createAccount(let email, let password, let isAdministrator):
      try await createAccount(
        email: email, password: password, isAdministrator: isAdministrator)
    case .invite(let email):
      try await invite(email: email)
    case .createToken(let email, let scope):
      try await createToken(email: email, scope: scope)
    }
  }

  private func createAccount(
    email: String, password: String?, isAdministrator: Bool
  ) async throws -> String {
    let address = try EmailAddress(email)
    var hash: PasswordHash?
    if let password {
      // The operator answers for this password; 8 characters are the least anybody may have.
      hash = try await environment.signIn.hash(
        newPassword: password, rules: PasswordRules(minimum: 8), context: [address.text])
    }
    let invitation =
      password == nil
      ? Secret(prefix: Secret.invitationPrefix, random: environment.random) : nil
    let account = try await Registration(environment: environment).create(
      email: address.text, displayName: Registration.name(from: address), passwordHash: hash,
      isAdministrator: isAdministrator, language: nil, invitation: invitation,
      by: Self.operatorName)
    guard let invitation else { return account.id }
    return link(of: invitation)
  }

  private func invite(email: String) async throws -> String {
    let address = try EmailAddress(email)
    let secret = Secret(prefix: Secret.invitationPrefix, random: environment.random)
    let now = environment.now()
    let accounts = environment.accounts
    try await environment.database.write { writer in
      guard let found = try accounts.account(email: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      try accounts.createInvitation(secret, for: found.account.id, at: now, in: writer)
    }
    return link(of: secret)
  }

  private func link(of invitation: Secret) -> String {
    let base =
      environment.settings.publicURL ?? environment.listening.current ?? "http://127.0.0.1:8080"
    return "\(base)/invitation/\(invitation.text)"
  }

  private func createToken(email: String, scope: String) async throws -> String {
    let address = try EmailAddress(email)
    let scope = try TokenScope(parsing: scope)
    let secret = Secret(prefix: Secret.tokenPrefix, random: environment.random)
    let now = environment.now()
    let accounts = environment.accounts
    try await environment.database.write { writer in
      guard let found = try accounts.account(email: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      try accounts.createToken(
        secret, for: found.account.id, scope: scope, at: now, in: writer)
    }
    return secret.text
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Identifiers
import Reminders
import Storage
import Web

/// Lists and revokes tokens from the host.
extension Administration {
  /// The number of id digits that are shown, which is also the minimum that is accepted.
  private static let shownDigits = 12
  private static let fewestDigits = 6

  /// Returns one line for each token of an account, the newest first: id, prefix, scope, creation,
  /// expiry, last use, name.
  func listTokens(email: String) async throws -> String {
    let address = try SignInName(email)
    let (accounts, now) = (environment.accounts, environment.now())
    let tokens = try await environment.database.read { reader in
      guard let found = try accounts.account(named: address, in: reader) else {
        throw AccountError.unknownAccount
      }
      return try accounts.tokens(of: found.account.id, at: now, in: reader)
    }
    return tokens.map { token in
      let until = token.expires.map(UTC.text) ?? "never"
      let used = token.used.map(UTC.text) ?? "never"
      return """
        \(token.id.text.prefix(Self.shownDigits)) \(token.prefix.isEmpty ? "-" : token.prefix) \
        \(token.scope.rawValue) made \(UTC.text(token.created)) ends \(until) used \(used) \
        \(TerminalText.line(token.label))
        """
    }.joined(separator: "\n")
  }

  /// Revokes the only token whose id has this prefix, and returns its id.
  func endToken(email: String, id: String) async throws -> String {
    let address = try SignInName(email)
    let (accounts, now) = (environment.accounts, environment.now())
    let (ended, patients) = try await environment.database.write { writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      let account = found.account.id
      let named = try accounts.tokens(of: account, at: now, in: writer).filter {
        id.count >= Self.fewestDigits && $0.id.text.hasPrefix(id.lowercased())
      }
      guard let token = named.first, named.count == 1,
        try accounts.endToken(
          id: token.id, of: account, by: .hostOperator, at: now, in: writer)
      else {
        throw Failure(
          .notFound, code: "not-found",
          detail: "The account has no such token. See regimen token list.")
      }
      // A device added by the token no longer receives reminders.
      try PushSubscriptions.removeOfSession(token.id, account: account, at: now, in: writer)
      return (token.id, Set(try accounts.rights(of: account, at: now, in: writer).keys))
    }
    environment.sessions.forget()
    // Open streams of the token check whether it is still valid.
    environment.live.wakeStreams(of: patients)
    return String(ended.text.prefix(Self.shownDigits))
  }
}

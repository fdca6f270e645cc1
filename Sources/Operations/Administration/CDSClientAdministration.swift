// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Storage
import Web

/// Manages the systems that may ask for decision support, from the host.
extension Administration {
  /// Runs a command and returns the lines to print.
  func perform(_ command: CDSClientCommand) async throws -> String {
    let (accounts, now) = (environment.accounts, environment.now())
    switch command {
    case .add(let issuer, let keys, let email, let reachesEveryPatient):
      return try await add(
        issuer: issuer, keys: keys, email: email, reachesEveryPatient: reachesEveryPatient)
    case .list:
      return try await list()
    case .enable(let issuer, let isEnabled):
      try await environment.database.write { writer in
        try accounts.enableCDSClient(issuer, isEnabled, by: .hostOperator, at: now, in: writer)
      }
      return issuer
    case .remove(let issuer):
      try await environment.database.write { writer in
        try accounts.removeCDSClient(issuer, by: .hostOperator, at: now, in: writer)
      }
      return issuer
    }
  }

  private func add(
    issuer: String, keys: JSONValue, email: String, reachesEveryPatient: Bool
  ) async throws -> String {
    let address = try SignInName(email)
    let (accounts, now) = (environment.accounts, environment.now())
    try await environment.database.write { writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw AccountError.unknownAccount
      }
      let client = try CDSClient(
        issuer: issuer, keys: keys, account: found.account.id,
        reachesEveryPatient: reachesEveryPatient, at: now)
      try accounts.putCDSClient(client, by: .hostOperator, at: now, in: writer)
    }
    return issuer
  }

  /// Returns one line for each system: issuer, account, reach, state, addition, last use.
  private func list() async throws -> String {
    let accounts = environment.accounts
    let clients = try await environment.database.read { reader in
      try accounts.cdsClients(in: reader).map { client in
        (client, try accounts.account(client.account, in: reader)?.email ?? "-")
      }
    }
    return clients.map { client, email in
      """
      \(client.issuer) \(TerminalText.line(email)) \
      \(client.reachesEveryPatient ? "every-patient" : "own-patients") \
      \(client.isEnabled ? "enabled" : "disabled") added \(UTC.text(client.created)) \
      used \(client.used.map(UTC.text) ?? "never")
      """
    }.joined(separator: "\n")
  }
}

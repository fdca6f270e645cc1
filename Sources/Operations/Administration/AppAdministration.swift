// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Storage
import Web

/// A command of the operator about the apps that people can connect.
package enum AppAdministrationCommand: Sendable, Hashable {
  /// Registers an app.
  ///
  /// - Parameter email: The account in whose name a backend service acts; nil for other apps.
  case add(AppRegistration, email: String?)
  /// Lists the registered apps.
  case list
  /// Enables or disables an app.
  case set(AppID, App.State)

  /// The command as it is sent through the socket.
  var json: JSONValue {
    switch self {
    case .list: return ["command": "app list"]
    case .set(let app, let state):
      return [
        "command": "app set", "app": .string(app.text), "state": .string(state.rawValue),
      ]
    case .add(let registration, let email):
      let addresses = registration.addresses
      var json = JSONObject()
      json["command"] = "app add"
      json["name"] = .string(registration.name)
      json["kind"] = .string(registration.kind.rawValue)
      json["redirects"] = .array(registration.redirects.map(JSONValue.string))
      json["scopes"] = .string(registration.scopes)
      json["launch"] = addresses.launch.map { .string($0) }
      json["logo"] = addresses.logo.map { .string($0) }
      json["policy"] = addresses.policy.map { .string($0) }
      json["terms"] = addresses.terms.map { .string($0) }
      json["keys"] = registration.keySet
      json["keysAddress"] = registration.keySetAddress.map { .string($0) }
      json["account"] = email.map { .string($0) }
      return .object(json)
    }
  }

  /// Creates the command from JSON; nil if it is not a command about apps.
  init?(json: JSONValue) {
    switch json["command"]?.string {
    case "app list": self = .list
    case "app set":
      guard let app = json["app"]?.string,
        let state = json["state"]?.string.flatMap(App.State.init(rawValue:))
      else { return nil }
      self = .set(AppID(app), state)
    case "app add":
      guard let name = json["name"]?.string,
        let kind = json["kind"]?.string.flatMap(App.Kind.init(rawValue:)),
        let redirects = json["redirects"]?.array, let scopes = json["scopes"]?.string
      else { return nil }
      var registration = AppRegistration(
        name: name, kind: kind, redirects: redirects.compactMap(\.string), scopes: scopes)
      registration.addresses = AppAddresses(
        launch: json["launch"]?.string, logo: json["logo"]?.string,
        policy: json["policy"]?.string, terms: json["terms"]?.string)
      registration.keySet = json["keys"]
      registration.keySetAddress = json["keysAddress"]?.string
      self = .add(registration, email: json["account"]?.string)
    default: return nil
    }
  }
}

/// Registers apps and changes their state from the host.
extension Administration {
  /// Runs a command about apps and returns the lines to print.
  func perform(_ command: AppAdministrationCommand) async throws -> String {
    switch command {
    case .add(let registration, let email): try await addApp(registration, email: email)
    case .list: try await listApps()
    case .set(let app, let state): try await setApp(app, state)
    }
  }

  /// Returns the client id and, for an app that has no keys and can keep a secret, its secret.
  private func addApp(_ registration: AppRegistration, email: String?) async throws -> String {
    let (accounts, now) = (environment.accounts, environment.now())
    let address = try email.map { try SignInName($0) }
    let secret =
      registration.needsSecret
      ? Secret(prefix: Secret.appSecretPrefix, random: environment.random) : nil
    let id: AppID = environment.newID()
    let app = try await environment.database.write { writer in
      var registration = registration
      if let address {
        guard let found = try accounts.account(named: address, in: writer) else {
          throw AccountError.unknownAccount
        }
        registration.account = found.account.id
      }
      return try accounts.register(
        registration, as: id, state: .enabled, secret: secret, at: now, by: .hostOperator,
        in: writer)
    }
    return ["client_id \(app.id)"].appending(secret.map { "client_secret \($0.text)" })
      .joined(separator: "\n")
  }

  /// Returns one line for each app, by name: client id, state, kind, name, scopes.
  private func listApps() async throws -> String {
    let accounts = environment.accounts
    let apps = try await environment.database.read { try accounts.apps(in: $0) }
    return apps.map { app in
      """
      \(app.id) \(app.state.rawValue) \(app.kind.rawValue) \(TerminalText.line(app.name)): \
      \(app.scopes.text)
      """
    }.joined(separator: "\n")
  }

  /// Returns the client id.
  private func setApp(_ app: AppID, _ state: App.State) async throws -> String {
    let (accounts, now) = (environment.accounts, environment.now())
    try await environment.database.write { writer in
      try accounts.set(state, of: app, at: now, by: .hostOperator, in: writer)
    }
    // A disabled app is refused at once.
    environment.sessions.forget()
    return app.text
  }
}

extension [String] {
  /// Returns the texts with another one, if there is one.
  fileprivate func appending(_ text: String?) -> [String] {
    text.map { self + [$0] } ?? self
  }
}

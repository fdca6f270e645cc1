// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HomeDevices
import Identifiers
import Localization
import Presentation
import Storage
import Web

/// A command of the operator about the devices in an account's home.
package enum HomeDeviceAdministrationCommand: Sendable, Hashable {
  /// Adds a device for the account's own patient.
  ///
  /// - Parameter compartments: The names of its compartments besides the device as a whole; all have the same meaning.
  case add(
    email: String, kind: HomeDevice.Kind, name: String,
    meaning: HomeDeviceCompartment.Meaning, compartments: [String])
  /// Lists the devices of the account's own patient.
  case list(email: String)
  /// Ends the token of a device.
  case revoke(email: String, id: String)

  /// The command as it is sent through the socket.
  package var json: JSONValue {
    switch self {
    case .add(let email, let kind, let name, let meaning, let compartments):
      [
        "command": "device add", "email": .string(email), "kind": .string(kind.rawValue),
        "name": .string(name), "meaning": .string(meaning.rawValue),
        "compartments": .array(compartments.map(JSONValue.string)),
      ]
    case .list(let email): ["command": "device list", "email": .string(email)]
    case .revoke(let email, let id):
      ["command": "device revoke", "email": .string(email), "id": .string(id)]
    }
  }

  /// Creates the command from JSON; nil if it is not one of these commands.
  package init?(json: JSONValue) {
    guard let command = json["command"]?.string, let email = json["email"]?.string else {
      return nil
    }
    switch command {
    case "device add":
      guard let kind = json["kind"]?.string.flatMap(HomeDevice.Kind.init(rawValue:)),
        let name = json["name"]?.string,
        let meaning = json["meaning"]?.string
          .flatMap(HomeDeviceCompartment.Meaning.init(rawValue:)),
        let compartments = json["compartments"]?.array
      else { return nil }
      self = .add(
        email: email, kind: kind, name: name, meaning: meaning,
        compartments: compartments.compactMap(\.string))
    case "device list": self = .list(email: email)
    case "device revoke":
      guard let id = json["id"]?.string else { return nil }
      self = .revoke(email: email, id: id)
    default: return nil
    }
  }
}

/// Manages the devices in people's homes, from the host.
extension Administration {
  /// Runs a command and returns the lines to print.
  func perform(_ command: HomeDeviceAdministrationCommand) async throws -> String {
    switch command {
    case .add(let email, let kind, let name, let meaning, let compartments):
      return try await add(
        kind, name, of: email,
        [HomeDeviceCompartment(HomeDeviceCompartment.whole, meaning)]
          + compartments.map { HomeDeviceCompartment($0, meaning) })
    case .list(let email):
      let account = try await account(email)
      let devices = try await environment.database.read { reader in
        try HomeDeviceQueries.all(patient: account.patient, in: reader)
      }
      return devices.map(line).joined(separator: "\n")
    case .revoke(let email, let id):
      let account = try await account(email)
      let commands = commands(account)
      try await environment.database.write { writer in
        try commands.revoke(HomeDeviceID(id), in: writer)
      }
      return id
    }
  }

  /// Adds a device and returns its id and its token.
  private func add(
    _ kind: HomeDevice.Kind, _ name: String, of email: String,
    _ compartments: [HomeDeviceCompartment]
  ) async throws -> String {
    let account = try await account(email)
    let id = HomeDeviceID(environment.newIdentifier())
    let secret = Secret(prefix: Secret.homeDevicePrefix, random: environment.random)
    let text = HomeDeviceText(Localizer.of(account.language ?? .en))
    let commands = commands(account)
    try await environment.database.write { writer in
      _ = try commands.add(
        kind, name: name, byName: text.byName(kind, name), compartments: compartments, id: id,
        token: secret, in: writer)
    }
    return "\(id) \(secret.text)"
  }

  /// Returns the commands in the name of an account, for its own patient.
  private func commands(_ account: Account) -> HomeDeviceCommands {
    HomeDeviceCommands(
      patient: account.patient, account: account.id, now: environment.now(),
      actor: Actor(
        accountID: account.id, kind: .host, relationships: [account.patient: .self_], scope: .own))
  }

  private func account(_ email: String) async throws -> Account {
    let address = try SignInName(email)
    let accounts = environment.accounts
    return try await environment.database.read { reader in
      guard let found = try accounts.account(named: address, in: reader) else {
        throw AccountError.unknownAccount
      }
      return found.account
    }
  }

  /// Returns the line of a device: its id, kind, state, last report and name.
  private func line(_ device: HomeDevice) -> String {
    let state = device.revoked == nil ? "enabled" : "revoked"
    return "\(device.id) \(device.kind.rawValue) \(state) "
      + "seen \(device.seen.map(UTC.text) ?? "never") \(TerminalText.line(device.name))"
  }
}

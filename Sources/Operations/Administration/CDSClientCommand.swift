// SPDX-License-Identifier: Apache-2.0

import FHIR

/// A command of the operator about the systems that may ask for decision support (CDS Hooks).
package enum CDSClientCommand: Sendable, Hashable {
  /// Adds a system, or replaces the keys and rights of the one with its issuer.
  ///
  /// - Parameters:
  ///   - keys: Its public keys as a JSON Web Key Set.
  ///   - email: The address of the account whose rights apply.
  ///   - reachesEveryPatient: True if it may ask about every patient.
  case add(issuer: String, keys: JSONValue, email: String, reachesEveryPatient: Bool)
  /// Lists the systems.
  case list
  /// Lets a system ask, or keeps it from asking.
  case enable(issuer: String, isEnabled: Bool)
  /// Removes a system.
  case remove(issuer: String)

  /// The command as it is sent through the socket.
  package var json: JSONValue {
    switch self {
    case .add(let issuer, let keys, let email, let reachesEveryPatient):
      [
        "command": "cds add", "issuer": .string(issuer), "keys": keys, "email": .string(email),
        "every-patient": .bool(reachesEveryPatient),
      ]
    case .list:
      ["command": "cds list"]
    case .enable(let issuer, let isEnabled):
      ["command": "cds enable", "issuer": .string(issuer), "enabled": .bool(isEnabled)]
    case .remove(let issuer):
      ["command": "cds remove", "issuer": .string(issuer)]
    }
  }

  /// Creates the command from JSON; nil if it is not one of these commands.
  package init?(json: JSONValue) {
    let issuer = json["issuer"]?.string
    switch json["command"]?.string {
    case "cds list":
      self = .list
    case "cds add":
      guard let issuer, let keys = json["keys"], let email = json["email"]?.string,
        let reachesEveryPatient = json["every-patient"]?.bool
      else { return nil }
      self = .add(
        issuer: issuer, keys: keys, email: email, reachesEveryPatient: reachesEveryPatient)
    case "cds enable":
      guard let issuer, let isEnabled = json["enabled"]?.bool else { return nil }
      self = .enable(issuer: issuer, isEnabled: isEnabled)
    case "cds remove":
      guard let issuer else { return nil }
      self = .remove(issuer: issuer)
    default:
      return nil
    }
  }
}

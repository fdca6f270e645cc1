// SPDX-License-Identifier: Apache-2.0

import Crypto
import FHIR

/// The site that passkeys belong to.
package struct RelyingParty: Sendable, Hashable {
  /// The host name, without scheme and port.
  package let id: String
  /// The scheme, host and port, as browsers write them.
  package let origin: String

  /// Creates the relying party of this server.
  package init(id: String, origin: String) {
    self.id = id
    self.origin = origin
  }

  var hash: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }
}

/// The rules for checking answers of passkeys (WebAuthn sections 7.1 and 7.2), as pure functions.
enum PasskeyCheck {
  /// Checks that the client data has the type and origin of this page and action, and returns the answered
  /// challenge.
  static func challenge(
    in clientData: [UInt8], type: String, party: RelyingParty
  ) throws(PasskeyFault) -> String {
    guard clientData.count <= 4096, let json = try? JSONValue(parsing: clientData) else {
      throw .unreadable
    }
    guard json["type"]?.string == type else { throw .wrongType }
    guard json["origin"]?.string == party.origin else { throw .wrongOrigin }
    guard json["crossOrigin"]?.bool ?? false == false, json["topOrigin"] == nil else {
      throw .framed
    }
    guard let challenge = json["challenge"]?.string else { throw .wrongChallenge }
    return challenge
  }

  /// Returns the credential in an attestation object, whose statement must be empty.
  static func registration(
    _ object: [UInt8], party: RelyingParty
  ) throws(PasskeyFault) -> (credential: AuthenticatorData.Credential, signs: UInt32) {
    guard object.count <= 16_384, let value = try? CBORReader.value(of: object),
      let bytes = value["authData"]?.bytes
    else { throw .unreadable }
    guard value["fmt"]?.text == "none", value["attStmt"] == .map([:]) else { throw .attested }
    guard let data = AuthenticatorData(bytes) else { throw .unreadable }
    try check(data, party: party)
    guard let credential = data.credential else { throw .unknownKey }
    return (credential, data.signs)
  }

  /// Checks an assertion against the key and returns the counter to store.
  static func assertion(
    _ bytes: [UInt8], clientData: [UInt8], signature: [UInt8], key: PasskeyKey, signs: UInt32,
    party: RelyingParty
  ) throws(PasskeyFault) -> UInt32 {
    guard bytes.count <= 4096, signature.count <= 1024, let data = AuthenticatorData(bytes) else {
      throw .unreadable
    }
    try check(data, party: party)
    guard key.verifies(signature, over: bytes + Array(SHA256.hash(data: clientData))) else {
      throw .wrongSignature
    }
    // Synced passkeys stay at zero; every other counter grows.
    guard data.signs > signs || (data.signs == 0 && signs == 0) else { throw .wrongCounter }
    return data.signs
  }

  private static func check(
    _ data: AuthenticatorData, party: RelyingParty
  ) throws(PasskeyFault) {
    guard data.relyingPartyHash == party.hash else { throw .wrongRelyingParty }
    guard data.isUserPresent else { throw .notPresent }
    guard data.isUserVerified else { throw .notVerified }
    guard data.mayBeBackedUp || !data.isBackedUp else { throw .wrongBackupState }
  }
}

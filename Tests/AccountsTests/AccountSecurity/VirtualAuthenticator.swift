// SPDX-License-Identifier: Apache-2.0

import Crypto
import Storage

@testable import Accounts

/// An authenticator for tests: creates keys, signs, and can be told to report something wrong.
struct VirtualAuthenticator {
  /// The reported data; a test can change each part.
  struct Saying {
    var type: String
    var challenge: String
    var origin = "https://pills.example"
    var crossOrigin: String?
    var relyingParty = "pills.example"
    var flags: UInt8
    var signs: UInt32 = 1
    var format = "none"
    var statement: [UInt8] = [0xA0]
    var trailing: [UInt8] = []
    var signature: [UInt8]?
    var userHandle: [UInt8] = []

    static func registration(_ challenge: String) -> Saying {
      Saying(type: "webauthn.create", challenge: challenge, flags: 0x45)
    }

    static func assertion(_ challenge: String) -> Saying {
      Saying(type: "webauthn.get", challenge: challenge, flags: 0x05)
    }

    var clientData: [UInt8] {
      let cross = crossOrigin.map { ",\"crossOrigin\":\($0)" } ?? ""
      return Array(
        "{\"type\":\"\(type)\",\"challenge\":\"\(challenge)\",\"origin\":\"\(origin)\"\(cross)}"
          .utf8)
    }
  }

  enum Key {
    case es256(P256.Signing.PrivateKey)
    case edDSA(Curve25519.Signing.PrivateKey)

    /// The public key as COSE.
    var cose: [UInt8] {
      switch self {
      case .es256(let key):
        let point = Array(key.publicKey.x963Representation)
        return [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point[1..<33] + [0x22, 0x58, 32]
          + point[33..<65]
      case .edDSA(let key):
        return [0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32]
          + Array(key.publicKey.rawRepresentation)
      }
    }

    func sign(_ bytes: [UInt8]) throws -> [UInt8] {
      switch self {
      case .es256(let key): Array(try key.signature(for: bytes).derRepresentation)
      case .edDSA(let key): Array(try key.signature(for: bytes))
      }
    }
  }

  let key: Key
  var credential: [UInt8] = Array(repeating: 7, count: 16)

  func register(_ saying: Saying) -> PasskeyRegistration {
    let length = UInt8(credential.count)
    let data =
      head(saying) + Array(repeating: 0, count: 16) + [0, length] + credential + key.cose
      + saying.trailing
    let format = Array(saying.format.utf8)
    let attestation: [UInt8] =
      [0xA3, 0x63] + Array("fmt".utf8) + [0x60 + UInt8(format.count)] + format
      + [0x67] + Array("attStmt".utf8) + saying.statement
      + [0x68] + Array("authData".utf8) + [0x58, UInt8(data.count)] + data
    return PasskeyRegistration(clientData: saying.clientData, attestation: attestation)
  }

  func sign(_ saying: Saying) throws -> PasskeyAssertion {
    let data = head(saying) + saying.trailing
    let signed = data + Array(SHA256.hash(data: saying.clientData))
    return PasskeyAssertion(
      credential: credential, clientData: saying.clientData, authenticatorData: data,
      signature: try saying.signature ?? key.sign(signed), userHandle: saying.userHandle)
  }

  private func head(_ saying: Saying) -> [UInt8] {
    Array(SHA256.hash(data: Array(saying.relyingParty.utf8))) + [saying.flags]
      + (0..<4).map { UInt8(truncatingIfNeeded: saying.signs >> (24 - 8 * UInt32($0))) }
  }
}

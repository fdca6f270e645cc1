// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import FHIR
import Foundation
import Identifiers
import Storage

/// A key of this server that signs ID tokens with ES256.
package struct AppSigningKey: Sendable {
  /// The name of the key in the published set.
  package let id: String
  let key: P256.Signing.PrivateKey
  let created: Timestamp

  /// The public key as published (RFC 7517).
  package var publicKey: JSONValue {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(id),
      "x": .string(Base64URL.encode(point.prefix(32))),
      "y": .string(Base64URL.encode(point.suffix(32))),
    ]
  }

  /// Returns claims as a signed token.
  package func sign(_ claims: JSONValue) throws -> String {
    let header: JSONValue = ["alg": "ES256", "typ": "JWT", "kid": .string(id)]
    let content = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
    let signature = try key.signature(for: Data(content.utf8))
    return "\(content).\(Base64URL.encode(Array(signature.rawRepresentation)))"
  }
}

/// The keys that sign ID tokens; each signs for 90 days and is published for a week longer.
extension AccountStore {
  private static let day: Int64 = 24 * 3_600_000
  private static let signsFor = 90 * day
  private static let publishedFor = 97 * day

  /// Returns the key that signs now; makes a new one if the last is too old.
  package func signingKey(
    random: RandomBytes, at now: Timestamp, in writer: any SQLWriter
  ) throws -> AppSigningKey {
    if let newest = try signingKeys(at: now, in: writer).first,
      now.milliseconds - newest.created.milliseconds < Self.signsFor
    {
      return newest
    }
    let key = Self.newKey(random)
    let id = Hexadecimal.encode(
      Fingerprint.digest(of: Array(key.publicKey.rawRepresentation)).prefix(8))
    let sealed = try cipher.seal(
      Base64URL.encode(Array(key.rawRepresentation)), context: Self.keyContext(id))
    try writer.execute(
      "DELETE FROM app_keys WHERE created < $1",
      [SQLValue(now.adding(milliseconds: -Self.publishedFor))])
    try writer.execute(
      "INSERT INTO app_keys (app_key, private_sealed, created) VALUES ($1, $2, $3)",
      [.text(id), .blob(sealed), SQLValue(now)])
    return AppSigningKey(id: id, key: key, created: now)
  }

  /// Returns the published keys, the newest first.
  package func signingKeys(
    at now: Timestamp, in reader: any SQLReader
  ) throws -> [AppSigningKey] {
    let rows = try reader.query(
      Self.keysStatement, [SQLValue(now.adding(milliseconds: -Self.publishedFor))])
    return try rows.compactMap { row -> AppSigningKey? in
      let found = row.read(AppKeyRow.self)
      let id = try found.text(.appKey)
      let text = try cipher.open(
        try found.blob(.privateSealed), context: Self.keyContext(id))
      guard let bytes = Base64URL.decode(text),
        let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
      else { return nil }
      return AppSigningKey(id: id, key: key, created: try found.timestamp(.created))
    }
  }

  private static let keysStatement = SQLStatement(
    "SELECT \(AppKeyRow.columns) FROM app_keys WHERE created >= $1 ORDER BY created DESC, app_key")

  private static func keyContext(_ id: String) -> String { "app_keys:\(id):private" }

  /// Almost all texts of 32 bytes are keys; the few others are skipped.
  private static func newKey(_ random: RandomBytes) -> P256.Signing.PrivateKey {
    while true {
      if let key = try? P256.Signing.PrivateKey(rawRepresentation: random(32)) { return key }
    }
  }
}

/// A stored key.
enum AppKeyRow: SQLRowType {
  enum Column: Int, SQLColumn { case appKey, privateSealed, created }

  static let columns = SQLColumns<Column>()
}

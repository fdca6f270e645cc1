// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Identifiers

/// The place of a node's chain: how far it goes and the hash of its last row.
struct AuditHead: Sendable, Hashable {
  /// The number of the last row; 0 before the first one.
  var sequence: Int64
  var hash: [UInt8]

  static let start = AuditHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))
}

/// The hashed part of an audit row: all columns except hash, MAC and key id.
struct AuditRow: Sendable, Hashable {
  var node: String
  var sequence: Int64
  var at: Int64
  var actor: AccountID
  var kind: String
  var patient: PatientID?
  var resource: String
  var resourceID: String?
  var version: Int64?
  var purpose: String
  var outcome: String
  var count: Int64
  /// The keyed digest of the record version that the row concerns.
  var digest: [UInt8]?
  /// The app that acted in the account's name.
  var app: AppID?

  init(_ entry: AuditEntry, node: String, sequence: Int64, seal: AuditSeal) {
    self.node = node
    self.sequence = sequence
    at = entry.at.milliseconds
    actor = entry.actor
    kind = entry.kind.rawValue
    patient = entry.patient
    resource = entry.resource
    resourceID = entry.resourceID
    version = entry.version
    purpose = entry.purpose
    outcome = entry.outcome.rawValue
    count = Int64(entry.count)
    digest = entry.content.map(seal.digest)
    app = entry.app
  }

  /// Returns SHA-256 of the previous hash and this row.
  ///
  /// Every field is preceded by its length, so that two different rows never give the same bytes.
  func hash(after previous: [UInt8]) -> [UInt8] {
    var bytes = previous
    bytes.reserveCapacity(256)
    append(node, to: &bytes)
    append(sequence, to: &bytes)
    append(at, to: &bytes)
    append(actor.text, to: &bytes)
    append(kind, to: &bytes)
    append(patient?.text, to: &bytes)
    append(resource, to: &bytes)
    append(resourceID, to: &bytes)
    append(version, to: &bytes)
    append(purpose, to: &bytes)
    append(outcome, to: &bytes)
    append(count, to: &bytes)
    // Rows written before digests were introduced keep their hash.
    if let digest {
      bytes.append(3)
      append(Int64(digest.count), to: &bytes)
      bytes.append(contentsOf: digest)
    }
    // So do rows without an app; the mark keeps an app apart from every digest.
    if let app {
      bytes.append(4)
      append(Int64(app.text.utf8.count), to: &bytes)
      bytes.append(contentsOf: app.text.utf8)
    }
    return Array(SHA256.hash(data: bytes))
  }

  private func append(_ text: String?, to bytes: inout [UInt8]) {
    guard let text else {
      bytes.append(0)
      return
    }
    bytes.append(1)
    append(Int64(text.utf8.count), to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  private func append(_ number: Int64?, to bytes: inout [UInt8]) {
    guard let number else {
      bytes.append(0)
      return
    }
    bytes.append(2)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
    }
  }
}

/// The keyed seals of rows and heads.
///
/// A head's seal differs from that of its row.
struct AuditSeal: Sendable {
  enum Subject: UInt8 {
    case row = 1
    case head = 2
    case file = 3
    case trail = 4
    case content = 5
  }

  let keys: KeyRing

  var currentKeyID: String { keys.audit.current.id }

  func mac(_ subject: Subject, node: String, _ head: AuditHead) -> [UInt8] {
    var mac = HMAC<SHA256>(key: keys.audit.current.secret)
    mac.update(data: message(subject, node, head))
    return Array(mac.finalize())
  }

  func isValid(
    _ mac: [UInt8], _ subject: Subject, node: String, _ head: AuditHead, keyID: String
  ) -> Bool {
    guard let key = keys.audit.key(id: keyID) else { return false }
    return HMAC<SHA256>.isValidAuthenticationCode(
      mac, authenticating: message(subject, node, head), using: key.secret)
  }

  /// Returns the digest of a record version.
  ///
  /// Without the key, no one can create it or guess the content from it.
  func digest(of content: String) -> [UInt8] {
    var mac = HMAC<SHA256>(key: keys.audit.current.secret)
    mac.update(data: [Subject.content.rawValue])
    mac.update(data: Array(content.utf8))
    return Array(mac.finalize())
  }

  /// Returns true if a digest matches a text, false if it does not or its key is unknown.
  func matches(_ digest: [UInt8], _ content: String, keyID: String) -> Bool {
    guard let key = keys.audit.key(id: keyID) else { return false }
    return HMAC<SHA256>.isValidAuthenticationCode(
      digest, authenticating: [Subject.content.rawValue] + content.utf8, using: key.secret)
  }

  private func message(_ subject: Subject, _ node: String, _ head: AuditHead) -> [UInt8] {
    var bytes: [UInt8] = [subject.rawValue]
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: head.sequence >> Int64(shift)))
    }
    bytes.append(contentsOf: head.hash)
    bytes.append(contentsOf: node.utf8)
    return bytes
  }
}

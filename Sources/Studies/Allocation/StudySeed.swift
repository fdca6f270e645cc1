// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import Identifiers
import Reminders
import Storage

/// The secret of a study, encrypted in the database, from which the allocation and the shifts of dates follow.
struct StudySeed: Sendable {
  /// The number of bytes.
  static let size = 32
  /// The most weeks by which the dates of a participant are moved into the past.
  static let mostWeeks = 260

  let bytes: [UInt8]

  /// Returns the seed of a study; the first one proposed is kept.
  static func of(
    _ study: StudyID, orKeep proposed: [UInt8], accounts: AccountStore, in writer: any SQLWriter
  ) throws -> StudySeed {
    let text = try StoredSecrets.value(
      "study:\(study)", orKeep: Hexadecimal.encode(proposed), accounts: accounts, in: writer)
    guard let bytes = Hexadecimal.decode(text), bytes.count == size else {
      throw StorageError.decryptionFailed
    }
    return StudySeed(bytes: bytes)
  }

  /// Returns the whole weeks by which the dates of a participant are moved into the past: always the same for the same
  /// participant, and known to nobody without the seed.
  func weeks(of pseudonym: StudyPseudonym) -> Int {
    let digest = SHA256.hash(data: bytes + Array("weeks \(pseudonym)".utf8))
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return 1 + Int(number % UInt64(Self.mostWeeks))
  }
}

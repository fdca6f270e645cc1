// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The encryption of the chunks of a backup: AES-256-GCM under the file's own key.
///
/// The nonce consists of the number of the chunk and a flag for the last one. A chunk that is changed,
/// missing, moved or duplicated cannot be decrypted at its position, and a truncated file has no valid last
/// chunk.
struct BackupChunks: Sendable {
  static let tagBytes = 16
  let key: SymmetricKey

  func seal(_ bytes: [UInt8], number: UInt64, isLast: Bool) throws -> [UInt8] {
    let box = try AES.GCM.seal(bytes, using: key, nonce: try nonce(number, isLast: isLast))
    return Array(box.ciphertext) + Array(box.tag)
  }

  /// Decrypts a chunk; nil if it does not belong at this position or was changed.
  func open(_ sealed: [UInt8], number: UInt64, isLast: Bool) -> [UInt8]? {
    guard sealed.count >= Self.tagBytes,
      let box = try? AES.GCM.SealedBox(
        nonce: try nonce(number, isLast: isLast), ciphertext: sealed.dropLast(Self.tagBytes),
        tag: sealed.suffix(Self.tagBytes)),
      let bytes = try? AES.GCM.open(box, using: key)
    else { return nil }
    return Array(bytes)
  }

  /// Returns a nonce that is never used twice: each file has its own key, and each chunk its own number.
  private func nonce(_ number: UInt64, isLast: Bool) throws -> AES.GCM.Nonce {
    var bytes: [UInt8] = [0, 0, 0]
    bytes.append(bigEndian: number)
    bytes.append(isLast ? 1 : 0)
    return try AES.GCM.Nonce(data: bytes)
  }
}

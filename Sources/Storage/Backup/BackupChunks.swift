// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// How the pieces of a backup are sealed: AES-256-GCM under the file's own key, with the number of
/// the piece and whether it is the last one as nonce.
///
/// A piece that is changed, left out, moved or put in twice does not open at its place, and a file
/// without its end has no piece that opens as the last.
struct BackupChunks: Sendable {
  static let tagBytes = 16
  let key: SymmetricKey

  func seal(_ bytes: [UInt8], number: UInt64, isLast: Bool) throws -> [UInt8] {
    let box = try AES.GCM.seal(bytes, using: key, nonce: try nonce(number, isLast: isLast))
    return Array(box.ciphertext) + Array(box.tag)
  }

  /// Nil when the piece does not belong here or was changed.
  func open(_ sealed: [UInt8], number: UInt64, isLast: Bool) -> [UInt8]? {
    guard sealed.count >= Self.tagBytes,
      let box = try? AES.GCM.SealedBox(
        nonce: try nonce(number, isLast: isLast), ciphertext: sealed.dropLast(Self.tagBytes),
        tag: sealed.suffix(Self.tagBytes)),
      let bytes = try? AES.GCM.open(box, using: key)
    else { return nil }
    return Array(bytes)
  }

  /// Never used twice: the key is made for one file, and each piece has another number.
  private func nonce(_ number: UInt64, isLast: Bool) throws -> AES.GCM.Nonce {
    var bytes: [UInt8] = [0, 0, 0]
    bytes.append(bigEndian: number)
    bytes.append(isLast ? 1 : 0)
    return try AES.GCM.Nonce(data: bytes)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Foundation
import Secrecy

/// The secret that opens a backup: a passphrase that people keep, or a key that machines keep.
package enum BackupSecret: Sendable, Unprintable {
  case passphrase(String)
  case key([UInt8])

  /// The minimum length, as for a password that is the only protection.
  private static let minimumCharacters = 15
  private static let keyBytes = 32

  /// Creates a passphrase from the first line of a file, which must have at least 15 characters.
  package init(passphraseFile path: String) throws {
    let line = try Self.firstLine(of: path)
    // The same text typed on two keyboards may be composed differently: NFC makes it equal.
    let text = line.precomposedStringWithCanonicalMapping
    guard text.count >= Self.minimumCharacters else {
      throw BackupError.passphraseTooShort(minimum: Self.minimumCharacters)
    }
    self = .passphrase(text)
  }

  /// Creates a key from a key file: 32 bytes in base64 on its first line.
  package init(keyFile path: String) throws {
    let line = try Self.firstLine(of: path)
    guard let bytes = Data(base64Encoded: line), bytes.count == Self.keyBytes else {
      throw BackupError.keyFileUnusable(path: path)
    }
    self = .key(Array(bytes))
  }

  private static func firstLine(of path: String) throws -> String {
    guard let content = FileManager.default.contents(atPath: path) else {
      throw BackupError.file(path: path, code: errno)
    }
    let line = content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw BackupError.keyFileUnusable(path: path)
    }
    return text
  }

  var kind: BackupPreamble.SecretKind {
    switch self {
    case .passphrase: .passphrase
    case .key: .file
    }
  }

  /// Derives the keys of one file.
  ///
  /// With a passphrase this takes a quarter of a second and 128 MiB.
  func keys(for preamble: BackupPreamble) throws -> BackupKeys {
    switch self {
    case .passphrase(let text):
      guard let cost = preamble.scrypt else {
        throw BackupError.otherSecret(needsPassphrase: false)
      }
      let rounds = 1 << cost.logarithm
      let master = try KDF.Scrypt.deriveKey(
        from: Array(text.utf8), salt: preamble.salt, outputByteCount: Self.keyBytes,
        rounds: rounds, blockSize: cost.blockSize, parallelism: cost.parallelism,
        maxMemory: 256 * cost.blockSize * rounds)
      return BackupKeys(master: master, salt: preamble.salt)
    case .key(let bytes):
      guard preamble.secret == .file else {
        throw BackupError.otherSecret(needsPassphrase: true)
      }
      return BackupKeys(master: SymmetricKey(data: bytes), salt: preamble.salt)
    }
  }
}

/// The keys of one backup file, unique because of its random salt.
struct BackupKeys: Sendable {
  /// The key that encrypts the chunks.
  let chunks: SymmetricKey
  /// The key that proves that the secret is right and the beginning of the file is unchanged.
  let preamble: SymmetricKey

  init(master: SymmetricKey, salt: [UInt8]) {
    func key(_ use: String) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: master, salt: salt, info: Array("regimen backup 1 \(use)".utf8),
        outputByteCount: 32)
    }
    chunks = key("chunks")
    preamble = key("preamble")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The unencrypted beginning of a backup: the encryption parameters, and nothing of the content.
///
/// In the file: the mark, the format in two bytes, the length of this JSON in four, the JSON, and an HMAC of
/// all of it. Numbers are big-endian.
struct BackupPreamble: Sendable, Equatable {
  static let mark = Array("REGIMEN BACKUP\r\n".utf8)
  static let format = 1
  static let chunkBytes = 256 * 1024
  private static let maximumBytes = 4096
  private static let macBytes = 32

  enum SecretKind: String, Codable, Sendable {
    case passphrase, file
  }

  /// The parameters for deriving a key from a passphrase.
  struct Scrypt: Codable, Sendable, Equatable {
    let logarithm: Int
    let blockSize: Int
    let parallelism: Int

    /// N = 2^17, r = 8, p = 1, as for passwords.
    static let standard = Scrypt(logarithm: 17, blockSize: 8, parallelism: 1)

    /// True if the parameters are acceptable: a file from a stranger must not use up the memory.
    var isBearable: Bool {
      (10...20).contains(logarithm) && blockSize == 8 && parallelism == 1
    }
  }

  private struct Content: Codable {
    let cipher: String
    let chunk: Int
    let secret: SecretKind
    let scrypt: Scrypt?
    let salt: Data
  }

  private static let cipher = "AES-256-GCM"

  let secret: SecretKind
  let scrypt: Scrypt?
  let salt: [UInt8]

  init(secret: SecretKind, salt: [UInt8], scrypt: Scrypt = .standard) {
    self.secret = secret
    self.scrypt = secret == .passphrase ? scrypt : nil
    self.salt = salt
  }

  /// Returns the beginning of the file, authenticated with its keys.
  func bytes(keys: BackupKeys) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let json = try encoder.encode(
      Content(
        cipher: Self.cipher, chunk: Self.chunkBytes, secret: secret, scrypt: scrypt,
        salt: Data(salt)))
    var bytes = Self.mark
    bytes.append(contentsOf: [UInt8(Self.format >> 8), UInt8(Self.format & 0xFF)])
    bytes.append(bigEndian: UInt32(json.count))
    bytes.append(contentsOf: json)
    return bytes + Array(HMAC<SHA256>.authenticationCode(for: bytes, using: keys.preamble))
  }

  /// Reads the beginning of a file.
  ///
  /// - Parameter next: returns the requested number of bytes, or fewer at the end of the file.
  static func read(
    path: String, _ next: (Int) throws -> [UInt8]
  ) throws -> (preamble: BackupPreamble, bytes: [UInt8], mac: [UInt8]) {
    var bytes = try next(mark.count + 6)
    guard bytes.count == mark.count + 6, bytes.starts(with: mark) else {
      throw BackupError.notABackup(path: path)
    }
    let version = Int(bytes[mark.count]) << 8 | Int(bytes[mark.count + 1])
    guard version == format else { throw BackupError.unknownFormat(version: version) }
    let length = bytes[(mark.count + 2)...].reduce(0) { $0 << 8 | Int($1) }
    guard length <= maximumBytes else { throw BackupError.malformed }
    let json = try next(length)
    let mac = try next(macBytes)
    guard json.count == length, mac.count == macBytes else { throw BackupError.cut }
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(json)),
      content.cipher == cipher, content.chunk == chunkBytes, content.salt.count == 32,
      (content.secret == .passphrase) == (content.scrypt != nil),
      content.scrypt?.isBearable ?? true
    else { throw BackupError.malformed }
    bytes += json
    let preamble = BackupPreamble(
      secret: content.secret, salt: Array(content.salt), scrypt: content.scrypt ?? .standard)
    return (preamble, bytes, mac)
  }

  static func isValid(_ mac: [UInt8], of bytes: [UInt8], keys: BackupKeys) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: bytes, using: keys.preamble)
  }
}

extension [UInt8] {
  mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}

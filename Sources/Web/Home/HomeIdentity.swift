// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Foundation
import Storage
import SwiftASN1
import X509

/// A certificate with its secret key (ECDSA on P-256), stored in two files.
struct HomeIdentity: Sendable {
  let certificate: Certificate
  let key: P256.Signing.PrivateKey

  /// The certificate in DER, as sent to clients.
  var der: [UInt8] {
    var serializer = DER.Serializer()
    // A parsed or signed certificate can always be serialized.
    guard (try? serializer.serialize(certificate)) != nil else { return [] }
    return serializer.serializedBytes
  }

  /// The start of the validity.
  var start: Timestamp { Timestamp(seconds: certificate.notValidBefore) }
  /// The end of the validity.
  var end: Timestamp { Timestamp(seconds: certificate.notValidAfter) }

  /// Returns a new secret key.
  static func makeKey(random: RandomBytes) throws(HomeError) -> P256.Signing.PrivateKey {
    // One random value in 2^32 is outside the group.
    for _ in 0..<8 {
      if let key = try? P256.Signing.PrivateKey(rawRepresentation: random(32)) { return key }
    }
    throw .making(reason: "no key could be generated")
  }

  /// Returns a serial number of 127 random bits, always positive and never short.
  static func makeSerialNumber(random: RandomBytes) -> Certificate.SerialNumber {
    var bytes = random(16)
    if !bytes.isEmpty { bytes[0] = bytes[0] & 0x3F | 0x40 }
    return Certificate.SerialNumber(bytes: bytes)
  }

  // MARK: files

  /// Writes the key before the certificate: a certificate without its key is never left behind.
  func write(to files: HomeFiles) throws(StorageError) {
    guard let pem = try? certificate.serializeAsPEM().pemString else { return }
    try PrivateFile.replace(files.key, with: Data(key.pemRepresentation.utf8), synced: true)
    try PrivateFile.replace(files.certificate, with: Data(pem.utf8), synced: true)
  }

  /// Reads both files; nil if there is no certificate.
  init?(from files: HomeFiles) throws {
    guard PrivateFile.exists(files.certificate) else { return nil }
    func unusable(_ reason: String) -> HomeError {
      .authorityUnusable(path: files.certificate, reason: reason)
    }
    guard PrivateFile.exists(files.key) else { throw unusable("its key file is missing") }
    guard !PrivateFile.isOpenToOthers(files.key) else {
      throw HomeError.keyOpenToOthers(path: files.key)
    }
    let text = String(decoding: try PrivateFile.read(files.certificate), as: UTF8.self)
    let keyText = String(decoding: try PrivateFile.read(files.key), as: UTF8.self)
    guard let certificate = try? Certificate(pemEncoded: text) else {
      throw unusable("it is not a certificate")
    }
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: keyText) else {
      throw unusable("its key file does not contain a P-256 key")
    }
    guard Certificate.PublicKey(key.publicKey) == certificate.publicKey else {
      throw unusable("certificate and key do not belong together")
    }
    self.init(certificate: certificate, key: key)
  }

  init(certificate: Certificate, key: P256.Signing.PrivateKey) {
    self.certificate = certificate
    self.key = key
  }
}

/// The files of a certificate and its key.
struct HomeFiles: Sendable {
  let certificate: String
  let key: String

  /// Returns the home authority's files.
  static func authority(in folder: String) -> HomeFiles {
    HomeFiles(
      certificate: folder + "/home-authority.crt", key: folder + "/home-authority.key")
  }

  /// Returns the server's own files.
  static func server(in folder: String) -> HomeFiles {
    HomeFiles(certificate: folder + "/home-server.crt", key: folder + "/home-server.key")
  }
}

extension Timestamp {
  /// Creates the instant of a certificate, in whole seconds.
  init(seconds date: Date) {
    self.init(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
  }

  var date: Date { Date(timeIntervalSince1970: Double(milliseconds / 1000)) }

  func adding(days: Int64) -> Timestamp { adding(milliseconds: days * 86_400_000) }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority for one test, and certificates issued by it.
struct TestAuthority {
  private let key = P256.Signing.PrivateKey()
  private let certificate: Certificate

  init() throws {
    certificate = try Self.certificate(
      named: "Authority of a test", for: key.publicKey, issuedBy: "Authority of a test", key: key,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
      })
  }

  var trustRoots: NIOSSLTrustRoots {
    get throws { .certificates([try Self.portable(certificate)]) }
  }

  /// Returns the TLS context of a server with this name.
  func server(name: String) throws -> NIOSSLContext {
    let serverKey = P256.Signing.PrivateKey()
    let server = try Self.certificate(
      named: name, for: serverKey.publicKey, issuedBy: "Authority of a test", key: key,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([.dnsName(name)])
      })
    let privateKey = try NIOSSLPrivateKey(
      bytes: Array(serverKey.derRepresentation), format: .der)
    return try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [.certificate(try Self.portable(server))],
        privateKey: .privateKey(privateKey)))
  }

  private static func certificate(
    named name: String, for publicKey: P256.Signing.PublicKey, issuedBy issuer: String,
    key: P256.Signing.PrivateKey, extensions: Certificate.Extensions
  ) throws -> Certificate {
    let now = Date()
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PublicKey(publicKey), notValidBefore: now.addingTimeInterval(-3600),
      notValidAfter: now.addingTimeInterval(86_400),
      issuer: try DistinguishedName { CommonName(issuer) },
      subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(key))
  }

  private static func portable(_ certificate: Certificate) throws -> NIOSSLCertificate {
    try NIOSSLCertificate(
      bytes: Array(try certificate.serializeAsPEM().derBytes), format: .der)
  }
}

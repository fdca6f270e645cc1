// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Foundation
import Storage
import SwiftASN1
import X509

/// The certificate authority of one home.
///
/// It is created once, trusted once on each device, and kept in the data folder.
package struct HomeAuthority: Sendable {
  /// The lifetime of the authority: ten years, since each device has to trust a new one by hand,
  /// and it is limited to this home.
  static let lifetimeDays: Int64 = 3650
  /// The lifetime of the server certificate: Apple allows at most 825 days, and browsers 398 for
  /// public authorities.
  static let serverLifetimeDays: Int64 = 397

  let identity: HomeIdentity
  let scope: HomeScope

  /// The certificate in DER, as devices import it.
  package var der: [UInt8] { identity.der }

  /// The SHA-256 of the certificate as devices show it: `3F:0A:…`.
  package var fingerprint: String {
    Fingerprint.digest(of: der).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined(separator: ":")
  }

  /// The name in the devices' lists, for example `Regimen kitchen`.
  package var name: String {
    identity.certificate.subject.flatMap { $0 }
      .first { $0.type == .RDNAttributeType.commonName }
      .map { String(describing: $0.value) } ?? ""
  }

  /// Creates an authority that may sign server certificates within the scope, and nothing else.
  static func make(
    for machine: HomeMachine, scope: HomeScope, at now: Timestamp, random: RandomBytes
  ) throws(HomeError) -> HomeAuthority {
    let key = try HomeIdentity.makeKey(random: random)
    let publicKey = Certificate.PublicKey(key.publicKey)
    do {
      let name = try commonName("Regimen \(HomeNames.hostName(machine.hostName) ?? "home")")
      let certificate = try Certificate(
        version: .v3, serialNumber: HomeIdentity.makeSerialNumber(random: random),
        publicKey: publicKey, notValidBefore: now.adding(days: -1).date,
        notValidAfter: now.adding(days: lifetimeDays).date, issuer: name, subject: name,
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true))
          Critical(scope.constraints)
          SubjectKeyIdentifier(hash: publicKey)
        }, issuerPrivateKey: Certificate.PrivateKey(key))
      return HomeAuthority(
        identity: HomeIdentity(certificate: certificate, key: key), scope: scope)
    } catch {
      throw .making(reason: "\(type(of: error))")
    }
  }

  /// Issues the server's certificate, with its own key.
  func issue(
    for names: HomeNames, at now: Timestamp, random: RandomBytes
  ) throws(HomeError) -> HomeIdentity {
    let key = try HomeIdentity.makeKey(random: random)
    let publicKey = Certificate.PublicKey(key.publicKey)
    // A phone's clock may be behind; the certificate must be valid within the authority's lifetime.
    let start = max(now.adding(days: -1), identity.start)
    do {
      let identifier = try identity.certificate.extensions.subjectKeyIdentifier?.keyIdentifier
      let alternatives =
        names.hosts.map(GeneralName.dnsName)
        + names.addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) }
      let certificate = try Certificate(
        version: .v3, serialNumber: HomeIdentity.makeSerialNumber(random: random),
        publicKey: publicKey, notValidBefore: start.date,
        notValidAfter: min(start.adding(days: Self.serverLifetimeDays), identity.end).date,
        issuer: identity.certificate.subject, subject: try Self.commonName("Regimen"),
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          try ExtendedKeyUsage([.serverAuth])
          SubjectAlternativeNames(alternatives)
          SubjectKeyIdentifier(hash: publicKey)
          AuthorityKeyIdentifier(keyIdentifier: identifier)
        }, issuerPrivateKey: Certificate.PrivateKey(identity.key))
      return HomeIdentity(certificate: certificate, key: key)
    } catch {
      throw .making(reason: "\(type(of: error))")
    }
  }

  /// Returns a common name of at most 64 characters, the limit of X.520.
  private static func commonName(_ text: String) throws -> DistinguishedName {
    try DistinguishedName { CommonName(String(text.prefix(64))) }
  }
}

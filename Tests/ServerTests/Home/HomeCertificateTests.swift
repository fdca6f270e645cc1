// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1
import Testing

@testable import Web
@_spi(FixedExpiryValidationTime) import X509

/// The content of the certificates.
@Suite struct HomeCertificateTests {
  @Test func `the authority can only sign servers of this home`() throws {
    let house = try HomeHouse()
    let home = try house.open()
    let certificate = home.authority.identity.certificate
    #expect(certificate.issuer == certificate.subject)
    #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    #expect(certificate.signatureAlgorithm == .ecdsaWithSHA256)
    let basic = try #require(try certificate.extensions.basicConstraints)
    #expect(basic == .isCertificateAuthority(maxPathLength: 0))
    #expect(try certificate.extensions.keyUsage == KeyUsage(keyCertSign: true))
    for identifier in [
      ASN1ObjectIdentifier.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
      .X509ExtensionID.nameConstraints,
    ] {
      #expect(certificate.extensions[oid: identifier]?.critical == true)
    }
    let constraints = try #require(try certificate.extensions.nameConstraints)
    #expect(Set(constraints.permittedDNSDomains).isSuperset(of: ["local", "localhost", "kitchen"]))
    #expect(!constraints.permittedIPRanges.isEmpty)
    #expect(HomeScope(of: certificate) == home.authority.scope)
    #expect(certificate.serialNumber.bytes.count == 16)
    #expect((certificate.serialNumber.bytes.first ?? 0xFF) < 0x80)
    #expect(home.authority.name == "Regimen kitchen")
    let lifetime = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
    #expect(lifetime == 3651 * 86_400)
  }

  @Test func `the fingerprint is SHA-256 of the DER form`() throws {
    let authority = try HomeHouse().open().authority
    let digest = SHA256.hash(data: authority.der).map { String(format: "%02X", $0) }
    #expect(authority.fingerprint == digest.joined(separator: ":"))
    #expect(try Certificate(derEncoded: authority.der) == authority.identity.certificate)
  }

  @Test func `the server's certificate has all its names`() throws {
    let house = try HomeHouse(["127.0.0.1/8", "192.168.1.20/24", "fd00::2/64"])
    let home = try house.open(publicHost: "med.example.org")
    let certificate = home.server.certificate
    let authority = home.authority.identity.certificate
    let alternatives = try #require(try certificate.extensions.subjectAlternativeNames)
    let expected: [GeneralName] =
      ["kitchen", "kitchen.local", "localhost", "med.example.org"].map(GeneralName.dnsName)
      + [
        [127, 0, 0, 1], [192, 168, 1, 20], Array(repeating: 0, count: 15) + [1],
        [0xFD] + Array(repeating: 0, count: 14) + [2],
      ].map { (bytes: [UInt8]) in .ipAddress(ASN1OctetString(contentBytes: bytes[...])) }
    #expect(Array(alternatives) == expected)
    #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)
    #expect(try certificate.extensions.keyUsage == KeyUsage(digitalSignature: true))
    #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
    #expect(
      try certificate.extensions.authorityKeyIdentifier?.keyIdentifier
        == authority.extensions.subjectKeyIdentifier?.keyIdentifier)
    #expect(certificate.issuer == authority.subject)
    #expect(authority.publicKey.isValidSignature(certificate.signature, for: certificate))
    #expect(certificate.publicKey != authority.publicKey)
    let lifetime = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
    #expect(lifetime == 397 * 86_400)
    let now = house.clock.now.date
    #expect(certificate.notValidBefore <= now.addingTimeInterval(-86_400))
    #expect(certificate.notValidAfter > now)
  }

  /// Returns true if a verifier that trusts the authority accepts the certificate on that day.
  private func accepts(
    _ certificate: Certificate, of home: HomeCertificates, host: String? = nil,
    address: String? = nil, at date: Date
  ) async -> Bool {
    var verifier = Verifier(
      rootCertificates: CertificateStore([home.authority.identity.certificate])
    ) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      ServerIdentityPolicy(serverHostname: host, serverIP: address)
    }
    let result = await verifier.validate(
      leaf: certificate, intermediates: CertificateStore([]))
    if case .validCertificate = result { return true }
    return false
  }

  @Test(
    arguments: [
      ("kitchen.local", nil, 0, true), ("localhost", nil, 0, true), ("kitchen", nil, 395, true),
      (nil, "192.168.1.20", 0, true), (nil, "127.0.0.1", 0, true), (nil, "192.168.1.21", 0, false),
      ("other.local", nil, 0, false), ("kitchen.local", nil, 397, false),
      ("kitchen.local", nil, -2, false),
    ] as [(String?, String?, Int, Bool)])
  func `a device that trusts the authority accepts the server`(
    host: String?, address: String?, day: Int, isAccepted: Bool
  ) async throws {
    let house = try HomeHouse()
    let home = try house.open()
    let date = house.clock.now.adding(days: Int64(day)).date
    let accepted = await accepts(
      home.server.certificate, of: home, host: host, address: address, at: date)
    #expect(accepted == isAccepted)
  }

  @Test(arguments: [("bank.example", nil), (nil, "8.8.8.8")] as [(String?, String?)])
  func `a stolen key can't impersonate outside servers`(
    host: String?, address: String?
  ) async throws {
    let house = try HomeHouse()
    let home = try house.open()
    let forged = try home.authority.issue(
      for: HomeNames(
        hosts: Set([host].compactMap(\.self)),
        addresses: Set([address].compactMap { $0.flatMap { NetworkAddress($0) } })),
      at: house.clock.now, random: HomeHouse.random)
    let accepted = await accepts(
      forged.certificate, of: home, host: host, address: address, at: house.clock.now.date)
    #expect(!accepted)
  }
}

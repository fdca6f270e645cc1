// SPDX-License-Identifier: Apache-2.0

import Storage
import SwiftASN1
import X509

extension HomeAuthority {
  /// Returns true if the authority may certify the host of a public address.
  func permits(_ publicHost: String) -> Bool {
    switch PublicHost(publicHost) {
    case .name(let name): scope.permits(name)
    case .address(let address): scope.permits(address)
    case nil: false
    }
  }
}

extension HomeIdentity {
  /// Returns true if this certificate can stay in use: issued by the authority for exactly these
  /// names, valid, and not about to expire.
  func serves(_ names: HomeNames, of authority: HomeAuthority, at now: Timestamp) -> Bool {
    let signer = authority.identity.certificate.publicKey
    guard self.names == names, signer.isValidSignature(certificate.signature, for: certificate)
    else { return false }
    let begins = max(now, authority.identity.start)
    let renewal = end.adding(days: -HomeCertificates.renewalDays)
    return start <= begins && (now < renewal || end == authority.identity.end)
  }

  /// The names in the certificate; nil if it has none or other kinds.
  private var names: HomeNames? {
    guard let alternatives = try? certificate.extensions.subjectAlternativeNames else { return nil }
    var hosts: Set<String> = []
    var addresses: Set<NetworkAddress> = []
    for alternative in alternatives {
      switch alternative {
      case .dnsName(let name): hosts.insert(name)
      case .ipAddress(let bytes):
        if let address = NetworkAddress(bytes: Array(bytes.bytes)) { addresses.insert(address) }
      default: return nil
      }
    }
    return HomeNames(hosts: hosts, addresses: addresses)
  }
}

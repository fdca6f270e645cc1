// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Foundation
import Localization
import Web

/// A configuration profile with the home's certificate authority, for iPhones and iPads.
///
/// It is not signed: the person compares the fingerprint and trusts the authority by hand.
package struct AppleProfile: Sendable {
  let authority: HomeAuthority
  let localizer: Localizer

  /// The profile as an XML property list.
  ///
  /// The same authority gives the same identifiers, so that installing again replaces.
  var bytes: [UInt8] {
    let name = "regimen.home.\(Hexadecimal.encode(Array(digest.prefix(8))))"
    let certificate: [String: Any] = [
      "PayloadType": "com.apple.security.root", "PayloadVersion": 1,
      "PayloadIdentifier": "\(name).authority", "PayloadUUID": identifier(2),
      "PayloadDisplayName": authority.name, "PayloadCertificateFileName": "regimen-authority.crt",
      "PayloadContent": Data(authority.der),
    ]
    let profile: [String: Any] = [
      "PayloadType": "Configuration", "PayloadVersion": 1, "PayloadIdentifier": name,
      "PayloadUUID": identifier(1), "PayloadDisplayName": authority.name,
      "PayloadDescription": localizer.text("trust.profile"), "PayloadContent": [certificate],
    ]
    let data = try? PropertyListSerialization.data(
      fromPropertyList: profile, format: .xml, options: 0)
    return data.map(Array.init) ?? []
  }

  private var digest: [UInt8] { Fingerprint.digest(of: authority.der) }

  /// Returns an identifier derived from the authority (RFC 9562, version 8).
  private func identifier(_ number: UInt8) -> String {
    var bytes = Array(Fingerprint.digest(of: digest + [number]).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = Hexadecimal.encode(bytes).uppercased()
    let cuts = [0, 8, 12, 16, 20, 32]
    return zip(cuts, cuts.dropFirst()).map { text.dropFirst($0).prefix($1 - $0) }
      .joined(separator: "-")
  }
}

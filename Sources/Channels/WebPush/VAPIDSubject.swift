// SPDX-License-Identifier: Apache-2.0

/// The contact for operators of push services: the `sub` of RFC 8292.
package enum VAPIDSubject {
  /// Returns true for a contact that push services accept.
  ///
  /// It is `mailto:` with an address or an `https:` page, on a host that can be reached from
  /// outside. Apple answers 403 to anything else, `localhost` included.
  package static func isContactable(_ text: String) -> Bool {
    if text.hasPrefix("mailto:") {
      guard let address = MailAddress(String(text.dropFirst(7))), address.name == nil,
        let domain = address.mailbox.split(separator: "@").last
      else { return false }
      return isPublicName(domain)
    }
    guard text.hasPrefix("https://"), text.utf8.count <= 512,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return false }
    return isPublicName(text.dropFirst(8).prefix { !"/?#:".contains($0) })
  }

  /// Returns true for a name with two or more labels that is not reserved for private use (RFC 6761, RFC
  /// 6762).
  private static func isPublicName(_ name: Substring) -> Bool {
    let labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, let last = labels.last,
      labels.allSatisfy({
        !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      })
    else { return false }
    let reserved: Set<Substring> = [
      "localhost", "local", "internal", "invalid", "test", "example", "lan", "home", "arpa",
    ]
    return !reserved.contains(last) && !last.allSatisfy(\.isNumber)
  }
}

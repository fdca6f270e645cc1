// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Web

/// The contact for reporting vulnerabilities of this installation, as set by its operator.
package struct SecurityContact: Sendable, Hashable {
  /// The addresses, such as `mailto:security@example.org` or `https://example.org/report`, the
  /// preferred one first.
  package let contacts: [String]
  /// The https address of the page that describes how reports are handled; nil without one.
  package let policy: String?

  /// Creates a contact; a bare e-mail address becomes a `mailto:` address.
  ///
  /// It is nil unless there is at least one address, all of them are `mailto:`, `https:` or `tel:`
  /// addresses of at most 500 ASCII characters, and the policy is an https address (RFC 9116).
  package init?(contacts: [String], policy: String?) {
    let contacts = contacts.map { $0.contains(":") || !$0.contains("@") ? $0 : "mailto:\($0)" }
    guard !contacts.isEmpty, contacts.allSatisfy(Self.isContact),
      policy.map({ $0.hasPrefix("https://") && Self.isClean($0) }) ?? true
    else { return nil }
    self.contacts = contacts
    self.policy = policy
  }

  private static func isContact(_ text: String) -> Bool {
    isClean(text)
      && ["mailto:", "https://", "tel:"].contains { text.hasPrefix($0) && text.count > $0.count }
  }

  private static func isClean(_ text: String) -> Bool {
    text.utf8.count <= 500 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension ServerSettings {
  /// The contact for reporting vulnerabilities; nil if the operator set none.
  package var securityContact: SecurityContact? {
    get { features[ifSet: SecurityContact.self] }
    set { features[ifSet: SecurityContact.self] = newValue }
  }
}

/// The file for reporting vulnerabilities: `/.well-known/security.txt` (RFC 9116).
package enum SecurityText {
  /// The path that RFC 9116 prescribes.
  package static let path = "/.well-known/security.txt"
  /// The route of the file, open to all; "not found" if the operator set no contact.
  package static let all: [Route] = [.open(.get, path, show)]

  /// The number of days after the request at which the file expires.
  private static let days: Int64 = 180
  private static let day: Int64 = 86_400_000

  private static func show(_ call: Call) throws -> Response {
    guard let contact = call.environment.settings.securityContact else { throw Failure.notFound }
    let today = call.now.milliseconds - call.now.milliseconds % day
    var lines = contact.contacts.map { "Contact: \($0)" }
    lines.append("Expires: \(UTC.text(Timestamp(milliseconds: today + days * day)))")
    if let policy = contact.policy { lines.append("Policy: \(policy)") }
    if let address = call.environment.settings.publicURL, address.hasPrefix("https://") {
      lines.append("Canonical: \(address)\(path)")
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
      body: ResponseBody(
        byteBuffer: ByteBuffer(string: lines.map { $0 + "\n" }.joined())))
  }
}

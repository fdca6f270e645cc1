// SPDX-License-Identifier: Apache-2.0

/// The rule for sending Strict-Transport-Security (RFC 6797).
enum StrictTransport {
  static let value = "max-age=31536000; includeSubDomains"

  /// Names that mean another machine in each home, so that nothing about them may persist.
  private static let homely = ["localhost", "local", "lan", "home", "internal", "arpa", "test"]

  /// Returns true if the authority of a request is a public internet name.
  ///
  /// Other programs and ports share IP addresses and the names of the home and this machine; a
  /// promise of https for a year would lock them out.
  static func fits(authority: String?) -> Bool {
    guard let authority, !authority.hasPrefix("["),
      let host = HomeNames.hostName(String(authority.prefix { $0 != ":" })),
      let last = host.split(separator: ".").last, last.utf8.count < host.utf8.count
    else { return false }
    return !homely.contains(String(last))
  }
}

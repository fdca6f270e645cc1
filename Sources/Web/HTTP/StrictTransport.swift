// SPDX-License-Identifier: Apache-2.0

/// When browsers may be told to use https for a host from now on (RFC 6797).
enum StrictTransport {
  static let value = "max-age=31536000; includeSubDomains"

  /// Names that mean another machine in each home; what is said of them must not stick.
  private static let homely = ["localhost", "local", "lan", "home", "internal", "arpa", "test"]

  /// Returns true if the authority of a request is a name of the public internet.
  ///
  /// Other programs and ports share addresses and the names of the home and this machine; a promise
  /// of https for a year would lock them out.
  static func fits(authority: String?) -> Bool {
    guard let authority, !authority.hasPrefix("["),
      let host = HomeNames.hostName(String(authority.prefix { $0 != ":" })),
      let last = host.split(separator: ".").last, last.utf8.count < host.utf8.count
    else { return false }
    return !homely.contains(String(last))
  }
}

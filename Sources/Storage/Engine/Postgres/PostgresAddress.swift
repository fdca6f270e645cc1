// SPDX-License-Identifier: Apache-2.0
import CLibPQ
import Secrecy

/// The address of a PostgreSQL database and the user that connects to it; never shows the password.
package struct PostgresAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address as given, with everything that libpq accepts.
  let url: Concealed<String>
  /// User, host and database, for messages.
  package let description: String

  /// False if PostgreSQL's client library is not installed; then no address can be created.
  package static var hasClientLibrary: Bool { libpq_load() }

  /// Creates an address from a URL such as `postgresql://user@host/database`; nil for anything
  /// else.
  package init?(_ url: String) {
    guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else { return nil }
    guard Self.hasClientLibrary else { return nil }
    guard let options = PQconninfoParse(url, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var parts: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        parts[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    self.url = Concealed(url)
    let place = parts["host"] ?? parts["hostaddr"] ?? "the local socket"
    let port = parts["port"].map { ":\($0)" } ?? ""
    description =
      "\(parts["dbname"] ?? "the user's database") on \(place)\(port)"
      + (parts["user"].map { " as \($0)" } ?? "")
  }
}

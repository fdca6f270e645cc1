// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The names by which browsers can reach this server: their `Origin` and the `Host` that they
/// request.
///
/// An https public address is the only valid name, except for a home, whose certificate lists
/// several. Without such an address, the request's Host is used instead.
enum OwnAddress {
  /// Returns true if a page of this server sent a request with this origin.
  static func isOwn(origin: String, of call: Call) -> Bool {
    let settings = call.environment.settings
    let origin = withoutDefaultPort(origin)
    if let own = settings.publicURL, withoutDefaultPort(own) == origin { return true }
    if publicHost(settings) != nil, !settings.servesHTTPS { return false }
    guard let authority = call.request.head.authority?.lowercased() else { return false }
    return origin == withoutDefaultPort("https://\(authority)")
      || (!call.isSecure && origin == withoutDefaultPort("http://\(authority)"))
  }

  /// Returns true if the name in the Host header of a request is this server's.
  static func isOwn(authority: String, of environment: ServerEnvironment) -> Bool {
    guard let own = publicHost(environment.settings) else { return true }
    let host = host(of: authority)
    guard host != own, let names = environment.home?.names else { return host == own }
    return names.hosts.contains(host)
      || NetworkAddress(host).map(names.addresses.contains) ?? false
  }

  /// Returns the host of an https public address, or nil if there is none.
  private static func publicHost(_ settings: ServerSettings) -> String? {
    guard let address = settings.publicURL, address.lowercased().hasPrefix("https://") else {
      return nil
    }
    return host(of: String(address.dropFirst("https://".utf8.count)))
  }

  /// Returns the host in lower case, without port, brackets and trailing dot.
  private static func host(of authority: String) -> String {
    let text = authority.lowercased()
    if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
    let host = text.prefix { $0 != ":" }
    return String(host.hasSuffix(".") ? host.dropLast() : host)
  }

  /// Returns an origin without the default port, as browsers write it.
  private static func withoutDefaultPort(_ origin: String) -> String {
    let text = origin.lowercased()
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
    where text.hasPrefix(scheme) && text.hasSuffix(port) {
      return String(text.dropLast(port.utf8.count))
    }
    return text
  }
}

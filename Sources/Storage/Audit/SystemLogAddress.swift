// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A system log that receives datagrams: the local one by its socket, or one on another machine
/// over UDP (RFC 5426).
package enum SystemLogAddress: Sendable, Hashable {
  case socket(path: String)
  case udp(host: String, port: String)

  /// Creates an address from `/dev/log` or `udp://host:port`, whose default port is 514; nil for
  /// any other text.
  package init?(_ text: String) {
    if text.hasPrefix("/") {
      self = .socket(path: text)
      return
    }
    guard text.hasPrefix("udp://"), let address = URLComponents(string: text),
      let host = address.host, !host.isEmpty, address.path.isEmpty
    else { return nil }
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self = .udp(host: name, port: String(address.port ?? 514))
  }

  /// The priority: facility "security" with severity "notice" (RFC 5424, 6.2.1).
  private static let priority = 13 * 8 + 5

  /// Sends one message; delivery is not confirmed.
  func send(_ message: String) throws(StorageError) {
    let packet = Array("<\(Self.priority)>regimen: \(message)".utf8)
    let code =
      switch self {
      case .socket(let path): Datagram.send(packet, toSocket: Array(path.utf8))
      case .udp(let host, let port): Self.send(packet, to: host, port)
      }
    guard code == 0 else { throw .file(path: description, code: code) }
  }

  private static func send(_ packet: [UInt8], to host: String, _ port: String) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &found) == 0, let first = found else {
      return EHOSTUNREACH
    }
    defer { freeaddrinfo(found) }
    return Datagram.send(
      packet, family: first.pointee.ai_family, to: first.pointee.ai_addr,
      length: first.pointee.ai_addrlen)
  }
}

extension SystemLogAddress: CustomStringConvertible {
  /// The address as written in the settings.
  package var description: String {
    switch self {
    case .socket(let path): path
    case .udp(let host, let port): "udp://\(host):\(port)"
    }
  }
}

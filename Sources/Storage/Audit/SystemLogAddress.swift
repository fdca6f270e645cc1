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
      case .socket(let path): Self.send(packet, toSocket: path)
      case .udp(let host, let port): Self.send(packet, to: host, port)
      }
    guard code == 0 else { throw .file(path: description, code: code) }
  }

  private static func send(_ packet: [UInt8], toSocket path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafeBytes(of: address) { raw in
      deliver(
        packet, family: AF_UNIX, to: raw.assumingMemoryBound(to: sockaddr.self).baseAddress,
        length: socklen_t(raw.count))
    }
  }

  private static func send(_ packet: [UInt8], to host: String, _ port: String) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &found) == 0, let first = found else {
      return EHOSTUNREACH
    }
    defer { freeaddrinfo(found) }
    return deliver(
      packet, family: first.pointee.ai_family, to: first.pointee.ai_addr,
      length: first.pointee.ai_addrlen)
  }

  private static func deliver(
    _ packet: [UInt8], family: Int32, to address: UnsafePointer<sockaddr>?, length: socklen_t
  ) -> Int32 {
    guard let address else { return EINVAL }
    let descriptor = Glibc.socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let sent = sendto(
      descriptor, packet, packet.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL),
      address, length)
    return sent == packet.count ? 0 : errno
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

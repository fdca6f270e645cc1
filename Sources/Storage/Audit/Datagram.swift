// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Sends single datagrams without waiting; delivery is not confirmed.
package enum Datagram {
  /// Sends to a local socket.
  ///
  /// - Parameter address: Its path, or a zero byte and its name for a socket without a file.
  /// - Returns: The system's error number; zero once the datagram was sent.
  package static func send(_ packet: [UInt8], toSocket address: [UInt8]) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    guard address.count < MemoryLayout.size(ofValue: name.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
    return withUnsafeBytes(of: name) { raw in
      send(
        packet, family: AF_UNIX, to: raw.assumingMemoryBound(to: sockaddr.self).baseAddress,
        length: socklen_t(MemoryLayout<sa_family_t>.size + address.count))
    }
  }

  /// Sends to an address of a family; returns the system's error number, or zero.
  static func send(
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

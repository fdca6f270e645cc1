// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// A snapshot of the machine on its network: its name and its addresses.
package struct HomeMachine: Sendable, Hashable {
  /// An address of the machine, with the size of its network.
  struct Interface: Sendable, Hashable {
    let address: NetworkAddress
    let prefixLength: Int
  }

  /// The name as the system reports it, with or without a domain.
  let hostName: String
  let interfaces: [Interface]
  /// The address that the machine uses for the internet; nil if it has no route.
  let ownAddress: NetworkAddress?

  /// Returns the names and addresses that the system reports now.
  package static func current() -> HomeMachine {
    var buffer = [CChar](repeating: 0, count: 256)
    // Foundation's host name may query a name server, and wait for it.
    let bytes = gethostname(&buffer, buffer.count - 1) == 0 ? buffer.prefix { $0 != 0 } : []
    let name = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let devices = (try? System.enumerateDevices()) ?? []
    return HomeMachine(
      hostName: name,
      interfaces: devices.compactMap { device in
        guard let address = device.address?.ipAddress.flatMap(NetworkAddress.init) else {
          return nil
        }
        let mask = device.netmask?.ipAddress.flatMap(NetworkAddress.init)
        return Interface(
          address: address,
          prefixLength: mask.map { $0.bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
            ?? address.bytes.count * 8)
      }, ownAddress: addressTowardsTheWorld())
  }

  /// Returns the address from which the system would send to the internet.
  ///
  /// Nothing is sent: connecting a datagram socket only looks up the route. The target is a
  /// documentation address (RFC 5737).
  private static func addressTowardsTheWorld() -> NetworkAddress? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Read as bytes, because the module that owns the C type differs between kinds of builds.
    var own = [UInt8](repeating: 0, count: 128)
    var length = socklen_t(own.count)
    let isFound = (try? SocketAddress(ipAddress: "198.51.100.1", port: 9))?.withSockAddr {
      connect(descriptor, $0, socklen_t($1)) == 0
        && own.withUnsafeMutableBytes {
          $0.withMemoryRebound(to: sockaddr.self) {
            getsockname(descriptor, $0.baseAddress, &length) == 0
          }
        }
    }
    // Family and port take four bytes, followed by the address.
    guard isFound == true, length >= 8 else { return nil }
    return NetworkAddress(bytes: Array(own[4..<8]))
  }
}

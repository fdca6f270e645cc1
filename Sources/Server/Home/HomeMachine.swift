// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// The machine as its network sees it at one moment: what it is called and where it stands.
package struct HomeMachine: Sendable, Hashable {
  /// An address of the machine, with the size of the network around it.
  struct Interface: Sendable, Hashable {
    let address: NetworkAddress
    let prefixLength: Int
  }

  /// As the system says it, with or without a domain.
  let hostName: String
  let interfaces: [Interface]
  /// The address by which the machine speaks to the world; nil without a way there.
  let ownAddress: NetworkAddress?

  /// Asks the system.
  package static func current() -> HomeMachine {
    var buffer = [CChar](repeating: 0, count: 256)
    // Foundation's host name may ask a name server, and wait for it.
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

  /// Asks the system which of its addresses it would send from.
  ///
  /// Nothing is sent: a datagram socket that is connected has only looked up its way. The target is
  /// an address for documentation (RFC 5737).
  private static func addressTowardsTheWorld() -> NetworkAddress? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    guard inet_pton(AF_INET, "198.51.100.1", &address.sin_addr) == 1 else { return nil }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isFound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isFound else { return nil }
    return NetworkAddress(bytes: withUnsafeBytes(of: address.sin_addr) { Array($0) })
  }
}

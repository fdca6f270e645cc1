// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOPosix

/// Finds a name's addresses, the preferred one first; throws if the name is not known.
package typealias HostResolver = @Sendable (_ name: String) async throws -> [IPAddress]

/// The system's resolver, on its own threads, because it blocks, sometimes for half a minute.
struct SystemResolver: Sendable {
  struct Failure: Error {
    let code: Int32
  }

  private let threads: NIOThreadPool

  init() {
    threads = NIOThreadPool(numberOfThreads: 4)
    threads.start()
  }

  func addresses(of name: String) async throws -> [IPAddress] {
    try await threads.runIfActive { try Self.resolve(name) }
  }

  /// Accepts no further names; callers do not wait for a lookup that still blocks its thread.
  func shutdown() {
    threads.shutdownGracefully { _ in }
  }

  private static func resolve(_ name: String) throws -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var first: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &first)
    guard code == 0, let first else { throw Failure(code: code) }
    defer { freeaddrinfo(first) }
    return sequence(first: first, next: { $0.pointee.ai_next }).compactMap { Self.address($0) }
  }

  private static func address(_ entry: UnsafeMutablePointer<addrinfo>) -> IPAddress? {
    guard let socket = entry.pointee.ai_addr else { return nil }
    let raw = UnsafeRawBufferPointer(start: socket, count: Int(entry.pointee.ai_addrlen))
    // The positions of the address within sockaddr_in and sockaddr_in6.
    switch entry.pointee.ai_family {
    case AF_INET where raw.count >= 8: return IPAddress(bytes: Array(raw[4..<8]))
    case AF_INET6 where raw.count >= 24: return IPAddress(bytes: Array(raw[8..<24]))
    default: return nil
    }
  }
}

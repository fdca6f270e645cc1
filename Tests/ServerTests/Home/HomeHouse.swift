// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Storage
import Synchronization
import Testing

@testable import Web

/// A data folder, a machine and a clock that a test sets.
final class HomeHouse: Sendable {
  let folder: String
  let clock = TestClock()
  private let state: Mutex<HomeMachine>

  init(hostName: String = "kitchen", _ addresses: [String] = ["192.168.1.20/24"]) throws {
    folder = FileManager.default.temporaryDirectory.path() + "/home-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    state = Mutex(try Self.machine(hostName, addresses))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Gives the machine another name or other addresses, with the size of their networks.
  func move(hostName: String = "kitchen", _ addresses: [String]) throws {
    let machine = try Self.machine(hostName, addresses)
    state.withLock { $0 = machine }
  }

  var machine: HomeMachine { state.withLock { $0 } }

  /// Reopens the same folder.
  func open(publicHost: String? = nil) throws -> HomeCertificates {
    try HomeCertificates(
      folder: folder, publicHost: publicHost, machine: { self.machine }, now: { self.clock.now },
      random: Self.random)
  }

  static let random: RandomBytes = { count in
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  var authorityFiles: HomeFiles { .authority(in: folder) }
  var serverFiles: HomeFiles { .server(in: folder) }

  func rights(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  func text(of path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  static func machine(
    _ hostName: String, _ addresses: [String], own: String? = nil
  ) throws -> HomeMachine {
    HomeMachine(
      hostName: hostName,
      interfaces: try addresses.map { text in
        let parts = text.split(separator: "/")
        let address = try #require(NetworkAddress(String(parts[0])))
        return HomeMachine.Interface(
          address: address, prefixLength: Int(parts[1]) ?? 0)
      }, ownAddress: own.flatMap { NetworkAddress($0) })
  }
}

extension TestClock {
  func advance(days: Int64) {
    advance(minutes: days * 24 * 60)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import X509

@testable import Web

/// What is kept, renewed and refused.
@Suite struct HomeRenewalTests {
  @Test func `a restart keeps authority and certificate`() throws {
    let house = try HomeHouse()
    let first = try house.open()
    let second = try house.open()
    #expect(second.authority.fingerprint == first.authority.fingerprint)
    #expect(second.server.certificate == first.server.certificate)
    #expect(try !second.renew())
  }

  @Test func `only the owner can read the files`() throws {
    let house = try HomeHouse()
    let home = try house.open()
    house.clock.advance(days: 390)
    #expect(try home.renew())
    for files in [house.authorityFiles, house.serverFiles] {
      #expect(try house.rights(of: files.key) == 0o600)
      #expect(try house.rights(of: files.certificate) == 0o600)
      #expect(try !house.text(of: files.certificate).contains("PRIVATE"))
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: house.folder)
    #expect(
      left.sorted() == [
        "home-authority.crt", "home-authority.key", "home-server.crt", "home-server.key",
      ])
  }

  @Test(arguments: [(0, false), (365, false), (366, true), (396, true), (500, true)])
  func `the certificate is renewed before it expires`(day: Int, isRenewed: Bool) throws {
    let house = try HomeHouse()
    let home = try house.open()
    let before = home.server.certificate
    let context = home.context
    house.clock.advance(days: Int64(day))
    #expect(try home.renew() == isRenewed)
    #expect((home.server.certificate != before) == isRenewed)
    #expect((home.context !== context) == isRenewed)
    // If it happened twice, it would never stop.
    #expect(try !home.renew())
    #expect(home.server.end > house.clock.now)
    #expect(try house.open().server.certificate == home.server.certificate)
  }

  @Test func `a certificate from a clock that ran ahead is replaced`() throws {
    let house = try HomeHouse()
    let home = try house.open()
    house.clock.advance(days: 400)
    #expect(try home.renew())
    house.clock.advance(days: -390)
    #expect(home.server.start > house.clock.now)
    #expect(try home.renew())
    #expect(home.server.start < house.clock.now)
    #expect(home.authority.identity.start < house.clock.now)
  }

  @Test func `new addresses and names are added without a restart`() throws {
    let house = try HomeHouse(["192.168.1.20/24"])
    let home = try house.open()
    let fingerprint = home.authority.fingerprint
    try house.move(["192.168.1.20/24", "10.8.0.1/24"])
    #expect(try home.renew())
    #expect(home.names.addresses.map(\.text).contains("10.8.0.1"))
    try house.move(hostName: "pantry", ["192.168.7.3/24"])
    #expect(try home.renew())
    #expect(home.names.addresses.map(\.text) == ["127.0.0.1", "192.168.7.3", "::1"])
    // The bare new name is outside the authority's scope; on the network it is known.
    #expect(home.names.hosts == ["localhost", "pantry.local"])
    #expect(home.authority.fingerprint == fingerprint)
    #expect(try house.open().authority.fingerprint == fingerprint)
  }

  @Test func `a public address that appears later is left out`() throws {
    let house = try HomeHouse(["192.168.1.20/24"])
    let home = try house.open()
    try house.move(["192.168.1.20/24", "203.0.113.5/24"])
    #expect(try !home.renew())
    #expect(!home.names.addresses.map(\.text).contains("203.0.113.5"))
  }

  @Test func `a public name outside the authority's limits is refused`() throws {
    let house = try HomeHouse()
    _ = try house.open(publicHost: "med.example.org")
    _ = try house.open(publicHost: "med.example.org")
    _ = try house.open(publicHost: "192.168.1.20")
    _ = try house.open(publicHost: "other.local")
    for host in ["other.example.org", "203.0.113.9", "not a name"] {
      let error = #expect(throws: HomeError.self) { try house.open(publicHost: host) }
      #expect(
        error == .outsideScope(host: host, path: house.authorityFiles.certificate))
    }
  }

  @Test func `a key that others can read is refused`() throws {
    let house = try HomeHouse()
    _ = try house.open()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: house.authorityFiles.key)
    #expect(throws: HomeError.keyOpenToOthers(path: house.authorityFiles.key)) {
      try house.open()
    }
  }

  /// A kind of damage to a file.
  enum Damage: String, CaseIterable, Sendable {
    case missing, empty, garbage, foreign
  }

  private func damage(_ path: String, _ damage: Damage, foreign: String) throws {
    switch damage {
    case .missing: try FileManager.default.removeItem(atPath: path)
    case .empty: try write("", to: path)
    case .garbage:
      try write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: path)
    case .foreign: try write(try String(contentsOfFile: foreign, encoding: .utf8), to: path)
    }
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  @Test(arguments: Damage.allCases)
  func `a damaged authority is reported and not replaced`(kind: Damage) throws {
    let other = try HomeHouse(hostName: "other")
    _ = try other.open()
    let house = try HomeHouse()
    _ = try house.open()
    let files = house.authorityFiles
    let certificate = try house.text(of: files.certificate)
    try damage(files.key, kind, foreign: other.authorityFiles.key)
    #expect(throws: HomeError.self) { try house.open() }
    #expect(try house.text(of: files.certificate) == certificate)
  }

  @Test(arguments: Damage.allCases)
  func `a damaged server certificate is replaced`(kind: Damage) throws {
    let other = try HomeHouse(hostName: "other")
    _ = try other.open()
    for path in [\HomeFiles.key, \HomeFiles.certificate] {
      let house = try HomeHouse()
      let fingerprint = try house.open().authority.fingerprint
      try damage(house.serverFiles[keyPath: path], kind, foreign: other.serverFiles[keyPath: path])
      let home = try house.open()
      #expect(home.authority.fingerprint == fingerprint)
      #expect(home.names.hosts.contains("kitchen"))
      #expect(try !home.renew())
    }
  }

  @Test func `a certificate of another authority is not served`() throws {
    let other = try HomeHouse()
    let house = try HomeHouse()
    _ = try (other.open(), house.open())
    for path in [\HomeFiles.key, \HomeFiles.certificate] {
      try write(
        try other.text(of: other.serverFiles[keyPath: path]),
        to: house.serverFiles[keyPath: path])
    }
    let home = try house.open()
    #expect(home.server.certificate != (try other.open()).server.certificate)
    #expect(home.server.certificate.issuer == home.authority.identity.certificate.subject)
  }

  @Test func `an expired authority is reported, since the clock may be wrong`() throws {
    let house = try HomeHouse()
    let fingerprint = try house.open().authority.fingerprint
    house.clock.advance(days: 3651)
    let error = #expect(throws: HomeError.self) { try house.open() }
    #expect(
      error?.description.contains("expired on 2036-02-27") == true, "\(String(describing: error))")
    house.clock.advance(days: -3651)
    #expect(try house.open().authority.fingerprint == fingerprint)
  }

  @Test func `certificates never outlive the authority`() throws {
    let house = try HomeHouse()
    let home = try house.open()
    house.clock.advance(days: 3640)
    #expect(try home.renew())
    #expect(home.server.end == home.authority.identity.end)
    #expect(home.daysLeft == 10)
    #expect(try !home.renew())
  }

  @Test func `a clock before the authority's start date doesn't stop the start`() throws {
    let house = try HomeHouse()
    _ = try house.open()
    house.clock.advance(days: -2000)
    let home = try house.open()
    #expect(home.server.start == home.authority.identity.start)
    #expect(try !home.renew())
  }
}

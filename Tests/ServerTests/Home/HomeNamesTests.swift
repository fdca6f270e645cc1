// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Web

/// The names of a machine, and those that its authority may certify.
@Suite struct HomeNamesTests {
  @Test(
    arguments: [
      ("kitchen", ["kitchen", "kitchen.local", "localhost"]),
      ("Kitchen.Fritz.Box.", ["kitchen", "kitchen.fritz.box", "kitchen.local", "localhost"]),
      ("localhost", ["localhost"]), ("", ["localhost"]), ("my_host", ["localhost"]),
      ("-x", ["localhost"]), ("10.0.0.1", ["localhost"]), ("küche", ["localhost"]),
    ])
  func `a host has its own name and its network name`(hostName: String, hosts: [String]) throws {
    let names = HomeNames(of: try HomeHouse.machine(hostName, []), publicHost: nil)
    #expect(names.hosts == hosts)
  }

  @Test func `addresses that a browser can open are listed`() throws {
    let machine = try HomeHouse.machine(
      "kitchen",
      ["127.0.0.1/8", "192.168.1.20/24", "10.8.0.1/24", "fd00::2/64", "fe80::1/64", "::1/128"])
    let names = HomeNames(of: machine, publicHost: nil)
    #expect(
      names.addresses.map(\.text) == ["10.8.0.1", "127.0.0.1", "192.168.1.20", "::1", "fd00::2"])
  }

  @Test(
    arguments: [
      (["172.17.0.1/16", "192.168.1.20/24"], "192.168.1.20", "192.168.1.20"),
      (["172.17.0.1/16", "192.168.1.20/24"], nil, "172.17.0.1"),
      (["172.17.0.1/16", "192.168.1.20/24"], "192.168.1.21", "172.17.0.1"),
      (["127.0.0.1/8", "10.0.0.5/8"], "127.0.0.1", "10.0.0.5"),
      (["fd00::2/64"], nil, "[fd00::2]"), ([], nil, "localhost"),
    ] as [([String], String?, String)])
  func `other devices are shown the machine's own address`(
    addresses: [String], own: String?, host: String
  ) throws {
    let machine = try HomeHouse.machine("kitchen", addresses, own: own)
    #expect(HomeNames(of: machine, publicHost: nil).hostForOtherDevices(of: machine) == host)
  }

  @Test func `this machine has at least a loopback address`() {
    let machine = HomeMachine.current()
    #expect(machine.interfaces.contains { $0.address.isLoopback && $0.prefixLength > 0 })
    if let own = machine.ownAddress {
      #expect(machine.interfaces.contains { $0.address == own })
    }
  }

  @Test func `the public address is named`() throws {
    let machine = try HomeHouse.machine("kitchen", [])
    let named = HomeNames(of: machine, publicHost: "Medicines.Example.org")
    #expect(named.hosts.contains("medicines.example.org"))
    let numbered = HomeNames(of: machine, publicHost: "203.0.113.7")
    #expect(numbered.addresses.map(\.text).contains("203.0.113.7"))
  }

  @Test(
    arguments: [
      ("localhost", true), ("kitchen", true), ("kitchen.local", true), ("other.local", true),
      ("a.b.home.arpa", true), ("kitchen.fritz.box", true), ("other.fritz.box", false),
      ("example.org", false), ("kitchenlocal", false), ("local.example.org", false),
      ("bathroom", false),
    ])
  func `an authority covers home names`(host: String, isPermitted: Bool) throws {
    let machine = try HomeHouse.machine("kitchen.fritz.box", [])
    #expect(HomeScope(of: machine, publicHost: nil).permits(host) == isPermitted)
  }

  @Test(
    arguments: [
      ("127.0.0.1", true), ("10.1.2.3", true), ("192.168.77.1", true), ("172.20.0.1", true),
      ("100.100.1.1", true), ("fd12::1", true), ("203.0.113.77", true), ("203.0.114.1", false),
      ("198.51.100.1", true), ("198.51.100.2", false), ("8.8.8.8", false),
      ("2001:db8:1:2::9", true), ("2001:db8:1:3::9", false),
    ])
  func `an authority covers home addresses`(address: String, isPermitted: Bool) throws {
    // The second network is too large to be this home's own: only its address counts.
    let machine = try HomeHouse.machine(
      "kitchen", ["203.0.113.5/24", "198.51.100.1/16", "2001:db8:1:2::5/64"])
    let scope = HomeScope(of: machine, publicHost: nil)
    #expect(scope.permits(try #require(NetworkAddress(address))) == isPermitted)
  }

  @Test(
    arguments: [
      ("med.example.org", true), ("med.example.org:8443", true), ("kitchen.local", false),
      ("kitchen", false), ("localhost:8080", false), ("127.0.0.1", false), ("[::1]:8080", false),
      ("a.home.arpa", false), ("a b.example.org", false), ("", false),
    ])
  func `only public names send HSTS`(authority: String, fits: Bool) {
    #expect(StrictTransport.fits(authority: authority) == fits)
  }
}

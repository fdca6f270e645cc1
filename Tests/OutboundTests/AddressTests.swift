// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Outbound

struct AddressRangeTests {
  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "100.128.0.0", "172.15.255.255",
    "172.32.0.0", "192.0.1.1", "198.17.255.255", "198.20.0.0", "223.255.255.255", "126.255.255.255",
    "2606:2800:21f:cb07::1", "2a00:1450:4001:81b::200a", "2001:200::1", "2003::1",
  ])
  func publicOnes(text: String) throws {
    #expect(try #require(IPAddress(text)).isPublic)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
    "127.0.0.1", "127.255.255.254", "169.254.0.1", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1",
    "192.168.0.1", "192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1",
    "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2620:4f:8000::1", "3fff::1",
    "4000::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1",
  ])
  func specialOnes(text: String) throws {
    #expect(try !#require(IPAddress(text)).isPublic)
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "0x1.2.3.4", "fe80::1%eth0",
    "[::1]", "1:2:3:4:5:6:7:8:9", ":::", "::1\0", "localhost",
    "0000:0000:0000:0000:0000:0000:0000:0000:0000:0001",
  ])
  func refuses(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("1.2.3.4", "1.2.3.4"), ("2001:DB8::1", "2001:db8:0:0:0:0:0:1"),
    ("::ffff:1.2.3.4", "0:0:0:0:0:ffff:102:304"),
  ])
  func writes(text: String, written: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.text == written)
    #expect(IPAddress(address.text) == address)
  }

  @Test(arguments: [
    ("https://listed.example/", "1.1.1.1", true),
    ("https://listed.example/", "10.0.0.1", false),
    ("https://listed.example/", "::1", false),
    // The operator's hosts may be on the local network, but not link-local or multicast.
    ("https://house.example/", "10.0.0.1", true),
    ("https://house.example/", "100.64.0.1", true),
    ("https://house.example/", "fd00::1", true),
    ("https://house.example/", "127.0.0.1", true),
    ("https://house.example/", "1.1.1.1", true),
    ("https://house.example/", "169.254.169.254", false),
    ("https://house.example/", "224.0.0.1", false),
    ("https://house.example/", "0.0.0.0", false),
    // Plain http stays on the machine, whatever the name resolves to.
    ("http://localhost/", "127.0.0.1", true),
    ("http://localhost/", "10.0.0.1", false),
    ("http://localhost/", "1.1.1.1", false),
  ])
  func trust(address: String, resolved: String, isPermitted: Bool) throws {
    let policy = OutboundPolicy(
      allowed: ["listed.example"].compactMap(HostRule.init),
      operatorAllowed: ["house.example", "localhost"].compactMap(HostRule.init))
    let url = try policy.check(address)
    #expect(try url.permits(#require(IPAddress(resolved))) == isPermitted)
  }
}

/// A resolver with scripted answers that counts its calls.
final class ScriptedResolver: Sendable {
  struct Unknown: Error {}

  private let answers: Mutex<[[String]]>
  private let asked = Mutex(0)

  init(_ answers: [String]...) {
    self.answers = Mutex(answers)
  }

  var count: Int { asked.withLock { $0 } }

  /// Returns the next answer; the last one repeats, and an empty one is a failure.
  func resolve(_ name: String) throws -> [IPAddress] {
    asked.withLock { $0 += 1 }
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
    guard !answer.isEmpty else { throw Unknown() }
    return answer.compactMap(IPAddress.init)
  }
}

struct CheckedAddressesTests {
  private let second: UInt64 = 1_000_000_000

  private func addresses(_ resolver: ScriptedResolver) throws -> CheckedAddresses {
    let policy = OutboundPolicy(
      allowed: ["listed.example"].compactMap(HostRule.init), operatorAllowed: [])
    return CheckedAddresses(
      of: try policy.check("https://listed.example/"), resolver: { try resolver.resolve($0) })
  }

  private func current(_ addresses: CheckedAddresses, at seconds: UInt64) async throws -> [String] {
    let deadline = CallDeadline(seconds: 3600)
    defer { deadline.stop() }
    return try await addresses.current(at: seconds * second, within: deadline).map(\.text)
  }

  @Test func holdsAMinuteThenAsksAgain() async throws {
    let resolver = ScriptedResolver(["1.1.1.1", "1.0.0.1"], ["1.0.0.1", "8.8.8.8"])
    let addresses = try addresses(resolver)
    #expect(try await current(addresses, at: 0) == ["1.1.1.1", "1.0.0.1"])
    #expect(try await current(addresses, at: 59) == ["1.1.1.1", "1.0.0.1"])
    #expect(resolver.count == 1)
    #expect(try await current(addresses, at: 60) == ["1.0.0.1", "8.8.8.8"])
    #expect(resolver.count == 2)
  }

  @Test func keepsTheOneInUseFirst() async throws {
    let addresses = try addresses(ScriptedResolver(["1.1.1.1"], ["8.8.8.8", "1.1.1.1"]))
    #expect(try await current(addresses, at: 0) == ["1.1.1.1"])
    #expect(try await current(addresses, at: 61) == ["1.1.1.1", "8.8.8.8"])
  }

  @Test func dropsAddressesThatMayNotBeSpokenTo() async throws {
    let addresses = try addresses(ScriptedResolver(["10.0.0.1", "1.1.1.1", "::1"]))
    #expect(try await current(addresses, at: 0) == ["1.1.1.1"])
  }

  @Test(arguments: [
    "10.0.0.1", "127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::a00:1",
  ])
  func aNameThatTurnsPrivateLeadsNowhere(address: String) async throws {
    let resolver = ScriptedResolver(["1.1.1.1"], [address], [])
    let addresses = try addresses(resolver)
    #expect(try await current(addresses, at: 0) == ["1.1.1.1"])
    await #expect(throws: OutboundError.privateAddress) {
      try await self.current(addresses, at: 61)
    }
    // Earlier valid addresses are not used again either.
    await #expect(throws: OutboundError.resolution) { try await self.current(addresses, at: 62) }
  }

  @Test func goesOnForAWhileWithoutItsResolver() async throws {
    let resolver = ScriptedResolver(["1.1.1.1"], [])
    let addresses = try addresses(resolver)
    #expect(try await current(addresses, at: 0) == ["1.1.1.1"])
    #expect(try await current(addresses, at: 100) == ["1.1.1.1"])
    #expect(try await current(addresses, at: 104) == ["1.1.1.1"])
    #expect(resolver.count == 2)
    #expect(try await current(addresses, at: 105) == ["1.1.1.1"])
    #expect(resolver.count == 3)
    await #expect(throws: OutboundError.resolution) { try await self.current(addresses, at: 600) }
  }

  @Test func anUnreachableAddressComesLast() async throws {
    let addresses = try addresses(ScriptedResolver(["1.1.1.1", "1.0.0.1"]))
    #expect(try await current(addresses, at: 0) == ["1.1.1.1", "1.0.0.1"])
    addresses.putLast(.v4(0x0101_0101))
    #expect(try await current(addresses, at: 1) == ["1.0.0.1", "1.1.1.1"])
  }

  @Test func oneLookUpServesAllWhoWait() async throws {
    let resolver = ScriptedResolver(["1.1.1.1"])
    let addresses = try addresses(resolver)
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<20 { group.addTask { try await self.current(addresses, at: 0) } }
      return try await group.reduce(into: [[String]]()) { $0.append($1) }
    }
    #expect(found == Array(repeating: ["1.1.1.1"], count: 20))
    #expect(resolver.count < 20)
  }
}

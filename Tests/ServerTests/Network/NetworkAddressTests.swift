// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Web

@Suite struct NetworkAddressTests {
  @Test(
    arguments: [
      ("192.168.1.20", "192.168.1.20"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1"),
      ("fd00::0002", "fd00::2"), ("[fd00::2]", "fd00::2"), ("::ffff:10.0.0.9", "10.0.0.9"),
      ("::FFFF:0a00:0009", "10.0.0.9"), ("2001:DB8:0:0::1", "2001:db8::1"),
    ])
  func `an address has one text`(given: String, text: String) throws {
    #expect(try #require(NetworkAddress(given)).text == text)
  }

  @Test(
    arguments: [
      "", "10.0.0", "10.0.0.256", "10.0.0.1.1", " 10.0.0.1", "10.0.0.1:80", "[10.0.0.1]",
      "kitchen", "fe80::1%eth0", "1::2::3", "[::1", ":", "0x7f.1", "10.0.0.1/8",
      String(repeating: ":", count: 5000),
    ])
  func `malformed values are refused`(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  @Test(
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
      ("10.9.8.7/8", "10.0.0.1", true), ("10.0.0.9", "10.0.0.9", true),
      ("10.0.0.9", "10.0.0.8", false), ("10.0.0.9", "::ffff:10.0.0.9", true),
      ("::ffff:10.0.0.9", "10.0.0.9", true), ("0.0.0.0/0", "203.0.113.9", true),
      ("0.0.0.0/0", "::1", false), ("::/0", "10.0.0.1", false), ("::/0", "2001:db8::1", true),
      ("fc00::/7", "fd12::1", true), ("fc00::/7", "fe80::1", false),
      ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
      ("192.168.4.0/23", "192.168.5.1", true), ("192.168.4.0/23", "192.168.6.1", false),
    ])
  func `a range contains its addresses`(range: String, address: String, isInside: Bool) throws {
    let range = try #require(NetworkRange(range))
    #expect(range.contains(try #require(NetworkAddress(address))) == isInside)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "fd00::/129", "a/8", "10.0.0.0/8/8",
  ])
  func `malformed ranges are refused`(text: String) {
    #expect(NetworkRange(text) == nil)
  }

  @Test(arguments: [
    "10.0.0.0/8", "192.0.2.128/25", "::1", "fc00::/7", "2001:db8::/56", "0.0.0.0/0",
  ])
  func `name constraints contain the whole range`(text: String) throws {
    let range = try #require(NetworkRange(text))
    #expect(NetworkRange(constraintBytes: range.constraintBytes) == range)
  }

  @Test func `a mask with gaps is refused`() {
    #expect(NetworkRange(constraintBytes: [10, 0, 0, 0, 255, 0, 255, 0]) == nil)
    #expect(NetworkRange(constraintBytes: [10, 0, 0, 0]) == nil)
    #expect(NetworkRange(constraintBytes: []) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import Web

@Suite struct ForwardedAddressTests {
  @Test(
    arguments: [
      // Without a trusted peer, its header is ignored.
      ("192.0.2.7", "10.0.0.1", "192.0.2.7"), ("10.0.0.9", nil, "10.0.0.9"),
      ("10.0.0.9", "198.51.100.4", "198.51.100.4"),
      // Only the nearest address that is no proxy: anything before it may be the client's
      // invention.
      ("10.0.0.9", "1.1.1.1, 198.51.100.4", "198.51.100.4"),
      ("10.0.0.9", "198.51.100.4,10.1.2.3", "198.51.100.4"),
      ("10.0.0.9", "10.1.2.3", "10.1.2.3"),
      ("10.0.0.9", "198.51.100.4, nonsense", "10.0.0.9"),
      ("10.0.0.9", "198.51.100.4, unknown, 10.1.2.3", "10.1.2.3"),
      ("10.0.0.9", "198.51.100.4:5123", "198.51.100.4"),
      ("10.0.0.9", "[2001:db8::5]:5123", "2001:db8::5"),
      ("10.0.0.9", "2001:db8::5", "2001:db8::5"),
      ("::ffff:10.0.0.9", " 198.51.100.4 ", "198.51.100.4"),
      ("10.0.0.9", ",,", "10.0.0.9"), ("10.0.0.9", "[", "10.0.0.9"),
      ("10.0.0.9", "\u{0}", "10.0.0.9"),
      ("10.0.0.9", String(repeating: "1", count: 9000), "10.0.0.9"),
    ] as [(String, String?, String)])
  func `a client's address comes from its nearest proxy`(
    peer: String, header: String?, client: String
  ) throws {
    let proxies = TrustedProxies(["10.0.0.9", "10.1.0.0/16"].compactMap { NetworkRange($0) })
    var headers: HTTPFields = [:]
    if let header { headers[.xForwardedFor] = header }
    let found = proxies.client(headers, peer: NetworkAddress(peer))
    #expect(found?.text == client)
  }

  @Test func `several header lines form one list, and no peer means no client`() {
    let proxies = TrustedProxies([NetworkRange("10.0.0.9")].compactMap(\.self))
    var headers: HTTPFields = [:]
    headers[values: .xForwardedFor] = ["1.1.1.1", "198.51.100.4"]
    #expect(proxies.client(headers, peer: NetworkAddress("10.0.0.9"))?.text == "198.51.100.4")
    #expect(proxies.client(headers, peer: nil) == nil)
  }
}

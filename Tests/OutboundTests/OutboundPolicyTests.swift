// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Outbound

struct OutboundPolicyTests {
  static let policy = OutboundPolicy(
    allowed: ["fcm.googleapis.com", "*.push.apple.com"].compactMap(HostRule.init),
    operatorAllowed: [
      "127.0.0.1:9999", "localhost:8081", "[::1]:9998", "push.intern.example:8443", "10.1.2.3",
    ].compactMap(HostRule.init))

  @Test(arguments: [
    (
      "https://fcm.googleapis.com/fcm/send/abc:DEF-_%2B",
      "https://fcm.googleapis.com/fcm/send/abc:DEF-_%2B"
    ),
    ("HTTPS://FCM.GoogleAPIs.com:443", "https://fcm.googleapis.com/"),
    ("https://fcm.googleapis.com?a=b@c", "https://fcm.googleapis.com/?a=b@c"),
    ("https://web.push.apple.com/x", "https://web.push.apple.com/x"),
    ("https://a.b.push.apple.com/x", "https://a.b.push.apple.com/x"),
    ("http://127.0.0.1:9999/p", "http://127.0.0.1:9999/p"),
    ("https://127.0.0.1:9999/p", "https://127.0.0.1:9999/p"),
    ("http://localhost:8081/p", "http://localhost:8081/p"),
    ("http://[::1]:9998/p", "http://[0:0:0:0:0:0:0:1]:9998/p"),
    ("http://[0::0001]:9998/p", "http://[0:0:0:0:0:0:0:1]:9998/p"),
    ("https://push.intern.example:8443/p", "https://push.intern.example:8443/p"),
    ("https://10.1.2.3/p", "https://10.1.2.3/p"),
  ])
  func allows(address: String, written: String) throws {
    #expect(try Self.policy.check(address).text == written)
  }

  @Test(arguments: [
    // Another scheme, or plain http to another machine.
    ("http://fcm.googleapis.com/x", OutboundRefusal.scheme),
    ("http://push.intern.example:8443/x", .scheme),
    ("http://10.1.2.3:443/x", .scheme),
    ("ftp://fcm.googleapis.com/x", .scheme),
    ("file:///etc/passwd", .scheme),
    ("http+unix://%2Fvar%2Frun%2Fdocker.sock/", .scheme),
    // Other hosts, and look-alikes of the listed ones.
    ("https://example.org/x", .hostNotListed),
    ("https://fcm.googleapis.com.evil.example/x", .hostNotListed),
    ("https://evilfcm.googleapis.com/x", .hostNotListed),
    ("https://push.apple.com/x", .hostNotListed),
    ("https://evilpush.apple.com/x", .hostNotListed),
    ("https://xn--80ak6aa92e.push.apple.com/x", .hostNotListed),
    ("https://a.xn--80ak6aa92e.push.apple.com/x", .hostNotListed),
    ("https://localhost/x", .hostNotListed),
    // Port tricks.
    ("https://fcm.googleapis.com:8443/x", .port),
    ("https://fcm.googleapis.com:80/x", .port),
    ("http://127.0.0.1:9998/x", .scheme),
    ("https://127.0.0.1:9998/x", .literalAddress),
    ("https://fcm.googleapis.com:/x", .host),
    ("https://fcm.googleapis.com:0443/x", .host),
    ("https://fcm.googleapis.com:443443/x", .host),
    ("https://fcm.googleapis.com:65979/x", .host),
    ("https://fcm.googleapis.com:+443/x", .host),
    ("https://fcm.googleapis.com:443:9999/x", .host),
    // A parser that reads up to the at sign would go elsewhere.
    ("https://fcm.googleapis.com@evil.example/x", .userInformation),
    ("https://evil.example@fcm.googleapis.com/x", .userInformation),
    ("https://user:pass@fcm.googleapis.com/x", .userInformation),
    // Fragments, backslashes, spaces, controls and characters beyond ASCII.
    ("https://fcm.googleapis.com#@evil.example/x", .malformed),
    ("https://evil.example#.push.apple.com/x", .malformed),
    ("https://evil.example\\.push.apple.com/x", .malformed),
    ("https:\\\\fcm.googleapis.com/x", .malformed),
    (" https://fcm.googleapis.com/x", .malformed),
    ("https://fcm.googleapis.com/x y", .malformed),
    ("https://fcm.googleapis.com/x\r\nHost: evil", .malformed),
    ("https://fcm.googleapis.com/x\0", .malformed),
    ("https://fcm\u{3002}googleapis.com/x", .malformed),
    ("https://ｆcm.googleapis.com/x", .malformed),
    ("https://fcm.googleapıs.com/x", .malformed),
    ("https://fcm.googleapis.com/{x}", .malformed),
    // Percent signs.
    ("https://fcm%2Egoogleapis.com/x", .host),
    ("https://%66cm.googleapis.com/x", .host),
    ("https://fcm.googleapis.com%00.evil.example/x", .host),
    ("https://fcm.googleapis.com/%", .malformed),
    ("https://fcm.googleapis.com/%4", .malformed),
    ("https://fcm.googleapis.com/%zz", .malformed),
    // Names in unusual forms.
    ("https://fcm.googleapis.com./x", .host),
    ("https://.fcm.googleapis.com/x", .host),
    ("https://fcm..googleapis.com/x", .host),
    ("https://-x.push.apple.com/x", .host),
    ("https://x-.push.apple.com/x", .host),
    ("https://x_y.push.apple.com/x", .host),
    ("https://*.push.apple.com/x", .host),
    ("https://\(String(repeating: "a", count: 64)).push.apple.com/x", .host),
    ("https:///x", .host),
    ("https://", .host),
    ("https://?x", .host),
    // Addresses, in every form that some C library accepts.
    ("https://1.1.1.1/x", .literalAddress),
    ("https://169.254.169.254/latest/meta-data", .literalAddress),
    ("https://[::1]/x", .literalAddress),
    ("https://[::ffff:127.0.0.1]/x", .literalAddress),
    ("https://[::1%25eth0]/x", .host),
    ("https://[::1/x", .host),
    ("https://[]/x", .host),
    ("https://[127.0.0.1]/x", .host),
    ("https://[::1]evil/x", .host),
    ("https://127.1/x", .host),
    ("https://2130706433/x", .host),
    ("https://0x7f000001/x", .host),
    ("https://0x7f.0.0.1/x", .host),
    ("https://127.0.0.0x1/x", .host),
    ("https://0177.0.0.1/x", .host),
    ("https://127.0.0.01/x", .host),
    ("https://256.0.0.1/x", .host),
    ("https://1.2.3.4.5/x", .host),
    // Not an address.
    ("", .malformed),
    ("https", .malformed),
    ("https:", .malformed),
    ("https:/fcm.googleapis.com/x", .malformed),
    ("//fcm.googleapis.com/x", .malformed),
    ("fcm.googleapis.com:443/x", .scheme),
    ("https://fcm.googleapis.com/[x]", .malformed),
    ("https://fcm.googleapis.com/\(String(repeating: "a", count: 2048))", .tooLong),
  ])
  func refuses(address: String, refusal: OutboundRefusal) {
    #expect(throws: OutboundError.notAllowed(refusal)) { try Self.policy.check(address) }
  }

  @Test func takesTheLongestAddress() throws {
    let start = "https://fcm.googleapis.com/"
    let address = start + String(repeating: "a", count: 2048 - start.utf8.count)
    #expect(try Self.policy.check(address).text == address)
  }

  @Test func originLeavesPathAndStandardPortOut() throws {
    #expect(
      try Self.policy.check("https://fcm.googleapis.com:443/secret").origin
        == "https://fcm.googleapis.com")
    #expect(
      try Self.policy.check("http://127.0.0.1:9999/secret").origin == "http://127.0.0.1:9999")
  }

  @Test func anAddressCheckedByAWiderPolicyDoesNotPass() throws {
    let url = try Self.policy.check("https://push.intern.example:8443/p")
    #expect(Self.policy.permits(url))
    let strict = OutboundPolicy(
      allowed: ["push.intern.example"].compactMap(HostRule.init), operatorAllowed: [])
    #expect(!strict.permits(url))
    let standardPort = OutboundPolicy(
      allowed: [], operatorAllowed: ["a.example"].compactMap(HostRule.init))
    let listed = OutboundPolicy(
      allowed: ["a.example"].compactMap(HostRule.init), operatorAllowed: [])
    let trusted = try standardPort.check("https://a.example/")
    #expect(!listed.permits(trusted))
    #expect(standardPort.permits(try listed.check("https://a.example/")))
  }
}

struct HostRuleTests {
  @Test(arguments: [
    "fcm.googleapis.com", "*.push.apple.com", "127.0.0.1:9999", "[::1]:80", "localhost",
    "UPPER.example", "a:65535",
  ])
  func reads(text: String) {
    #expect(HostRule(text) != nil)
  }

  @Test(arguments: [
    "", "*", "*.com", "*.", "a.*.com", "*.*.com", "*.127.0.0.1", "https://a.example", "a.example/",
    "a.example:0", "a.example:65536", "a.example:", "a.example:x", "a@b.example", "a b",
    "a.example.",
    "::1", "[::1", "ex\u{E4}mple.org",
  ])
  func refuses(text: String) {
    #expect(HostRule(text) == nil)
  }

  @Test(
    arguments: [
      ("https://hooks.ann.example/x", nil), ("https://push.example.org/x", "push.example.org"),
      ("https://deep.push.example.net/x", "*.push.example.net"),
      ("http://127.0.0.1:9999/x", "127.0.0.1:9999"), ("https://a.lan.example/x", "*.lan.example"),
    ] as [(String, String?)])
  func `the log names configured hosts but none that people typed`(
    url: String, name: String?
  ) throws {
    let policy = OutboundPolicy(
      allowed: ["push.example.org", "*.push.example.net"].compactMap(HostRule.init),
      operatorAllowed: ["127.0.0.1:9999", "*.lan.example"].compactMap(HostRule.init),
      allowsAnyPublicHost: true)
    #expect(policy.configuredName(of: try policy.check(url)) == name)
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import ImportPages
import NIOCore
import Testing
import TestSupport

@testable import Web

/// Pages compressed only where no other site can learn from their length, with tokens that differ in each answer.
@Suite struct PageCompressionTests {
  private func fetch(
    _ browser: Browser, _ address: String, site: String? = "same-origin", encoding: String? = "gzip"
  ) async throws -> TestResponse {
    var headers = browser.headers
    headers[.secFetchSite] = site
    headers[.acceptEncoding] = encoding
    return try await browser.harness.send(.get, address, headers)
  }

  private func unpacked(_ answer: TestResponse) throws -> String {
    let bytes = try #require(
      CompressedAnswer.unpack(Array(buffer: answer.body), limit: 1_000_000))
    return String(decoding: bytes, as: UTF8.self)
  }

  private func tokens(_ page: String) -> Set<String> {
    Set(page.matches(of: /name="form-token" value="([^"]*)"/).map { String($0.output.1) })
  }

  @Test func `a page without a query is compressed for this site's own requests`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let plain = try await browser.open("/me")
      #expect(plain.headers[.contentEncoding] == nil)
      for site in ["same-origin", "none"] {
        let packed = try await fetch(browser, "/me", site: site)
        #expect(packed.headers[.contentEncoding] == "gzip", "\(site)")
        #expect(packed.headers[.vary] == "Accept-Encoding, Sec-Fetch-Site")
        #expect(packed.body.readableBytes * 2 < plain.body.readableBytes)
        let text = try unpacked(packed)
        #expect(text.hasPrefix("<!DOCTYPE html>") && text.contains("Ann"))
      }
    }
  }

  @Test func `responses that another site can influence aren't compressed`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      for site in ["cross-site", "same-site", "nonsense", nil] {
        let answer = try await fetch(browser, "/me", site: site)
        #expect(answer.status == .ok && answer.headers[.contentEncoding] == nil, "\(site ?? "-")")
      }
      for encoding in [nil, "identity", "br", "gzip;q=0"] {
        let answer = try await fetch(browser, "/me", encoding: encoding)
        #expect(answer.headers[.contentEncoding] == nil, "\(encoding ?? "-")")
      }
      // A page can repeat a query, and so can a refused form.
      let asked = try await fetch(browser, "/medicines/new?q=metoprolol")
      #expect(asked.status == .ok && asked.headers[.contentEncoding] == nil)
      var headers = browser.headers
      headers[.acceptEncoding] = "gzip"
      let refused = try await harness.submit(
        "/medicines/new", [(ForgeryGuard.field, browser.formToken), ("name", "")], headers)
      #expect(refused.status == .unprocessableContent && refused.headers[.contentEncoding] == nil)
    }
  }

  @Test func `the token differs in each response, and each one is valid`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      var seen: Set<String> = []
      var lengths: Set<Int> = []
      for _ in 1...12 {
        let answer = try await fetch(browser, "/medicines/new")
        lengths.insert(answer.body.readableBytes)
        let found = tokens(try unpacked(answer))
        #expect(found.count == 1)
        seen.formUnion(found)
      }
      #expect(seen.count == 12 && lengths.count > 1)
      #expect(!seen.contains { $0.contains(browser.formToken) })
      for token in seen.prefix(3) {
        let sent = try await browser.post("/medicines/new", ["name": "Testolol"], token: token)
        #expect(sent.status == .seeOther, "\(sent.text)")
      }
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      let token = try #require(seen.first)
      let broken = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
      for (who, wrong) in [(other, token), (browser, broken), (browser, ""), (browser, "zz")] {
        let sent = try await who.post("/medicines/new", ["name": "Testolol"], token: wrong)
        #expect(sent.status == .forbidden, "\(wrong)")
      }
    }
  }

  @Test func `a masked token unmasks to the token`() {
    let token = "00112233445566778899aabbccddeeff"
    for byte: UInt8 in [0, 1, 127, 255] {
      let random = (0..<MaskedToken.size).map { UInt8(truncatingIfNeeded: $0) ^ byte }
      let masked = MaskedToken.mask(token, with: random)
      #expect(masked.utf8.count == 64 && MaskedToken.unmask(masked) == token)
    }
    #expect(MaskedToken.mask(token, with: []) == token)
    for odd in ["", token, "xyz", String(repeating: "g", count: 64)] {
      #expect(MaskedToken.unmask(odd) == odd)
    }
  }
}

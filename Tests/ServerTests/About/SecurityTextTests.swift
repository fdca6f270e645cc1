// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AccountPages
@testable import Web

@Suite struct SecurityTextTests {
  @Test func `security txt has contact, expiry and canonical address`() async throws {
    try await ServerHarness.run { harness in
      #expect(try await harness.send(.get, SecurityText.path).status == .notFound)
      var settings = ServerSettings(
        publicURL: "https://med.example.org", homeZone: "UTC", trustedProxies: [])
      settings.securityContact = SecurityContact(
        contacts: ["security@example.org", "https://example.org/report"],
        policy: "https://example.org/policy")
      let (answer, text) = try await harness.with(settings).read(
        SecurityText.path, host: "med.example.org")
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
      #expect(
        text == """
          Contact: mailto:security@example.org
          Contact: https://example.org/report
          Expires: 2026-08-28T00:00:00+00:00
          Policy: https://example.org/policy
          Canonical: https://med.example.org/.well-known/security.txt

          """)
    }
  }

  @Test(
    arguments: [
      (["security@example.org"], nil, true), (["tel:+47-22-00-00-00"], nil, true),
      (["https://example.org/report"], "https://example.org/policy", true), ([], nil, false),
      ([], "https://example.org/policy", false), (["http://example.org"], nil, false),
      (["mailto:"], nil, false), (["someone"], nil, false), (["a b@example.org"], nil, false),
      (["a@example.org\nContact: b@evil.example"], nil, false),
      (["a@example.org"], "http://example.org/policy", false),
    ] as [([String], String?, Bool)])
  func `a contact address outside the standard is refused`(
    contacts: [String], policy: String?, isTaken: Bool
  ) {
    #expect((SecurityContact(contacts: contacts, policy: policy) != nil) == isTaken)
  }
}

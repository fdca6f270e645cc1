// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Localization
import Testing
import TestSupport

@Suite struct WebAppTests {
  @Test(arguments: Language.allCases)
  func `the manifest is translated and its icons exist`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(
        .get, "/manifest.webmanifest", [.acceptLanguage: language.rawValue])
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "application/manifest+json; charset=utf-8")
      let manifest = try answer.json()
      #expect(manifest["lang"]?.string == language.rawValue)
      #expect(manifest["display"]?.string == "standalone")
      let icons = try #require(manifest["icons"]?.array)
      #expect(icons.compactMap { $0["sizes"]?.string } == ["192x192", "512x512", "512x512"])
      #expect(icons.contains { $0["purpose"]?.string == "maskable" })
      for icon in icons {
        let picture = try await harness.send(.get, try #require(icon["src"]?.string))
        #expect(picture.status == .ok)
        #expect(picture.headers[.contentType] == "image/png")
      }
    }
  }

  @Test(arguments: Language.allCases)
  func `the service worker is never cached and has its texts`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(
        .get, "/service-worker.js", [.cookie: "regimen-language=\(language.rawValue)"])
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(answer.headers[.cacheControl] == "no-cache")
      // The worker can only reach this server.
      #expect(answer.headers[.contentSecurityPolicy]?.contains("connect-src 'self'") == true)
      let first = try #require(answer.text.split(separator: "\n").first)
      let words = try JSONValue(
        parsing: Array(first.dropFirst("const words = ".count).dropLast().utf8))
      #expect(words["language"]?.string == language.rawValue)
      for name in [
        "product", "look", "taken", "later", "kept", "waiting", "asked", "answered", "failed",
      ] {
        #expect(words[name]?.string?.isEmpty == false, "\(name)")
      }
    }
  }

  @Test func `every page links the manifest and the home screen icon`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let page = try await harness.session(of: ann).open("/")
      #expect(page.text.contains("rel=\"manifest\" href=\"/manifest.webmanifest\""))
      #expect(page.text.contains("rel=\"apple-touch-icon\""))
      #expect(
        page.text.contains(
          " data-account=\"\(ann.id)\" data-account-name=\"Ann\" data-person=\"\(ann.patient)\""))
      let stranger = try await harness.send(.get, "/sign-in")
      #expect(!stranger.text.contains(" data-account"))
    }
  }

  @Test func `over plain http each page says which devices it reaches`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      for address in ["/", "/medicines", "/me", "/ring", "/device"] {
        #expect(
          try await browser.open(address).text.contains("Phones need https to receive reminders"))
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Server
@testable import Web

/// The rules for every request before and after its route.
@Suite struct EdgeTests {
  private static let kinds = [
    "/", "/sign-in", "/welcome", "/nowhere", "/health", "/robots.txt", "/api/v1/me",
    "/api/v1/openapi.json", "/api/v1/nowhere", "/fhir/metadata", "/fhir/Patient", "/fhir/nowhere",
    "/preferences?theme=dark", "/invitation/x",
  ]

  @Test(arguments: kinds)
  func `every response has the security headers`(address: String) async throws {
    try await ServerHarness.run { harness in
      for method in [HTTPRequest.Method.get, .post, .delete] {
        let answer = try await harness.send(method, address)
        #expect(answer.status.code < 500)
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.referrerPolicy] == "no-referrer")
        #expect(answer.headers[.crossOriginOpenerPolicy] == "same-origin")
        #expect(answer.headers[.crossOriginResourcePolicy] == "same-origin")
        #expect(answer.headers[.permissionsPolicy]?.hasPrefix("camera=(), ") == true)
        #expect(answer.headers[.strictTransportSecurity] == nil)
        let policy = try #require(answer.headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("base-uri 'none'"))
      }
    }
  }

  @Test func `each page has its own nonce`() async throws {
    try await ServerHarness.run { harness in
      var nonces: Set<Substring> = []
      for _ in 0..<3 {
        let page = try await harness.send(.get, "/welcome")
        let policy = try #require(page.headers[.contentSecurityPolicy])
        let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([^']+)'/)).1
        #expect(nonce.count >= 22)
        #expect(policy.contains("style-src 'nonce-\(nonce)'"))
        #expect(page.text.contains("nonce=\"\(nonce)\""))
        #expect(
          page.text.matches(of: /<(script|style|link)[^>]*>/).allSatisfy { !$0.0.contains("http") })
        nonces.insert(nonce)
      }
      #expect(nonces.count == 3)
    }
  }

  @Test func `a known address lists its methods`() async throws {
    try await ServerHarness.run { harness in
      let routes = try RegimenServer(environment: harness.environment).routes
      for (path, group) in Dictionary(grouping: routes, by: \.path) {
        var allowed = Set(group.map(\.method))
        if allowed.contains(.get) { allowed.insert(.head) }
        let address = path.replacing(/:[a-z]+/, with: "x")
        for method in RouteTable.methods where !allowed.contains(method) {
          let answer = try await harness.send(method, address)
          #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
          #expect(
            answer.headers[.allow] == allowed.map(\.rawValue).sorted().joined(separator: ", "),
            "\(method) \(path)")
        }
      }
      let odd = try #require(HTTPRequest.Method(rawValue: "PROPFIND"))
      let answer = try await harness.send(odd, "/")
      #expect(answer.status == .methodNotAllowed)
      #expect(answer.headers[.allow] != nil)
    }
  }

  @Test func `HEAD has the headers of GET and no body on every address`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let routes = try RegimenServer(environment: harness.environment).routes
      for address in routes.filter({ $0.method == .get }).map(\.path) + ["/nowhere", "/fhir/x"] {
        let full = try await browser.open(address)
        let head = try await harness.send(.head, address, browser.headers)
        #expect(head.status == full.status, "\(address)")
        #expect(head.body.readableBytes == 0, "\(address)")
        #expect(head.headers[.contentType] == full.headers[.contentType], "\(address)")
        // The QR code of a new secret has another size.
        let isDrawnAnew = address == "/account/security/codes"
        #expect(
          isDrawnAnew || head.headers[.contentLength] == full.headers[.contentLength],
          "\(address)")
      }
    }
  }

  @Test func `a request with several hosts is refused`() async throws {
    try await ServerHarness.run { harness in
      for (address, kind) in [("/welcome", "html"), ("/api/v1/me", "problem"), ("/fhir/x", "fhir")]
      {
        // The first Host header is the authority; another header counts as a second one.
        let two = try await harness.send(.get, address, [.furtherHost: "evil.example"])
        #expect(two.status == .badRequest)
        #expect(two.headers[.connection] == "close")
        #expect(two.mediaType.contains(kind))
      }
    }
  }

  @Test(arguments: ["", "a b", "a,b", "a/b", "user@host", "a\\b"])
  func `an invalid host is refused`(host: String) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.respond(host: host)
      #expect(answer.status == .badRequest)
    }
  }

  @Test func `a missing host is refused`() async throws {
    try await ServerHarness.run { harness in
      let none = try await harness.respond(host: nil)
      #expect(none.status == .badRequest)
      let port = try await harness.respond(host: "localhost:8080")
      #expect(port.status == .ok)
    }
  }

  @Test func `a body declared too large is not read`() async throws {
    try await ServerHarness.run { harness in
      let limit = harness.environment.settings.maximumBody
      for address in ["/sign-in", "/api/v1/administrations", "/fhir/MedicationRequest"] {
        let answer = try await harness.send(
          .post, address, [.contentLength: String(limit + 1)])
        #expect(answer.status == .contentTooLarge, "\(address)")
        #expect(answer.headers[.connection] == "close")
      }
      for length in ["-1", "many", "99999999999999999999", "1,1"] {
        let answer = try await harness.send(.post, "/sign-in", [.contentLength: length])
        #expect(answer.status == .badRequest, "\(length)")
      }
    }
  }

  @Test func `addresses that are too long or contain zero bytes are refused`() async throws {
    try await ServerHarness.run { harness in
      let long = "/sign-in?next=/" + String(repeating: "a", count: 9000)
      #expect(try await harness.send(.get, long).status == .uriTooLong)
      for address in ["/sign-in?next=%00", "/fhir/Patient/%00", "/%00"] {
        #expect(try await harness.send(.get, address).status == .badRequest)
      }
      let form = try await harness.submit("/sign-in", [("email", "a\u{0}b")])
      #expect(form.status == .badRequest)
    }
  }

  @Test func `compressed bodies are refused and ranges ignored`() async throws {
    try await ServerHarness.run { harness in
      for coding in ["gzip", "deflate", "br", "x, gzip", "GZIP"] {
        let answer = try await harness.send(
          .post, "/api/v1/administrations", [.contentEncoding: coding], json: [:])
        #expect(answer.status == .unsupportedMediaType, "\(coding)")
      }
      let whole = try await harness.send(.get, "/robots.txt")
      for range in ["bytes=0-1", "bytes=0-0,2-3,4-5", "bytes=-1", "bytes=9-1", "x"] {
        let part = try await harness.send(.get, "/robots.txt", [.range: range])
        #expect(part.status == .ok && part.text == whole.text, "\(range)")
      }
    }
  }

  @Test func `a form is a form`() async throws {
    try await ServerHarness.run { harness in
      let json = try await harness.send(.post, "/sign-in", json: ["email": "a"])
      #expect(json.status == .unsupportedMediaType)
      let broken = try await harness.client.executeRequest(
        uri: "/sign-in", method: .post,
        headers: [.contentType: "application/x-www-form-urlencoded"],
        body: ByteBuffer(bytes: [0xFF, 0xFE]))
      #expect(broken.status == .badRequest)
      let odd = try await harness.client.executeRequest(
        uri: "/sign-in", method: .post,
        headers: [.contentType: "application/x-www-form-urlencoded"],
        body: ByteBuffer(string: "&&=&email=%zz&email&=x&%&password=%ff"))
      #expect(odd.status == .unprocessableContent || odd.status == .seeOther)
    }
  }

  @Test func `an error page keeps the sign-in and the language`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let german = browser.headers[.cookie].map { "\($0); regimen-language=de" }
      let headers: HTTPFields = [.cookie: german ?? ""]
      for address in ["/nowhere", "/medicines/none"] {
        let page = try await harness.send(.get, address, headers)
        #expect(page.status == .notFound)
        #expect(page.text.contains("lang=\"de\""))
        #expect(page.text.contains("/sign-out"), "\(address)")
      }
    }
  }
}

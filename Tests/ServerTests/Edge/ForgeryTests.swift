// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Web

/// Requests that another site can make a browser send, and those that only a page of this server
/// sends.
@Suite struct ForgeryTests {
  private static let body: JSONValue = ["action": "taken"]

  @Test func `a session's API writes must come from this server's pages`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let cookie = try await harness.session(of: ann.account).headers[.cookie] ?? ""
      let dose = try await ann.newDose()
      let path = "/api/v1/doses/\(dose)/answers"
      let refused: [HTTPFields] = [
        [:], [.secFetchSite: "none"], [.secFetchSite: "same-site"], [.secFetchSite: "cross-site"],
        [.origin: "null"], [.origin: "https://evil.example"],
        [.origin: "https://evil.example", .secFetchSite: "same-origin"],
      ]
      for headers in refused {
        let answer = try await harness.send(
          .post, path, headers.with([.cookie: cookie]), json: Self.body)
        try answer.expectProblem(.forbidden, "forgery")
      }
      #expect(try await ann.doses().first?["state"] == "scheduled")
      for headers: HTTPFields in [[.secFetchSite: "same-origin"], [.origin: "http://localhost"]] {
        let answer = try await harness.send(
          .post, path, headers.with([.cookie: cookie]), json: Self.body)
        #expect(answer.status == .ok, "\(headers): \(answer.text)")
      }
      // Reading needs neither, and browsers never send a bearer token on their own.
      #expect(try await harness.send(.get, "/api/v1/me", [.cookie: cookie]).status == .ok)
      #expect(try await ann.answer(dose, ["action": "undo"]).status == .ok)
    }
  }

  @Test(arguments: [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    "text/json", "application/jsonp",
  ])
  func `a session must send JSON with its content type`(type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let dose = try await ann.newDose()
      for path in ["/api/v1/doses/\(dose)/answers", "/fhir/MedicationRequest", "/api/v1/imports"] {
        let answer = try await harness.send(
          .post, path, browser.headers.with([.contentType: type]), json: Self.body)
        #expect(answer.status == .unsupportedMediaType, "\(path)")
      }
      let untyped = try await harness.client.executeRequest(
        uri: "/api/v1/deliveries/none/shown", method: .post,
        headers: browser.headers.with([.contentLength: "2"]), body: ByteBuffer(string: "{}"))
      #expect(untyped.status == .unsupportedMediaType)
    }
  }

  @Test func `a session can write over FHIR from this server's pages`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let cookie: HTTPFields = [.cookie: browser.headers[.cookie] ?? ""]
      let type: HTTPFields = [.contentType: "application/fhir+json"]
      let refused = try await harness.send(
        .post, "/fhir/MedicationRequest", cookie.with(type), json: ann.request())
      try refused.expectOutcome(.forbidden)
      let created = try await harness.send(
        .post, "/fhir/MedicationRequest", browser.headers.with(type), json: ann.request())
      #expect(created.status == .created, "\(created.text)")
    }
  }

  @Test(
    arguments: [
      ("https://med.example.org", true), ("https://med.example.org:443", true),
      ("https://MED.example.org", true), ("http://med.example.org", false),
      ("https://med.example.org:8443", false), ("https://evil.example", false),
      ("https://med.example.org.evil.example", false), ("http://localhost", false),
      ("null", false),
    ] as [(String, Bool)])
  func `with an https public address no other origin can write`(
    origin: String, isOwn: Bool
  ) async throws {
    try await ServerHarness.run { harness in
      let secure = harness.with(
        ServerSettings(
          publicURL: "https://med.example.org", homeZone: "UTC", trustedProxies: []))
      let ann = try await harness.makeAccount()
      let secret = try await harness.environment.signIn.openSession(for: ann, at: harness.clock.now)
      let headers: HTTPFields = [
        .cookie: "__Host-regimen=\(secret.text)", .origin: origin,
        .contentType: "application/json",
      ]
      let answer = try await secure.respond(
        "/api/v1/deliveries/none/shown", host: "med.example.org", peer: "127.0.0.1", headers,
        method: .post)
      #expect((answer.status != .forbidden) == isOwn, "\(answer.status)")
    }
  }

  @Test(
    arguments: [
      ("med.example.org", true), ("MED.example.org:443", true), ("med.example.org.", true),
      // Some proxies omit the port or use their own.
      ("med.example.org:8080", true), ("evil.example", false), ("127.0.0.1:8080", false),
      ("localhost", false), ("med.example.org.evil.example", false), ("[::1]:8080", false),
    ] as [(String, Bool)])
  func `with an https public address no other host is served`(
    host: String, isOwn: Bool
  ) async throws {
    try await ServerHarness.run { harness in
      let settings = ServerSettings(
        publicURL: "https://med.example.org", homeZone: "UTC", trustedProxies: [])
      let secure = harness.with(settings)
      for address in ["/sign-in", "/api/v1/openapi.json", "/nothing-here"] {
        let answer = try await secure.respond(address, host: host, peer: "127.0.0.1")
        #expect((answer.status != .misdirectedRequest) == isOwn, "\(address)")
      }
      // Health monitors use the IP address.
      let health = try await secure.respond("/health", host: host, peer: "127.0.0.1")
      #expect(health.status != .misdirectedRequest)
      // Without a public address, any name is accepted.
      let plain = try await harness.respond("/sign-in", host: host, peer: "127.0.0.1")
      #expect(plain.status != .misdirectedRequest)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

@Suite struct FHIRCrossOriginTests {
  private static let origin = "https://app.example.org"
  private static let allowed = CrossOrigins(list: "https://app.example.org/, http://localhost:3000")
  private static let question: HTTPFields = [
    .origin: origin, .accessControlRequestMethod: "PUT",
    .accessControlRequestHeaders: "authorization,if-match,prefer",
  ]

  @Test(arguments: [
    "*", "null", "app.example.org", "http://app.example.org", "https://", "https://a.example/path",
    "https://a.example?x=1", "https://user@a.example", "ftp://a.example", "https://a.example,x",
  ])
  func `wrong origins are refused at the start`(list: String) {
    #expect(CrossOrigins(list: list) == nil)
  }

  @Test func `origins are compared as browsers write them`() throws {
    let origins = try #require(
      CrossOrigins(
        list: " HTTPS://App.Example.org:443/ ,http://127.0.0.1:8000,, https://b.example:8443"))
    for origin in ["https://app.example.org", "http://127.0.0.1:8000", "https://b.example:8443"] {
      #expect(origins.contains(origin))
    }
    for origin in [
      "http://app.example.org", "https://b.example", "https://x.app.example.org", "null",
    ] {
      #expect(!origins.contains(origin))
    }
    #expect(CrossOrigins(list: " , ")?.isEmpty == true)
  }

  @Test func `an app of a listed origin may ask and read`() async throws {
    let allowed = try #require(Self.allowed)
    try await ServerHarness.run(crossOrigins: allowed) { harness in
      let ann = try await Person.make(harness)
      let asked = try await harness.send(.options, "/fhir/Patient/x", Self.question)
      #expect(asked.status == .noContent)
      #expect(asked.headers[.accessControlAllowOrigin] == Self.origin)
      #expect(asked.headers[.accessControlAllowMethods]?.contains("PATCH") == true)
      let fields = asked.headers[.accessControlAllowHeaders] ?? ""
      for name in [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "If-None-Exist", "Prefer",
      ] {
        #expect(fields.contains(name))
      }
      #expect(asked.headers[.vary] == "Origin")
      #expect(asked.headers[.accessControlAllowCredentials] == nil)

      for address in [
        "/fhir/Patient/\(ann.account.patient)", "/fhir/Patient/none", "/fhir/metadata",
      ] {
        let read = try await ann.get(address, [.origin: Self.origin])
        #expect(read.headers[.accessControlAllowOrigin] == Self.origin)
        let exposed = read.headers[.accessControlExposeHeaders] ?? ""
        for name in ["ETag", "Location", "Content-Location", "Last-Modified"] {
          #expect(exposed.contains(name))
        }
        #expect(read.headers[.accessControlAllowCredentials] == nil)
      }
    }
  }

  @Test func `other origins, addresses and servers allow nothing`() async throws {
    let allowed = try #require(Self.allowed)
    try await ServerHarness.run(crossOrigins: allowed) { harness in
      let ann = try await Person.make(harness)
      let foreign = Self.question.with([.origin: "https://other.example"])
      let asked = try await harness.send(.options, "/fhir/metadata", foreign)
      #expect(asked.status == .methodNotAllowed)
      #expect(asked.headers[.accessControlAllowOrigin] == nil)
      let read = try await ann.get("/fhir/metadata", [.origin: "https://other.example"])
      #expect(read.status == .ok)
      #expect(read.headers[.accessControlAllowOrigin] == nil)
      #expect(read.headers[.vary] == "Origin")
      for address in ["/api/v1/doses", "/fhirx", "/sign-in"] {
        let answer = try await harness.send(.options, address, Self.question)
        #expect(answer.status != .noContent)
        #expect(answer.headers[.accessControlAllowOrigin] == nil)
      }
    }
    try await ServerHarness.run { harness in
      let asked = try await harness.send(.options, "/fhir/metadata", Self.question)
      #expect(asked.status == .methodNotAllowed)
      let read = try await harness.send(.get, "/fhir/metadata", [.origin: Self.origin])
      #expect(read.headers[.accessControlAllowOrigin] == nil)
      #expect(read.headers[.vary] == nil)
    }
  }

  @Test func `a listed origin cannot write with a person's cookie`() async throws {
    let allowed = try #require(Self.allowed)
    try await ServerHarness.run(crossOrigins: allowed) { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let answer = try await harness.send(
        .post, "/fhir/MedicationRequest",
        browser.headers.with([.origin: Self.origin, .secFetchSite: "cross-site"]),
        json: ["resourceType": "MedicationRequest"])
      #expect(answer.status == .forbidden)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import FHIRAPI

/// The content of a Binary in its own media type.
@Suite struct BinaryContentTests {
  private static let page = "<script>alert(1)</script>"

  /// Stores a Binary with base64 data.
  private func binary(
    _ person: Person, type: String = "text/html",
    data: JSONValue? = "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="
  ) async throws {
    var resource: JSONValue = [
      "resourceType": "Binary", "id": "b1", "contentType": .string(type),
      "securityContext": ["reference": .string("Patient/\(person.account.patient)")],
    ]
    resource["data"] = data
    let answer = try await person.put("/fhir/Binary/b1", resource)
    #expect(answer.status == .created, "\(answer.text)")
  }

  @Test func `without a format of FHIR the content is answered, which no browser runs`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await binary(ann)
      for accept in ["", "*/*", "text/html", "text/*", "image/png, */*;q=0.1"] {
        for address in ["/fhir/Binary/b1", "/fhir/Binary/b1/_history/1"] {
          let headers: HTTPFields = accept.isEmpty ? [:] : [.accept: accept]
          let answer = try await ann.get(address, headers)
          #expect(answer.status == .ok, "\(accept): \(answer.text)")
          #expect(answer.text == Self.page)
          #expect(answer.headers[.contentType] == "text/html")
          #expect(answer.headers[.contentDisposition] == "attachment")
          #expect(answer.headers[.xContentTypeOptions] == "nosniff")
          #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
          #expect(answer.headers[.cacheControl] == "no-store")
          #expect(answer.headers[.eTag] == #"W/"1""#)
          #expect(
            answer.headers[.xSecurityContext] == "Patient/\(ann.account.patient)")
        }
      }
      let known = try await ann.get("/fhir/Binary/b1", [.ifNoneMatch: #"W/"1""#])
      #expect(known.status == .notModified)
    }
  }

  @Test func `a format of FHIR gives the resource`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await binary(ann)
      for accept in [
        "application/fhir+json", "application/json", "application/fhir+json, */*;q=0.5",
      ] {
        let answer = try await ann.get("/fhir/Binary/b1", [.accept: accept])
        #expect(answer.mediaType == "application/fhir+json", "\(accept)")
        #expect(try answer.json()["contentType"] == "text/html")
      }
      let xml = try await ann.get("/fhir/Binary/b1", [.accept: "application/fhir+xml"])
      #expect(xml.text.contains("<Binary xmlns"))
      for query in ["_format=json", "_elements=contentType", "_summary=true"] {
        let answer = try await ann.get("/fhir/Binary/b1?\(query)")
        #expect(try answer.json()["resourceType"] == "Binary", "\(query)")
      }
    }
  }

  @Test func `other media types are refused, and foreign content is not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      try await binary(ann)
      let address = "/fhir/Binary/b1"
      try await ann.get(address, [.accept: "image/png"]).expectOutcome(.notAcceptable)
      try await ann.get("\(address)?_format=png").expectOutcome(.notAcceptable, at: "_format")
      try await ann.get("\(address)?_pretty=maybe").expectOutcome(.badRequest, at: "_pretty")
      try await bob.get(address, [.accept: "text/html"]).expectOutcome(.notFound)
      try await ann.get("/fhir/Binary/none", [.accept: "text/html"]).expectOutcome(.notFound)
      let raw = try await ann.post(
        "/fhir/Binary", ["a": 1], [.contentType: "image/png"])
      try raw.expectOutcome(.unsupportedMediaType, "not-supported")
    }
  }

  @Test func `content is answered byte by byte, and unclear types have none`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await binary(ann, type: "application/fhir+json; charset=utf-8", data: "eyAiYSI6MSB9")
      let json = try await ann.get("/fhir/Binary/b1?_pretty=true", [.acceptEncoding: "gzip"])
      #expect(json.text == #"{ "a":1 }"#)
      let other = try await Person.make(harness, "Bob")
      let put = try await other.put(
        "/fhir/Binary/b2",
        [
          "resourceType": "Binary", "id": "b2", "contentType": "nonsense",
          "securityContext": ["reference": .string("Patient/\(other.account.patient)")],
        ])
      #expect(put.status == .created, "\(put.text)")
      let empty = try await other.get("/fhir/Binary/b2")
      #expect(empty.status == .ok && empty.text.isEmpty)
      #expect(empty.headers[.contentType] == "application/octet-stream")
    }
  }

  /// Each row is a media type, an `Accept` field, and true if the content is preferred; nil if neither is accepted.
  @Test(
    arguments: [
      ("application/pdf", "", true), ("application/pdf", "*/*", true),
      ("application/pdf", "application/*", true), ("application/pdf", "APPLICATION/PDF", true),
      ("application/pdf", "application/fhir+json", false),
      ("application/pdf", "application/fhir+json;q=0.1, */*;q=0.5", true),
      ("application/pdf", "application/fhir+xml, */*", false),
      ("application/json", "application/json", true), ("text/xml", "application/xml", false),
      ("application/pdf", "image/*", nil), ("application/pdf", "*/*;q=0", nil),
      ("application/pdf", ",;", nil),
      ("application/fhir+json", "application/fhir+json", false),
    ] as [(String, String, Bool?)])
  func `the client's favourite is chosen`(type: String, accept: String, isContent: Bool?) {
    #expect(BinaryContent.prefers(type, accept: accept) == isContent)
  }
}

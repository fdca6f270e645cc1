// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct FHIRWriteTests {
  private static let base = "/fhir/MedicationRequest"

  @Test func `a posted plan gets a server id and an absolute address`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request(id: "mine")
      request["meta"] = [
        "versionId": "77", "lastUpdated": "2001-01-01T00:00:00Z",
        "tag": [["system": "http://example.org/tags", "code": "kept"]],
      ]
      let created = try await ann.post(Self.base, request)
      #expect(created.status == .created, "\(created.text)")
      let json = try created.json()
      let id = try #require(json["id"]?.string)
      #expect(id != "mine")
      #expect(json["meta"]?["versionId"] == "1")
      #expect(json["meta"]?["lastUpdated"]?.string?.hasPrefix("2026-03-01T07:00:00") == true)
      #expect(json["meta"]?["tag"]?[0]?["code"] == "kept")
      #expect(
        created.headers[.location] == "http://localhost\(Self.base)/\(id)/_history/1")
      #expect(created.headers[.eTag] == #"W/"1""#)
      #expect(created.headers[.lastModified] != nil)
      #expect(try await ann.get("\(Self.base)/\(id)").text == created.text)
    }
  }

  @Test func `a PUT creates with the client's id and then adds versions`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "\(Self.base)/my-plan.1"
      let created = try await ann.put(address, ann.request(id: "my-plan.1"))
      #expect(created.status == .created, "\(created.text)")
      #expect(created.headers[.location] == "http://localhost\(address)/_history/1")
      let before = try await ann.doses()
      let changed = ann.request(timing: Person.timing("09:00:00"), id: "my-plan.1")
      let updated = try await ann.put(address, changed)
      #expect(updated.status == .ok)
      #expect(updated.headers[.eTag] == #"W/"2""#)
      #expect(try updated.json()["meta"]?["versionId"] == "2")
      let after = try await ann.doses()
      #expect(after.compactMap { $0["due"]?.string } == ["2026-03-01T09:00:00+00:00"])
      #expect(after.compactMap { $0["id"]?.string } == before.compactMap { $0["id"]?.string })
    }
  }

  @Test func `prescriptions that share an identifier are all kept`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      func request(_ name: String, _ value: String, id: String? = nil) -> JSONValue {
        var request = ann.request(name, id: id)
        request["identifier"] = [["system": "urn:portal", "value": .string(value)]]
        return request
      }
      for name in ["Testolol", "Zinc"] {
        let created = try await ann.post(Self.base, request(name, "1"))
        #expect(created.status == .created, "\(created.text)")
      }
      let address = "\(Self.base)/p"
      let puts: [(String, HTTPResponse.Status)] = [("1", .created), ("2", .ok), ("1", .ok)]
      for (value, status) in puts {
        let put = try await ann.put(address, request("Ramipril", value, id: "p"))
        #expect(put.status == status, "\(put.text)")
      }
      #expect(try await ann.get(Self.base).json()["total"] == 3)
    }
  }

  @Test func `If-Match guards against overwriting`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "\(Self.base)/p"
      let request = ann.request(id: "p")
      #expect(try await ann.put(address, request).status == .created)
      func put(_ tag: String) async throws -> TestResponse {
        try await ann.put(address, request, [.ifMatch: tag])
      }
      #expect(try await put(#"W/"1""#).status == .ok)
      try await put(#"W/"1""#).expectOutcome(.preconditionFailed, "conflict")
      try await put(#"W/"7""#).expectOutcome(.preconditionFailed, "conflict")
      for junk in ["x", "", #"W/"x""#, #"W/"99999999999999999999""#] {
        try await put(junk).expectOutcome(.badRequest)
      }
      #expect(try await put("2").status == .ok)
      #expect(try await put(#""3""#).status == .ok)
      #expect(try await put("*").status == .ok)
      #expect(try await ann.get(address).headers[.eTag] == #"W/"5""#)
      let other = try await ann.put(
        "\(Self.base)/new", ann.request(id: "new"), [.ifMatch: #"W/"1""#])
      #expect(other.status == .notFound || other.status == .preconditionFailed)
      #expect(try await ann.get("\(Self.base)/new").status == .notFound)
      let only = try await ann.put(address, request, [.ifNoneMatch: "*"])
      #expect(only.status == .preconditionFailed)
    }
  }

  @Test func `the id must match the address`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "\(Self.base)/a"
      try await ann.put(address, ann.request(id: "b"))
        .expectOutcome(.badRequest, at: "MedicationRequest.id")
      try await ann.put(address, ann.request())
        .expectOutcome(.badRequest, at: "MedicationRequest.id")
      try await ann.put("\(Self.base)/a_b", ann.request(id: "a_b")).expectOutcome(.badRequest)
      var patient = ann.request(id: "a")
      patient["resourceType"] = "Patient"
      try await ann.put(address, patient).expectOutcome(.badRequest, at: "resourceType")
      try await ann.post(Self.base, [:]).expectOutcome(.badRequest, at: "resourceType")
      try await ann.post(Self.base, []).expectOutcome(.badRequest, at: "resourceType")
      #expect(try await ann.get(Self.base).json()["total"] == 0)
    }
  }

  @Test func `a client that prefers a minimal return gets an empty body`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let minimal = try await ann.put(
        "\(Self.base)/p", ann.request(id: "p"), [.prefer: "return=minimal"])
      #expect(minimal.status == .created)
      #expect(minimal.text.isEmpty)
      #expect(minimal.headers[.eTag] == #"W/"1""#)
      #expect(minimal.headers[.location] != nil)
      let full = try await ann.put(
        "\(Self.base)/p", ann.request(id: "p"), [.prefer: "return=representation"])
      #expect(try full.json()["id"] == "p")
    }
  }

  @Test func `decimals, extensions and unusual numbers are stored unchanged`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request("Dropol", amount: .decimal("1.50"))
      request["extension"] = [
        ["url": "http://example.org/weight", "valueDecimal": .decimal("72.10")]
      ]
      request["_status"] = ["extension": [["url": "http://example.org/why", "valueString": "é"]]]
      request["dispenseRequest"] = ["quantity": ["value": .decimal("1.2E+2"), "unit": "ml"]]
      request["authoredOn"] = "2026-02"
      let created = try await ann.post(Self.base, request)
      #expect(created.status == .created, "\(created.text)")
      let id = try #require(try created.json()["id"]?.string)
      let read = try await ann.get("\(Self.base)/\(id)")
      for answer in [created, read] {
        for text in ["72.10", "1.50", "1.2E+2", "\"2026-02\"", "http://example.org/why"] {
          #expect(answer.text.contains(text), "\(text)")
        }
      }
      var stored = try read.json()
      for name in ["id", "meta"] { stored[name] = nil }
      #expect(stored == request)
      #expect(try await ann.get(Self.base).text.contains("72.10"))
    }
  }

  @Test(arguments: [
    (#"{"colour":"red"}"#, "MedicationRequest.colour"),
    (#"{"status":"ACTIVE"}"#, "MedicationRequest.status"),
    (#"{"status":null}"#, "MedicationRequest.status"),
    (#"{"status":["active"]}"#, "MedicationRequest.status"),
    (#"{"intent":""}"#, "MedicationRequest.intent"),
    (#"{"note":[]}"#, "MedicationRequest.note"),
    (#"{"note":{}}"#, "MedicationRequest.note"),
    (#"{"authoredOn":"2026-02-30"}"#, "MedicationRequest.authoredOn"),
    (#"{"doNotPerform":"yes"}"#, "MedicationRequest.doNotPerform"),
    (#"{"note":[{"text":"a\u0000b"}]}"#, "MedicationRequest.note[0].text"),
  ])
  func `invalid FHIR is refused with its location`(change: String, expression: String)
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      for (name, value) in try JSONValue(parsing: change).object ?? JSONObject([]) {
        request[name] = value
      }
      try await ann.post(Self.base, request)
        .expectOutcome(.unprocessableContent, at: expression)
      #expect(try await ann.get(Self.base).json()["total"] == 0)
    }
  }

  @Test func `required elements and exactly one medication are needed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for name in ["status", "intent", "subject", "medicationCodeableConcept"] {
        var request = ann.request()
        request[name] = nil
        try await ann.post(Self.base, request).expectOutcome(.unprocessableContent)
      }
      var two = ann.request()
      two["medicationReference"] = ["reference": "Medication/1"]
      try await ann.post(Self.base, two).expectOutcome(.unprocessableContent)
    }
  }

  @Test func `a plan for another patient is not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      #expect(
        try await bob.put("\(Self.base)/bobs", bob.request(id: "bobs")).status == .created)
      try await ann.post(Self.base, bob.request()).expectOutcome(.notFound)
      try await ann.put("\(Self.base)/bobs", ann.request(id: "bobs")).expectOutcome(.notFound)
      try await ann.put("\(Self.base)/bobs", bob.request(id: "bobs")).expectOutcome(.notFound)
      var nobody = ann.request()
      nobody["subject"] = ["reference": "Patient/nobody"]
      try await ann.post(Self.base, nobody).expectOutcome(.notFound)
      #expect(try await bob.get("\(Self.base)/bobs").headers[.eTag] == #"W/"1""#)
    }
  }

  @Test(arguments: [
    ("POST", "/fhir/MedicationRequest/p", "DELETE, GET, HEAD, PATCH, PUT"),
    ("PUT", "/fhir/Communication/c", "GET, HEAD"), ("DELETE", "/fhir/Communication/c", "GET, HEAD"),
    ("PUT", "/fhir/Communication", "GET, HEAD, POST"), ("POST", "/fhir/metadata", "GET, HEAD"),
  ])
  func `an unsupported method lists others`(method: String, address: String, allow: String)
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let method = try #require(HTTPRequest.Method(rawValue: method))
      let answer = try await harness.send(method, address, ann.token, json: ann.request())
      try answer.expectOutcome(.methodNotAllowed, "not-supported")
      #expect(answer.headers[.allow] == allow)
    }
  }
}

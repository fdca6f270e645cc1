// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct FHIRReadTests {
  @Test func `a resource is read with its version and time`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let read = try await ann.get("/fhir/MedicationRequest/\(plan)")
      #expect(read.status == .ok)
      #expect(read.headers[.contentType] == "application/fhir+json; charset=utf-8")
      #expect(read.headers[.eTag] == #"W/"1""#)
      #expect(read.headers[.lastModified] == "Sun, 01 Mar 2026 07:00:00 GMT")
      #expect(read.headers[.cacheControl] == "no-store")
      let json = try read.json()
      #expect(json["id"]?.string == plan.text)
      #expect(json["meta"]?["versionId"] == "1")
      #expect(json["meta"]?["lastUpdated"]?.string?.hasPrefix("2026-03-01T07:00:00") == true)
      let patient = try await ann.get("/fhir/Patient/\(ann.account.patient)")
      #expect(try patient.json()["resourceType"] == "Patient")
    }
  }

  @Test func `an older version is read unchanged, foreign ones are not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let address = "/fhir/MedicationRequest/\(try await ann.plan())"
      var changed = try await ann.get(address).json()
      changed["status"] = "stopped"
      let put = try await harness.send(.put, address, ann.token, json: changed)
      #expect(put.status == .ok, "\(put.text)")
      let first = try await ann.get("\(address)/_history/1")
      #expect(first.headers[.eTag] == #"W/"1""#)
      #expect(try first.json()["status"] == "active")
      #expect(try await ann.get("\(address)/_history/2").json()["status"] == "stopped")
      for version in ["3", "0", "-1", "x", "99999999999999999999"] {
        #expect(try await ann.get("\(address)/_history/\(version)").status == .notFound)
      }
      #expect(try await bob.get("\(address)/_history/1").status == .notFound)
    }
  }

  @Test(arguments: [#"W/"1""#, #""1""#, "1", "*", #"W/"7", W/"1""#])
  func `a version that the client has is not sent again`(tag: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/MedicationRequest/\(try await ann.plan())"
      let read = try await ann.get(address, [.ifNoneMatch: tag])
      #expect(read.status == .notModified)
      #expect(read.text.isEmpty)
      #expect(read.headers[.eTag] == #"W/"1""#)
    }
  }

  @Test(arguments: [#"W/"2""#, "x", "", #"W/"99999999999999999999""#, #"""#, "-1"])
  func `another version is sent`(tag: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/MedicationRequest/\(try await ann.plan())"
      #expect(try await ann.get(address, [.ifNoneMatch: tag]).status == .ok)
    }
  }

  @Test func `a resource that did not change since a time is not sent again`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/MedicationRequest/\(try await ann.plan())"
      for (time, status) in [
        ("Sun, 01 Mar 2026 07:00:00 GMT", HTTPResponse.Status.notModified),
        ("Mon, 02 Mar 2026 07:00:00 GMT", .notModified),
        ("Sun, 01 Mar 2026 06:59:59 GMT", .ok), ("yesterday", .ok), ("", .ok),
      ] {
        let read = try await ann.get(address, [.ifModifiedSince: time])
        #expect(read.status == status, "\(time)")
        #expect(read.headers[.lastModified] == "Sun, 01 Mar 2026 07:00:00 GMT")
      }
      // The entity tag takes precedence.
      let other = try await ann.get(
        address,
        [.ifModifiedSince: "Mon, 02 Mar 2026 07:00:00 GMT", .ifNoneMatch: #"W/"2""#])
      #expect(other.status == .ok)
    }
  }

  @Test func `HEAD gives the same headers without a body`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/MedicationRequest/\(try await ann.plan())"
      let full = try await ann.get(address)
      let head = try await harness.send(.head, address, ann.token)
      #expect(head.status == .ok)
      #expect(head.text.isEmpty)
      #expect(head.headers[.contentLength] == String(full.body.readableBytes))
      #expect(head.headers[.eTag] == full.headers[.eTag])
      #expect(head.headers[.contentType] == full.headers[.contentType])
      let nothing = try await harness.send(.head, "/fhir/MedicationRequest/none", ann.token)
      #expect(nothing.status == .notFound)
      #expect(nothing.text.isEmpty)
    }
  }

  @Test(arguments: [
    "none", "a_b", "%2e%2e%2fPatient", "%00", "a%20b", "%F0%9F%92%8A", "%ff",
    String(repeating: "a", count: 65), "..%2f..%2fetc%2fpasswd", "$everything",
  ])
  func `a missing resource is not found`(id: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      for type in FHIRType.allCases {
        let answer = try await ann.get("/fhir/\(type.rawValue)/\(id)")
        try answer.expectOutcome(id == "%00" ? .badRequest : .notFound)
      }
    }
  }

  @Test(arguments: [
    "/fhir/Immunization", "/fhir/Immunization/1", "/fhir/medicationrequest",
    "/fhir/EpisodeOfCare", "/fhir/Patient/1/Immunization",
  ])
  func `an unknown address answers with an outcome`(address: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.get(address).expectOutcome(.notFound, "not-supported")
    }
  }

  @Test func `another's resource is not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let plan = try await bob.plan("Secretol")
      for address in ["MedicationRequest/\(plan)", "Patient/\(bob.account.patient)"] {
        let answer = try await ann.get("/fhir/\(address)")
        try answer.expectOutcome(.notFound, "not-found")
        #expect(!answer.text.contains("Secretol"))
      }
    }
  }

  @Test func `a request without a token is asked for one`() async throws {
    try await ServerHarness.run { harness in
      for address in ["/fhir/Patient", "/fhir/MedicationRequest/1"] {
        let answer = try await harness.send(.get, address)
        try answer.expectOutcome(.unauthorized, "login")
        #expect(answer.headers[.wwwAuthenticate] == "Bearer")
      }
    }
  }

  @Test(arguments: [
    "application/fhir+json", "application/json", "*/*", "application/*",
    "application/fhir+json; fhirVersion=4.0", "text/html, */*;q=0.8", "",
  ])
  func `clients that accept JSON get JSON`(accept: String) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/fhir/metadata", [.accept: accept])
      #expect(answer.status == .ok)
      #expect(answer.mediaType == "application/fhir+json")
    }
  }

  @Test(arguments: ["text/html", "application/fhir+turtle", "x"])
  func `clients that accept neither format are refused unless _format allows it`(accept: String)
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for path in ["metadata", "Patient", "Patient/\(ann.account.patient)"] {
        let address = "/fhir/\(path)"
        try await ann.get(address, [.accept: accept]).expectOutcome(.notAcceptable)
        for format in ["json", "application/fhir+json", "application%2Ffhir%2Bjson"] {
          let answer = try await ann.get("\(address)?_format=\(format)", [.accept: accept])
          #expect(answer.status == .ok, "\(format)")
        }
        try await ann.get("\(address)?_format=ttl", [.accept: "*/*"]).expectOutcome(.notAcceptable)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import FHIRXML
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

@Suite struct FHIRFormatTests {
  private static let base = "/fhir/MedicationRequest"

  /// Reads an answer in XML.
  private func read(_ answer: TestResponse) throws -> JSONValue {
    #expect(answer.headers[.contentType] == "application/fhir+xml; charset=utf-8")
    return try ResourceXML.read(Array(buffer: answer.body))
  }

  private func send(
    _ harness: ServerHarness, _ address: String, _ headers: HTTPFields, _ body: String
  ) async throws -> TestResponse {
    try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: ByteBuffer(string: body))
  }

  /// Each row is an `Accept` field and the format that it prefers.
  @Test(
    arguments: [
      ("application/fhir+json", FHIRFormat.json), ("application/json", .json), ("*/*", .json),
      ("application/*", .json), ("application/fhir+xml", .xml), ("application/xml", .xml),
      ("text/xml", .xml), ("application/fhir+json;q=0.5, application/fhir+xml", .xml),
      ("application/fhir+xml;q=0.5, application/fhir+json;q=0.9", .json),
      ("application/fhir+xml, application/fhir+json", .xml), ("text/html, */*;q=0.1", .json),
      ("application/fhir+xml; fhirVersion=3.0, application/json;q=0.1", .json),
      ("APPLICATION/FHIR+XML; fhirVersion=\"4.0\"", .xml), ("text/html", nil), ("*/*;q=0", nil),
      ("application/fhir+json; fhirVersion=5.0", nil), (";", nil), ("a,,b;q=x", nil),
    ] as [(String, FHIRFormat?)])
  func `the client's favourite format is chosen`(accept: String, format: FHIRFormat?) {
    #expect(FHIRFormat(accept: accept) == format)
  }

  @Test(
    arguments: [
      ("application/fhir+json", FHIRFormat.json), ("application/json; charset=UTF-8", .json),
      ("application/fhir+xml; fhirVersion=4.0", .xml), ("text/xml", .xml), ("text/json", nil),
      ("application/fhir+json; fhirVersion=3.0", nil), ("application/xml; charset=utf-16", .xml),
      ("application/json; charset=utf-16", nil), ("text/xml; charset=latin1", nil),
      ("json", nil), ("", nil), ("text/plain", nil),
    ] as [(String, FHIRFormat?)])
  func `the media type of a body names its format`(type: String, format: FHIRFormat?) {
    #expect(FHIRFormat(contentType: type) == format)
  }

  @Test func `a resource is answered in XML with the same content`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "\(Self.base)/\(try await ann.plan())"
      let json = try await ann.get(address).json()
      for format in ["xml", "application/fhir%2Bxml", "application/fhir+xml", "text/xml"] {
        let answer = try await ann.get("\(address)?_format=\(format)")
        #expect(answer.status == .ok)
        #expect(answer.headers[.eTag] == #"W/"1""#)
        #expect(answer.headers[.cacheControl] == "no-store")
        let value = try read(answer)
        #expect(ResourceXML.write(value) == ResourceXML.write(json))
        #expect(value["meta"] == json["meta"])
      }
      let accepted = try await ann.get(address, [.accept: "application/fhir+xml"])
      #expect(try read(accepted)["id"] == json["id"])
      let overruled = try await ann.get("\(address)?_format=json", [.accept: "application/xml"])
      #expect(overruled.mediaType == "application/fhir+json")
    }
  }

  @Test func `HEAD in XML has the length of the XML`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "\(Self.base)/\(try await ann.plan())?_format=xml"
      let full = try await ann.get(address)
      let head = try await harness.send(.head, address, ann.token)
      #expect(head.headers[.contentType] == "application/fhir+xml; charset=utf-8")
      #expect(head.headers[.contentLength] == String(full.body.readableBytes))
      #expect(head.body.readableBytes == 0)
    }
  }

  @Test func `searches and the description are answered in XML`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let found = try await ann.get("\(Self.base)?_format=xml")
      #expect(found.mediaType == "application/fhir+xml")
      #expect(found.text.contains(#"<Bundle xmlns="http://hl7.org/fhir">"#))
      #expect(found.text.contains("<resource><MedicationRequest><id "))
      let described = try await harness.send(.get, "/fhir/metadata?_format=xml")
      #expect(described.text.contains(#"<fhirVersion value="4.0.1"/>"#))
    }
  }

  @Test func `errors have the wanted format`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let xml: HTTPFields = [.accept: "application/fhir+xml"]
      let answers = [
        (try await ann.get("\(Self.base)/none", xml), 404),
        (try await harness.send(.get, Self.base, xml), 401),
        (try await ann.get("/fhir/Nothing", xml), 404),
        (try await harness.send(.patch, "/fhir/metadata", ann.token.with(xml)), 405),
        (try await ann.post(Self.base, ["resourceType": "Patient"], xml), 400),
      ]
      for (answer, status) in answers {
        #expect(answer.status.code == status)
        #expect(answer.mediaType == "application/fhir+xml")
        #expect(answer.text.contains(#"<OperationOutcome xmlns="http://hl7.org/fhir"><issue>"#))
      }
    }
  }

  @Test func `a resource is posted in XML`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let request = ann.request(amount: .decimal("2.50"))
      let body = String(decoding: ResourceXML.write(request), as: UTF8.self)
      for type in ["application/fhir+xml", "application/xml", "text/xml; charset=utf-8"] {
        let created = try await send(harness, Self.base, ann.token.with([.contentType: type]), body)
        #expect(created.status == .created, "\(created.text)")
        let dosage = try created.json()["dosageInstruction"]?[0]
        let amount = dosage?["doseAndRate"]?[0]?["doseQuantity"]
        #expect(amount?["value"] == .decimal("2.50"))
      }
    }
  }

  /// Each row is a body in XML with the status and the place of its fault.
  @Test(
    arguments: [
      ("<MedicationRequest>", 400, nil), ("{}", 400, nil), ("", 400, nil),
      (#"<!DOCTYPE x><MedicationRequest xmlns="http://hl7.org/fhir"/>"#, 400, nil),
      (
        #"<MedicationRequest xmlns="http://hl7.org/fhir"><color value="red"/></MedicationRequest>"#,
        422,
        "MedicationRequest.color"
      ),
      (
        #"<MedicationRequest xmlns="http://hl7.org/fhir"><status value="x"/></MedicationRequest>"#,
        422, nil
      ),
      (
        #"<Patient xmlns="http://hl7.org/fhir"><active value="true"/></Patient>"#, 400,
        "resourceType"
      ),
    ] as [(String, Int, String?)])
  func `a bad body in XML is refused`(body: String, status: Int, place: String?) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let headers = ann.token.with([.contentType: "application/fhir+xml"])
      let answer = try await send(harness, Self.base, headers, body)
      try answer.expectOutcome(HTTPResponse.Status(code: status), at: place)
    }
  }

  @Test(arguments: [
    "text/plain", "application/fhir+json; fhirVersion=3.0", "application/xml; charset=latin1",
  ])
  func `other media types are refused`(type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.post(Self.base, ann.request(), [.contentType: type])
        .expectOutcome(.unsupportedMediaType, "not-supported")
    }
  }

  @Test func `a body in UTF-16 is read, and a wrong declaration is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let headers = ann.token.with([.contentType: "application/fhir+xml; charset=utf-16"])
      let text = String(decoding: ResourceXML.write(ann.condition("Æsthma")), as: UTF8.self)
      func post(_ text: String) async throws -> TestResponse {
        let bytes = "\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return try await harness.client.executeRequest(
          uri: "/fhir/Condition", method: .post, headers: headers, body: ByteBuffer(bytes: bytes))
      }
      let stored = try await post(text.replacing("UTF-8", with: "UTF-16"))
      #expect(stored.status == .created, "\(stored.text)")
      #expect(try stored.json()["code"]?["text"] == "Æsthma")
      try await post(text).expectOutcome(.badRequest, "structure")
      let latin = ann.token.with([.contentType: "application/fhir+xml"])
      let other = text.replacing("UTF-8", with: "ISO-8859-1")
      try await send(harness, "/fhir/Condition", latin, other).expectOutcome(
        .badRequest, "structure")
    }
  }

  @Test(arguments: ["maybe", "", "1", "TRUE"])
  func `an unclear _pretty is refused`(value: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let patient = ann.account.patient
      for address in [
        "Patient/\(patient)", "Patient", "Patient/\(patient)/Condition", "Patient/_history",
        "metadata", "_history", "Patient/\(patient)/$summary",
      ] {
        try await ann.get("/fhir/\(address)?_pretty=\(value)")
          .expectOutcome(.badRequest, "value", at: "_pretty")
      }
      try await ann.post("/fhir/Condition?_pretty=\(value)", ann.condition("Gout"))
        .expectOutcome(.badRequest, "value", at: "_pretty")
      #expect(try await ann.count("/fhir/Condition") == 0)
    }
  }

  @Test func `a session cannot be made to post XML`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let answer = try await send(
        harness, Self.base, browser.headers.with([.contentType: "text/xml"]), "<a/>")
      #expect(answer.status == .unsupportedMediaType)
    }
  }

  @Test func `answers are indented on request`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/Patient/\(ann.account.patient)"
      let plain = try await ann.get(address)
      let pretty = try await ann.get("\(address)?_pretty=true")
      #expect(pretty.mediaType == "application/fhir+json")
      #expect(pretty.text.hasPrefix("{\n  \"resourceType\": \"Patient\",\n"))
      #expect(try pretty.json() == plain.json())
      #expect(try await ann.get("\(address)?_pretty=false").text == plain.text)
      let xml = try await ann.get("\(address)?_pretty=true&_format=xml")
      #expect(xml.text.contains("\n  <id value="))
    }
  }

  @Test func `answers to tokens are compressed if they are long`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for name in ["Testolol", "Examplin", "Sampladol", "Mockamycin"] {
        _ = try await ann.plan(name)
      }
      let plain = try await ann.get(Self.base)
      #expect(plain.headers[.contentEncoding] == nil)
      let packed = try await ann.get(Self.base, [.acceptEncoding: "gzip, deflate"])
      #expect(packed.headers[.contentEncoding] == "gzip")
      #expect(packed.headers[.vary] == "Accept-Encoding")
      #expect(packed.headers[.contentLength] == String(packed.body.readableBytes))
      #expect(packed.body.readableBytes * 2 < plain.body.readableBytes)
      #expect(Array(buffer: packed.body).prefix(2) == [0x1F, 0x8B])
      let short = try await ann.get("\(Self.base)/none", [.acceptEncoding: "gzip"])
      #expect(short.headers[.contentEncoding] == nil)
    }
  }

  @Test func `answers to sessions are not compressed`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let answer = try await harness.send(
        .get, "/fhir/metadata", browser.headers.with([.acceptEncoding: "gzip"]))
      #expect(answer.status == .ok)
      #expect(answer.body.readableBytes > 1_200)
      #expect(answer.headers[.contentEncoding] == nil)
    }
  }
}

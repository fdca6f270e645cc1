// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

/// Bodies that are not JSON, on every address that accepts JSON.
@Suite struct BodyTests {
  private static let addresses = ["/api/v1/administrations", "/fhir/MedicationRequest"]

  private static let broken: [String: [UInt8]] = [
    "empty": [], "cut off": Array(#"{"action":"#.utf8), "words": Array("taken".utf8),
    "two documents": Array(#"{}{}"#.utf8), "duplicate key": Array(#"{"a":1,"a":2}"#.utf8),
    "trailing comma": Array(#"{"a":1,}"#.utf8),
    "no UTF-8": Array(#"{"a":""#.utf8) + [0xFF, 0x22, 0x7D],
    "lone surrogate": Array(#"{"a":"\ud800"}"#.utf8), "leading zero": Array(#"{"a":01}"#.utf8),
    "NaN": Array(#"{"a":NaN}"#.utf8), "comment": Array(#"{/**/}"#.utf8),
    "byte order mark twice": [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
    "control character": Array("{\"a\":\"\u{01}\"}".utf8),
    "deep arrays": Array(repeating: UInt8(ascii: "["), count: 100_000),
    "deep objects": Array(String(repeating: #"{"a":"#, count: 50_000).utf8),
  ]

  @Test(arguments: addresses, broken.keys.sorted())
  func `broken JSON is a bad request`(address: String, name: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await send(Self.broken[name] ?? [], to: address, ann)
      if address.hasPrefix("/fhir") {
        try answer.expectOutcome(.badRequest, "structure")
      } else {
        try answer.expectProblem(.badRequest, "structure")
      }
    }
  }

  @Test(
    arguments: addresses,
    [
      "", "text/plain", "application/x-www-form-urlencoded", "text/html", "json", ";",
      "a/b/c",
    ])
  func `another media type is refused`(address: String, type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await send(Array("{}".utf8), to: address, ann, type: type)
      #expect(answer.status == .unsupportedMediaType)
    }
  }

  @Test(arguments: addresses)
  func `a body beyond the limit is too large`(address: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let limit = harness.environment.settings.maximumBody
      let body = Array(repeating: UInt8(ascii: " "), count: limit + 1)
      let answer = try await send(body, to: address, ann)
      #expect(answer.status == .contentTooLarge)
      #expect(answer.headers[.connection] == "close")
    }
  }

  @Test func `a large body within the limit is read`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["note"] = [["text": .string(String(repeating: "word ", count: 300_000))]]
      let answer = try await ann.post("/fhir/MedicationRequest", request)
      #expect(answer.status == .created || answer.status == .unprocessableContent)
    }
  }

  private func send(
    _ body: [UInt8], to address: String, _ person: Person, type: String = "application/json"
  ) async throws -> TestResponse {
    try await person.harness.client.executeRequest(
      uri: address, method: .post, headers: person.token.with([.contentType: type]),
      body: ByteBuffer(bytes: body))
  }
}

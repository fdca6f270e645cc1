// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Web

/// A phone's token can send measurements, and do nothing else.
@Suite struct PhoneTokenTests {
  private static func values(_ patient: PatientID) -> JSONValue {
    [
      "patient": .string(patient),
      "readings": [
        [
          "type": "resting-heart-rate", "at": "2026-02-28T07:00:00Z", "value": 61,
          "source": "Watch",
        ]
      ],
    ]
  }

  /// Creates it on the recipe's page, as a person does.
  private static func token(_ browser: Browser) async throws -> HTTPFields {
    let page = try await browser.post("/heart-rate/phone", [:])
    let text = try #require(page.text.firstRange(of: "Bearer ").map { page.text[$0.upperBound...] })
    return [.authorization: "Bearer \(text.prefix { $0 != "<" })"]
  }

  @Test func `the token sends its person's values and reads nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let phone = try await Self.token(try await harness.session(of: ann))
      let sent = try await harness.send(
        .post, Address.vitalsAPI, phone, json: Self.values(ann.patient))
      #expect(sent.status == .ok, "\(sent.text)")
      #expect(try sent.json()["stored"] == 1)
      let unnamed = try await harness.send(
        .post, Address.vitalsAPI, phone, json: ["readings": []])
      #expect(unnamed.status == .ok)
      let takenBack = try await harness.send(
        .post, Address.vitalsAPI, phone,
        json: [
          "readings": [
            [
              "type": "resting-heart-rate", "at": "2026-02-28T07:00:00Z", "source": "Watch",
              "deleted": true,
            ]
          ]
        ])
      #expect(takenBack.status == .ok && takenBack.text.contains("refused"), "\(takenBack.text)")
      let kept = try await harness.send(
        .get, "/fhir/Observation?patient=\(ann.patient)", try await harness.token(of: ann))
      #expect(kept.text.contains("61"), "\(kept.text)")
      let other = try await harness.send(
        .post, Address.vitalsAPI, phone, json: Self.values(bob.patient))
      #expect(other.status == .notFound)
      for path in [
        "/api/v1/me", "/fhir/Observation", "/fhir/Patient/\(ann.patient)", "/heart-rate",
        "/fhir/Patient",
        "/api/v1/doses?patient=\(ann.patient)&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z",
      ] {
        let read = try await harness.send(.get, path, phone)
        #expect(read.status == .forbidden, "\(path)")
        #expect(!read.text.contains(ann.patient.text), "\(path)")
      }
    }
  }

  @Test func `the token expires after a year, shows its end and can be renewed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let phone = try await Self.token(browser)
      func sends() async throws -> Bool {
        try await harness.send(.post, Address.vitalsAPI, phone, json: Self.values(ann.patient))
          .status == .ok
      }
      let page = try await browser.open("/heart-rate/phone").text
      #expect(page.contains("Expires 1 March 2027"))
      let id = try #require(page.firstMatch(of: /name="renew" value="([^"]+)"/)?.1)
      harness.clock.advance(minutes: 300 * 24 * 60)
      let later = try await harness.session(of: ann)
      let renewed = try await later.post("/heart-rate/phone", ["renew": String(id)])
      #expect(renewed.status == .seeOther, "\(renewed.text)")
      let unknown = try await later.post("/heart-rate/phone", ["renew": "00"])
      #expect(unknown.status == .notFound)
      harness.clock.advance(minutes: 100 * 24 * 60)
      #expect(try await sends())
      harness.clock.advance(minutes: 300 * 24 * 60)
      harness.environment.sessions.forget()
      #expect(try await !sends())
      // Another person's token is not renewed, and neither is one with more rights.
      let bob = try await harness.session(of: harness.makeAccount("Bob"))
      #expect(try await bob.post("/heart-rate/phone", ["renew": String(id)]).status == .notFound)
    }
  }

  @Test func `medicines that an app sends with its values are refused one by one`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let phone = try await Self.token(try await harness.session(of: ann))
      let answer = try await harness.send(
        .post, Address.vitalsAPI, phone,
        json: [
          "data": [
            "metrics": [],
            "medications": [
              [
                "displayText": "Ibuprofen", "start": "2026-02-28 08:00:00 +0100",
                "status": "Taken",
              ]
            ],
          ]
        ])
      #expect(answer.status == .ok, "\(answer.text)")
      #expect(try answer.json()["skipped"]?[0]?["error"] == "refused")
    }
  }

  @Test func `the token ends with access to its person`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let phone = try await Self.token(try await harness.session(of: ann))
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM grants WHERE patient = $1", [.text(ann.patient)])
      }
      harness.environment.sessions.forget()
      let sent = try await harness.send(
        .post, Address.vitalsAPI, phone, json: Self.values(ann.patient))
      #expect(sent.status == .notFound)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Observations
@testable import Web

/// The preferred source among several, with and without a choice.
@Suite struct SourceChoiceTests {
  private static func post(_ person: Person, _ source: String, _ days: [Int], value: Int)
    async throws
  {
    let readings = days.map { day -> JSONValue in
      [
        "type": "resting-heart-rate",
        "at": .string("2026-02-\(day < 10 ? "0" : "")\(day)T07:00:00Z"),
        "value": .number(JSONNumber(value)), "source": .string(source),
      ]
    }
    let answer = try await person.post(Address.vitalsAPI, ["readings": .array(readings)])
    #expect(answer.status == .ok, "\(answer.text)")
  }

  private static func preferred(_ person: Person) async throws -> String? {
    let patient = person.account.patient
    return try await person.harness.environment.database.read {
      try VitalQueries.sources(patient, in: $0).first { $0.isPreferred }?.source
    }
  }

  @Test func `one manual entry doesn't replace a watch`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await Self.post(ann, "Watch", Array(10...26), value: 60)
      let browser = try await harness.session(of: ann.account)
      #expect(
        try await browser.post("/heart-rate", ["value": "72", "day": ""]).status == .seeOther)
      #expect(try await Self.preferred(ann) == "Watch")
      #expect(
        try await HealthFileTests.days(harness, ann.account.patient).allSatisfy {
          $0.hasSuffix("Watch")
        })
    }
  }

  @Test func `a new watch in use replaces an unused one`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await Self.post(ann, "Old", Array(1...14), value: 60)
      try await Self.post(ann, "New", [15, 16], value: 62)
      #expect(try await Self.preferred(ann) == "Old")
      try await Self.post(ann, "New", Array(17...22), value: 62)
      #expect(try await Self.preferred(ann) == "New")
    }
  }

  @Test func `of two equal sources the later counts, unless one is chosen`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await Self.post(ann, "A", [20, 21], value: 60)
      try await Self.post(ann, "B", [21, 22], value: 61)
      #expect(try await Self.preferred(ann) == "B")
      let browser = try await harness.session(of: ann.account)
      let chosen = try await browser.post(
        "/heart-rate/sources", ["source": "A", "metric": "resting-heart-rate"])
      #expect(chosen.status == .seeOther)
      try await Self.post(ann, "B", Array(23...27), value: 61)
      #expect(try await Self.preferred(ann) == "A")
    }
  }
}

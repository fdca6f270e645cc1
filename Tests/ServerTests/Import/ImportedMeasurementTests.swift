// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import ImportPages
@testable import Prescriptions
@testable import Web

/// Heart rates, steps and weights in a file of FHIR resources.
@Suite struct ImportedMeasurementTests {
  private static let patient =
    #"{"resourceType":"Patient","id":"p","name":[{"text":"Ann Example"}]}"#

  private static func observation(
    _ id: String, code: String = "40443-4", value: String = #"{"value":61,"unit":"/min"}"#,
    at: String? = "2026-02-27T23:00:00Z", status: String = "final", subject: String? = "Patient/p"
  ) -> String {
    let person = subject.map { #""subject":{"reference":"\#($0)"},"# } ?? ""
    let time = at.map { #","effectiveDateTime":"\#($0)""# } ?? ""
    return
      #"{"resourceType":"Observation","id":"\#(id)","status":"\#(status)","code":{"coding":[{"system":"http://loinc.org","code":"\#(code)"}]},\#(person)"valueQuantity":\#(value)\#(time)}"#
  }

  /// One of each kind that is kept, and one that is not.
  private static let good = [
    patient, observation("a"), observation("b", code: "8867-4"),
    observation("c", code: "55423-8", value: #"{"value":4000,"unit":"count"}"#),
    observation("d", code: "29463-7", value: #"{"value":71.5,"unit":"kg","code":"kg"}"#),
    observation("e", code: "8480-6", value: #"{"value":128,"unit":"mmHg"}"#),
  ]

  private static func bundle(_ resources: [String]) -> String {
    let entries = resources.map { "{\"resource\":\($0)}" }.joined(separator: ",")
    return "{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"entry\":[\(entries)]}"
  }

  private static func take(
    _ harness: ServerHarness, _ text: String, isTrial: Bool = false
  ) async throws -> JSONValue {
    var reader = ImportFileReader(fileName: "file.json")
    reader.append(Array(text.utf8))
    let lines = try await HostImport(environment: harness.environment).perform(
      reader, ImportOptions(patient: nil, accept: false, isTrial: isTrial, fileName: "file.json"))
    return try #require(lines.last)
  }

  private static func days(_ harness: ServerHarness) async throws -> Int64 {
    try await harness.environment.database.read { reader in
      try reader.first("SELECT count(*) FROM vital_days")?.integer(0) ?? -1
    }
  }

  private static func counts(_ closing: JSONValue) -> [Int?] {
    ["stored", "replaced", "unchanged"].map { closing["measurements"]?[$0]?.number?.integer }
  }

  @Test(arguments: [true, false])
  func `measurements are stored once`(isBundle: Bool) async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Ann")
      let text = isBundle ? Self.bundle(Self.good) : Self.good.joined(separator: "\n")
      let trial = try await Self.take(harness, text, isTrial: true)
      #expect(Self.counts(trial) == [4, 0, 0])
      #expect(try await Self.days(harness) == 0)
      let first = try await Self.take(harness, text)
      #expect(Self.counts(first) == [4, 0, 0], "\(first.text)")
      #expect(first["problemCount"]?.number?.integer == 0, "\(first.text)")
      #expect(first["ignored"] == ["Observation": 1])
      #expect(try await Self.days(harness) == 4)
      let again = try await Self.take(harness, text)
      #expect(Self.counts(again) == [0, 0, 4], "\(again.text)")
      #expect(try await Self.days(harness) == 4)
    }
  }

  @Test func `those that can't be used are listed with their reason`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Ann")
      let closing = try await Self.take(
        harness,
        Self.bundle([
          Self.patient, Self.observation("unit", value: #"{"value":61,"unit":"kg"}"#),
          Self.observation("value", value: #"{"value":6100,"unit":"/min"}"#),
          Self.observation("none", value: "{}"), Self.observation("time", at: nil),
          Self.observation("future", at: "2099-01-01T08:00:00Z"),
          Self.observation("wrong", status: "entered-in-error"),
          Self.observation("nobody", subject: nil), Self.observation("sound"),
        ]))
      let problems = closing["problems"]?.array ?? []
      #expect(
        problems.map { "\($0["entry"]?.number?.integer ?? 0) \($0["reason"]?.string ?? "")" } == [
          "2 unit", "3 value", "4 value", "5 no-time", "6 future-time", "7 not-final",
          "8 no-patient",
        ], "\(closing.text)")
      #expect(problems.allSatisfy { $0["type"]?.string == "Observation" })
      #expect(Self.counts(closing) == [1, 0, 0])
      #expect(try await Self.days(harness) == 1)
    }
  }

  @Test func `another person's measurements are left out`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let own = "Patient/\(ann.patient)"
      let closing = try await Self.take(
        harness,
        Self.bundle([
          Self.observation("a", subject: own),
          Self.observation("b", code: "8867-4", subject: "https://h/fhir/Patient/bob"),
        ]))
      #expect(Self.counts(closing) == [1, 0, 0], "\(closing.text)")
      #expect(closing["problems"]?[0]?["reason"]?.string == "other-patient")
    }
  }

  @Test func `the import page counts them before anything is stored`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount("Ann"))
      let sent = try await ImportPageTests.upload(browser, Array(Self.bundle(Self.good).utf8))
      let address = try #require(sent.headers[.location])
      let page = try await browser.open(address)
      #expect(
        page.text.contains("4 measurements (heart rate, steps or weight)"), "\(page.text)")
      #expect(try await Self.days(harness) == 0)
      let done = try await browser.post(address, ["action": "accept-all"])
      #expect(done.status == .seeOther, "\(done.text)")
      #expect(try await Self.days(harness) == 4)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import Identifiers
import People
import Storage
import Testing
import TestSupport

@testable import ImportPages
@testable import Plans
@testable import Prescriptions
@testable import Web

/// Imports of files on the host.
@Suite struct HostImportTests {
  private static func take(
    _ harness: ServerHarness, _ text: String = ImportPageTests.bundle, patient: PatientID? = nil,
    accept: Bool = false, isTrial: Bool = false, name: String? = nil
  ) async throws -> [JSONValue] {
    var reader = ImportFileReader(fileName: "file.json")
    reader.append(Array(text.utf8))
    var options = ImportOptions(
      patient: patient, accept: accept, isTrial: isTrial, fileName: "file.json")
    options.personName = name
    return try await HostImport(environment: harness.environment).perform(reader, options)
  }

  /// A file that refers to its person without any name.
  private static let nameless = """
    {"resourceType":"Bundle","type":"collection","entry":[
     {"resource":{"resourceType":"MedicationRequest","id":"1","status":"active","intent":"order",
      "medicationCodeableConcept":{"text":"Bisoprolol 2.5 mg"},
      "subject":{"reference":"Patient/7"},
      "dosageInstruction":[{"timing":{"repeat":{"timeOfDay":["08:00:00"]}}}]}}]}
    """

  @Test func `a file without a name asks whose it is`() async throws {
    try await ServerHarness.run { harness in
      // A dry run stores nothing, so it needs no name.
      #expect(try await Self.take(harness, Self.nameless, isTrial: true).count == 1)
      for name in [nil, "  "] {
        let detail = await Self.detail {
          _ = try await Self.take(harness, Self.nameless, name: name)
        }
        #expect(detail?.contains("--name") == true && detail?.contains("\n") == false)
      }
      let empty = try await harness.environment.database.read {
        try PeopleQueries.first(2, in: $0)
      }
      #expect(empty.isEmpty)
      let lines = try await Self.take(harness, Self.nameless, accept: true, name: "Ann Example")
      let patient = try #require(lines.last?["patient"]?.string)
      #expect(lines.last?["prescriptions"]?["accepted"]?.number?.integer == 1)
      let details = try await harness.environment.database.read {
        try PeopleQueries.details(PatientID(patient), in: $0)?.details
      }
      #expect(details?.displayName == "Ann Example")
      let again = try await Self.take(harness, Self.nameless, name: "ann example")
      #expect(again.last?["prescriptions"]?["unchanged"]?.number?.integer == 1)
      let other = await Self.detail {
        _ = try await Self.take(harness, Self.nameless, name: "Bob")
      }
      #expect(other?.contains("another name") == true)
    }
  }

  @Test func `a file's own name counts before the given one`() async throws {
    try await ServerHarness.run { harness in
      let lines = try await Self.take(harness, name: "Bob")
      let patient = try #require(lines.last?["patient"]?.string)
      let details = try await harness.environment.database.read {
        try PeopleQueries.details(PatientID(patient), in: $0)?.details
      }
      #expect(details?.displayName == "Ann Example")
    }
  }

  @Test func `a plan without doses is listed with its reason`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Ann")
      let text = Self.nameless.replacing(
        #""timeOfDay":["08:00:00"]"#,
        with: #""timeOfDay":["08:00:00"],"boundsPeriod":{"end":"2025-03-03"}"#)
      let closing = try #require(try await Self.take(harness, text, accept: true).last)
      let made = try #require(closing["unplanned"]?.array?.first)
      #expect(closing["unplanned"]?.array?.count == 1)
      #expect(made["entry"]?.number?.integer == 1)
      #expect(made["reason"]?.string == "ended:2025-03-03")
      #expect(made["plan"]?.string?.isEmpty == false)
    }
  }

  private static func detail(_ work: () async throws -> Void) async -> String? {
    do {
      try await work()
      return nil
    } catch let failure as Failure {
      return failure.detail
    } catch {
      return "\(error)"
    }
  }

  @Test func `an empty data folder gets a patient from the file`() async throws {
    try await ServerHarness.run { harness in
      let trial = try await Self.take(harness, isTrial: true)
      #expect(trial.last?["patient"] == nil)
      let lines = try await Self.take(harness, accept: true)
      let closing = try #require(lines.last)
      #expect(closing["prescriptions"]?["accepted"]?.number?.integer == 2)
      #expect(closing["administrations"]?["recorded"]?.number?.integer == 1)
      #expect(closing["problemCount"]?.number?.integer == 1)
      #expect(closing["problems"]?[0]?["entry"]?.number?.integer == 5)
      let patient = try #require(closing["patient"]?.string)
      let again = try await Self.take(harness, accept: true)
      #expect(again.last?["patient"]?.string == patient)
      #expect(again.last?["prescriptions"]?["unchanged"]?.number?.integer == 2)
      #expect(again.last?["administrations"]?["unchanged"]?.number?.integer == 1)
    }
  }

  @Test func `a dry run shows each prescription and stores nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let lines = try await Self.take(harness, isTrial: true)
      #expect(lines.count == 3)
      let first = try #require(lines.first)
      #expect(first["medicine"]?.string == "Bisoprolol 2.5 mg")
      #expect(first["next"]?[0]?.string == "2026-03-01T08:00:00+00:00")
      #expect(lines[1]["unplanned"]?.string == "text-only")
      #expect(lines[2]["dryRun"]?.bool == true)
      let plans = try await harness.environment.database.read {
        try PlanQueries.all(patient: ann.patient, in: $0)
      }
      #expect(plans.isEmpty)
    }
  }

  @Test func `with several patients one must be named`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      _ = try await harness.makeAccount("Bob")
      let open = await Self.detail { _ = try await Self.take(harness) }
      #expect(open?.contains("--patient") == true)
      let unknown = await Self.detail { _ = try await Self.take(harness, patient: "nobody") }
      #expect(unknown?.contains("No patient") == true)
      let lines = try await Self.take(harness, patient: ann.patient)
      #expect(lines.last?["prescriptions"]?["proposed"]?.number?.integer == 2)
    }
  }

  @Test(arguments: [
    ("<x/>", "XML"), ("PK\u{3}\u{4}", "zip"), ("a,b", "not FHIR JSON"), ("", "empty"),
  ])
  func `other formats are refused with a message`(text: String, word: String) async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Ann")
      let detail = await Self.detail { _ = try await Self.take(harness, text) }
      #expect(detail?.contains(word) == true, "\(detail ?? "-")")
    }
  }

  @Test func `an import path with an unusual file name keeps its options`() {
    var options = ImportOptions(
      patient: "a", accept: true, isTrial: true, fileName: "über & ?.json")
    options.personName = "Åse & Co"
    let path = ImportRoutes.hostPath(options)
    #expect(path.hasPrefix("/administration/import?name="))
    let pairs = FormBody.pairs(of: String(path.drop { $0 != "?" }.dropFirst()))
    #expect(pairs.first { $0.name == "name" }?.value == "über & ?.json")
    #expect(pairs.first { $0.name == "person-name" }?.value == "Åse & Co")
    #expect(pairs.contains { $0.name == "accept" } && pairs.contains { $0.name == "dry-run" })
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport
import Web

@testable import FHIRAPI

/// The files of exports after people changed what they share.
@Suite struct ExportSharingTests {
  private static func path(_ url: String) -> String {
    String(url.dropFirst("http://localhost".count))
  }

  @Test func `a file is closed while a part of it is no longer shared`() async throws {
    try await ServerHarness.run { harness in
      defer { harness.removeExportFiles() }
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let pulse = try await ann.post(
        "/fhir/Observation",
        [
          "resourceType": "Observation", "status": "final",
          "code": ["coding": [["system": "http://loinc.org", "code": "8867-4"]]],
          "subject": ["reference": .string("Patient/\(ann.account.patient)")],
          "effectiveDateTime": "2026-02-28T07:00:00Z",
          "valueQuantity": [
            "value": 61, "unit": "beats/minute", "system": "http://unitsofmeasure.org",
            "code": "/min",
          ],
        ])
      #expect(pulse.status == .created, "\(pulse.text)")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      func share(_ categories: Set<DataCategory>) async throws {
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .family, of: ann.account.patient, to: bob.account.id,
            from: now.adding(milliseconds: -1000), categories: categories, in: writer)
        }
        harness.environment.sessions.forget()
      }
      func export() async throws -> String {
        let begun = try await bob.get(
          "/fhir/Patient/$export?_type=Observation", [.prefer: "respond-async"])
        let status = Self.path(try #require(begun.headers[.contentLocation]))
        try await harness.runExports()
        let manifest = try await bob.get(status).json()
        return Self.path(try #require(manifest["output"]?[0]?["url"]?.string))
      }
      try await share([.heartRate, .diary])
      let whole = try await export()
      #expect(try await bob.get(whole).text.contains("8867-4"))
      for narrower: Set<DataCategory> in [[.diary], [.heartRate]] {
        try await share(narrower)
        try await bob.get(whole).expectOutcome(.forbidden, "forbidden")
      }
      // Made again, it contains what is shared now, and more sharing does not close it.
      let part = try await export()
      #expect(try await bob.get(part).status == .ok)
      try await share([.diary])
      try await bob.get(part).expectOutcome(.forbidden, "forbidden")
      try await share([.medicines])
      try await bob.get(whole).expectOutcome(.notFound)
      try await share([.heartRate, .diary])
      for file in [whole, part] { #expect(try await bob.get(file).status == .ok) }
    }
  }

  @Test func `the parts with which a file was made are stored, and are everything if unknown`()
    throws
  {
    var file = ExportFile(type: .observation, name: "n", count: 1, pieces: 1, patients: ["p", "q"])
    file.parts = ["p": .diary, "q": .measurements]
    #expect(ExportFile(json: file.json) == file)
    var earlier = file.json
    earlier["parts"] = nil
    let read = try #require(ExportFile(json: earlier))
    #expect(read.parts.isEmpty && read.patients == file.patients)
  }
}

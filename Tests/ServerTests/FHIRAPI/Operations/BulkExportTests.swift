// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport
import Web

@testable import FHIRAPI

@Suite struct BulkExportTests {
  private static let prefer: HTTPFields = [.prefer: "respond-async"]

  @Test func `an export runs in the background and gives its files`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let status = try await ann.beginExport(
        "/fhir/Patient/$export?_type=Patient,MedicationRequest")
      let waiting = try await ann.get(status)
      #expect(waiting.status == .accepted)
      #expect(waiting.headers[.xProgress]?.isEmpty == false)
      await harness.runExports()
      let done = try await ann.get(status)
      #expect(done.status == .ok, "\(done.text)")
      let manifest = try done.json()
      #expect(manifest["requiresAccessToken"] == true)
      #expect(manifest["error"]?.array?.isEmpty == true)
      #expect(manifest["transactionTime"]?.string?.hasPrefix("2026-03-01T07:00:00") == true)
      let output = manifest["output"]?.array ?? []
      #expect(output.map { $0["type"]?.string } == ["Patient", "MedicationRequest"])
      #expect(output.allSatisfy { $0["count"] == 1 })
      let file = try await ann.get(try path(output[1]["url"]))
      #expect(file.mediaType == "application/fhir+ndjson")
      let lines = file.text.split(separator: "\n")
      #expect(lines.count == 1)
      let resource = try JSONValue(parsing: Array(lines[0].utf8))
      #expect(resource["id"]?.string == plan.text)
    }
  }

  @Test func `an account exports only its own patients, and others can't see it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await bob.plan("Secretol")
      let status = try await ann.beginExport("/fhir/Patient/$export")
      await harness.runExports()
      let manifest = try await ann.get(status).json()
      for file in manifest["output"]?.array ?? [] {
        let address = try path(file["url"])
        let lines = try await ann.get(address)
        #expect(lines.status == .ok)
        #expect(!lines.text.contains("Secretol"))
        try await bob.get(address).expectOutcome(.notFound)
        #expect(try await harness.send(.get, address).status == .unauthorized)
      }
      try await bob.get(status).expectOutcome(.notFound)
      try await harness.send(.delete, status, bob.token).expectOutcome(.notFound)
      #expect(try await ann.get(status).status == .ok)
    }
  }

  @Test func `only systems export everyone and groups`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await bob.plan("Secretol")
      let token = try await harness.token(of: ann.account, scope: .system)
      let system = Person(harness: harness, account: ann.account, token: token)
      let group: JSONValue = [
        "resourceType": "Group", "id": "g1", "type": "person", "actual": true,
        "member": [
          ["entity": ["reference": .string("Patient/\(bob.account.patient)")]],
          ["entity": ["reference": "Patient/nobody"]],
        ],
      ]
      let made = try await system.put("/fhir/Group/g1", group)
      #expect(made.status == .created, "\(made.text)")
      for address in ["/fhir/$export", "/fhir/Group/g1/$export"] {
        try await ann.get(address, Self.prefer).expectOutcome(.forbidden, "forbidden")
        let status = try await system.beginExport(address)
        await harness.runExports()
        let output = try await system.get(status).json()["output"]?.array ?? []
        let people = output.first { $0["type"] == "Patient" }
        #expect(people?["count"]?.number?.integer == (address == "/fhir/$export" ? 2 : 1))
        let groups = output.first { $0["type"] == "Group" }
        #expect((groups != nil) == (address == "/fhir/$export"))
      }
      try await system.get("/fhir/Group/none/$export", Self.prefer).expectOutcome(.notFound)
    }
  }

  @Test func `a read-only token exports nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let token = try await harness.token(of: ann.account, scope: .userReading)
      try await harness.send(.get, "/fhir/Patient/$export", token.with(Self.prefer))
        .expectOutcome(.forbidden, "forbidden")
    }
  }

  @Test func `mistakes name the parameter`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/Patient/$export"
      try await ann.get(address).expectOutcome(.badRequest, "required", at: "Prefer")
      for (query, code, name) in [
        ("_type=Nothing", "value", "_type"), ("_since=x", "value", "_since"),
        ("_outputFormat=csv", "not-supported", "_outputFormat"),
        ("_typeFilter=Patient?active=true", "not-supported", "_typeFilter"),
        ("patient=1", "not-supported", "patient"),
      ] {
        try await ann.get("\(address)?\(query)", Self.prefer)
          .expectOutcome(.badRequest, code, at: name)
      }
      for format in ["ndjson", "application/ndjson", "application/fhir%2Bndjson"] {
        #expect(
          try await ann.get("\(address)?_outputFormat=\(format)", Self.prefer).status == .accepted)
      }
    }
  }

  @Test func `changes before a time are left out`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let status = try await ann.beginExport(
        "/fhir/Patient/$export?_type=MedicationRequest&_since=2026-03-02T00:00:00Z")
      await harness.runExports()
      let manifest = try await ann.get(status).json()
      #expect(manifest["output"]?.array?.isEmpty == true)
    }
  }

  @Test func `an export is cancelled, and its files are removed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let early = try await ann.beginExport("/fhir/Patient/$export")
      #expect(try await harness.send(.delete, early, ann.token).status == .accepted)
      try await ann.get(early).expectOutcome(.notFound)
      let status = try await ann.beginExport("/fhir/Patient/$export")
      await harness.runExports()
      let manifest = try await ann.get(status).json()
      let file = try path(manifest["output"]?[0]?["url"])
      #expect(try await ann.get(file).status == .ok)
      #expect(try await harness.send(.delete, status, ann.token).status == .accepted)
      try await ann.get(file).expectOutcome(.notFound)
      try await harness.send(.delete, status, ann.token).expectOutcome(.notFound)
    }
  }

  @Test func `files expire after a day`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let status = try await ann.beginExport("/fhir/Patient/$export")
      await harness.runExports()
      let id = try #require(status.split(separator: "/").last.map(String.init))
      let job = try #require(
        harness.environment.exports.job(id, of: ann.account.id, at: harness.clock.now))
      #expect(!job.files.isEmpty)
      harness.clock.advance(milliseconds: ExportJobs.lifetime)
      harness.environment.sessions.forget()
      try await ann.get(status).expectOutcome(.notFound)
      await harness.runExports()
      #expect(job.files.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }
  }

  @Test func `files are private and sealed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Secretol")
      let status = try await ann.beginExport("/fhir/Patient/$export?_type=MedicationRequest")
      await harness.runExports()
      let id = try #require(status.split(separator: "/").last.map(String.init))
      let job = try #require(
        harness.environment.exports.job(id, of: ann.account.id, at: harness.clock.now))
      let file = try #require(job.files.first)
      #expect(!PrivateFile.isOpenToOthers(file.path))
      let bytes = try PrivateFile.read(file.path)
      #expect(bytes.range(of: Data("Secretol".utf8)) == nil)
      let reader = try #require(ExportFileReader(file, cipher: job.cipher))
      #expect(try reader.next()?.contains("Secretol") == true)
      #expect(try reader.next() == nil)
      let other = FieldCipher(keys: try KeyRing.generate(random: harness.environment.random))
      let sealed = try #require(ExportFileReader(file, cipher: other))
      #expect(throws: StorageError.self) { _ = try sealed.next() }
    }
  }

  @Test func `files are closed when access ends`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.plan("Secretol")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      func share(until end: Timestamp?) async throws {
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .family, of: ann.account.patient, to: bob.account.id,
            from: now.adding(milliseconds: -1000), categories: [.medicines], until: end,
            in: writer)
        }
        harness.environment.sessions.forget()
      }
      try await share(until: nil)
      let status = try await bob.beginExport("/fhir/Patient/$export?_type=MedicationRequest")
      await harness.runExports()
      let manifest = try await bob.get(status).json()
      let file = try path(manifest["output"]?[0]?["url"])
      #expect(try await bob.get(file).text.contains("Secretol"))
      try await share(until: now)
      try await bob.get(file).expectOutcome(.notFound)
    }
  }

  @Test func `each export of a patient is audited`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.beginExport("/fhir/Patient/$export")
      await harness.runExports()
      let patient = ann.account.patient
      let count = try await harness.environment.database.read { reader in
        try reader.first(
          "SELECT COUNT(*) FROM audit WHERE patient = $1 AND kind = 'export'", [SQLValue(patient)]
        )?.value(as: Int.self)
      }
      #expect(count == 1)
    }
  }

  @Test func `an account has a limited number of exports`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for _ in 1...5 { _ = try await ann.beginExport("/fhir/Patient/$export") }
      let refused = try await ann.get("/fhir/Patient/$export", Self.prefer)
      try refused.expectOutcome(.tooManyRequests, "throttled")
      #expect(refused.headers[.retryAfter] != nil)
      await harness.runExports()
      _ = try await ann.beginExport("/fhir/Patient/$export")
    }
  }

  private func path(_ url: JSONValue?) throws -> String {
    let text = try #require(url?.string)
    #expect(text.hasPrefix("http://localhost/fhir/$export/"))
    return String(text.dropFirst("http://localhost".count))
  }
}

extension Person {
  /// Begins an export, and returns the path of its status.
  fileprivate func beginExport(_ address: String) async throws -> String {
    let answer = try await get(address, [.prefer: "respond-async"])
    #expect(answer.status == .accepted, "\(answer.text)")
    let location = try #require(answer.headers[.contentLocation])
    return String(location.dropFirst("http://localhost".count))
  }
}

extension ServerHarness {
  /// Makes all exports that wait.
  fileprivate func runExports() async {
    await ExportService(environment: environment).round()
  }
}

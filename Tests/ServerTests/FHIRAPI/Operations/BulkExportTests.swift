// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
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

  /// Runs a test, and removes the files of its exports: without a data folder, all tests have the same folder.
  private static func run(
    _ test: @escaping @Sendable (ServerHarness) async throws -> Void
  ) async throws {
    try await ServerHarness.run { harness in
      defer { harness.removeExportFiles() }
      try await test(harness)
    }
  }

  @Test func `an export runs in the background and gives its files`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let status = try await ann.beginExport(
        "/fhir/Patient/$export?_type=Patient,MedicationRequest")
      let waiting = try await ann.get(status)
      #expect(waiting.status == .accepted)
      #expect(waiting.headers[.xProgress]?.isEmpty == false)
      try await harness.runExports()
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
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await bob.plan("Secretol")
      let status = try await ann.beginExport("/fhir/Patient/$export")
      try await harness.runExports()
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
    try await Self.run { harness in
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
        try await harness.runExports()
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
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let token = try await harness.token(of: ann.account, scope: .userReading)
      try await harness.send(.get, "/fhir/Patient/$export", token.with(Self.prefer))
        .expectOutcome(.forbidden, "forbidden")
    }
  }

  @Test func `mistakes name the parameter`() async throws {
    try await Self.run { harness in
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
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let status = try await ann.beginExport(
        "/fhir/Patient/$export?_type=MedicationRequest&_since=2026-03-02T00:00:00Z")
      try await harness.runExports()
      let manifest = try await ann.get(status).json()
      #expect(manifest["output"]?.array?.isEmpty == true)
    }
  }

  @Test func `an export is cancelled, and its files are removed`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let early = try await ann.beginExport("/fhir/Patient/$export")
      #expect(try await harness.send(.delete, early, ann.token).status == .accepted)
      try await ann.get(early).expectOutcome(.notFound)
      let status = try await ann.beginExport("/fhir/Patient/$export")
      try await harness.runExports()
      let manifest = try await ann.get(status).json()
      let file = try path(manifest["output"]?[0]?["url"])
      #expect(try await ann.get(file).status == .ok)
      #expect(try await harness.send(.delete, status, ann.token).status == .accepted)
      try await ann.get(file).expectOutcome(.notFound)
      try await harness.send(.delete, status, ann.token).expectOutcome(.notFound)
    }
  }

  @Test func `files expire after a day`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let status = try await ann.beginExport("/fhir/Patient/$export")
      try await harness.runExports()
      let job = try #require(try await harness.export(status))
      let path = try #require(job.files.first).path(harness.environment.settings)
      #expect(FileManager.default.fileExists(atPath: path))
      harness.clock.advance(milliseconds: ExportJobStore.lifetime)
      harness.environment.sessions.forget()
      try await ann.get(status).expectOutcome(.notFound)
      try await harness.runExports()
      let left = try await harness.environment.database.read { reader in
        try reader.first("SELECT COUNT(*) FROM export_jobs")?.value(as: Int.self)
      }
      #expect(left == 0)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `files are private and sealed`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Secretol")
      let status = try await ann.beginExport("/fhir/Patient/$export?_type=MedicationRequest")
      try await harness.runExports()
      let job = try #require(try await harness.export(status))
      let file = try #require(job.files.first)
      let settings = harness.environment.settings
      #expect(!PrivateFile.isOpenToOthers(file.path(settings)))
      let bytes = try PrivateFile.read(file.path(settings))
      #expect(bytes.range(of: Data("Secretol".utf8)) == nil)
      let reader = try #require(ExportFileReader(file, cipher: try job.cipher(), settings))
      #expect(try reader.next()?.contains("Secretol") == true)
      #expect(try reader.next() == nil)
      let other = FieldCipher(keys: try KeyRing.generate(random: harness.environment.random))
      let sealed = try #require(ExportFileReader(file, cipher: other, settings))
      #expect(throws: StorageError.self) { _ = try sealed.next() }
      // The row says nothing about the patients either.
      let row = try await harness.environment.database.read { reader in
        try reader.first("SELECT content_sealed FROM export_jobs")?.blob(0)
      }
      let text = String(decoding: row ?? [], as: UTF8.self)
      #expect(row?.isEmpty == false && !text.contains(ann.account.patient.text))
    }
  }

  @Test func `an export that a restart cut off is made again`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let status = try await ann.beginExport("/fhir/Patient/$export?_type=MedicationRequest")
      // Servers that share a database leave this to the lease.
      guard !harness.environment.database.isShared else { return }
      let (store, now) = (harness.environment.exports, harness.clock.now)
      try await harness.environment.database.write { _ = try store.claim(at: now, in: $0) }
      try await harness.runExports()
      #expect(try await ann.get(status).status == .accepted)
      try await ExportService(environment: harness.environment).resume()
      try await harness.runExports()
      let done = try await ann.get(status)
      #expect(done.status == .ok, "\(done.text)")
      let address = try path(try done.json()["output"]?[0]?["url"])
      #expect(try await ann.get(address).status == .ok)
      // A finished one whose files were lost is made again, too.
      let lost = try #require(try await harness.export(status))
      lost.removeFiles(harness.environment.settings)
      try await ann.get(address).expectOutcome(.serviceUnavailable, "transient")
      try await ExportService(environment: harness.environment).resume()
      #expect(try await ann.get(status).status == .accepted)
      try await harness.runExports()
      #expect(try await ann.get(address).status == .ok)
    }
  }

  @Test func `another server takes over when the lease ends`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let status = try await ann.beginExport("/fhir/Patient/$export?_type=Patient")
      let (store, now) = (harness.environment.exports, harness.clock.now)
      let claimed = try await harness.environment.database.write { writer in
        try store.claim(at: now, in: writer)
      }
      let first = try #require(claimed)
      harness.clock.advance(milliseconds: ExportJobStore.lease)
      let later = harness.clock.now
      try await harness.runExports()
      #expect(try await ann.get(status).status == .ok)
      // The first one comes back too late.
      let isKept = try await harness.environment.database.write { writer in
        let goesOn = try store.proceed(first, written: 1, at: later, in: writer)
        return try store.finish(first, in: writer) || goesOn
      }
      #expect(!isKept)
      #expect(try await ann.get(status).status == .ok)
    }
  }

  @Test func `an export whose access ended fails with a reason`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let status = try await ann.beginExport("/fhir/Patient/$export")
      let other = Person(
        harness: harness, account: ann.account, token: try await harness.token(of: ann.account))
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        _ = try writer.execute("UPDATE tokens SET expires = $1", [SQLValue(now)])
      }
      try await harness.runExports()
      try await harness.environment.database.write { writer in
        _ = try writer.execute("UPDATE tokens SET expires = NULL", [])
      }
      try await other.get(status).expectOutcome(.internalServerError, "forbidden")
      #expect(try await harness.send(.delete, status, other.token).status == .accepted)
      try await other.get(status).expectOutcome(.notFound)
    }
  }

  @Test func `an export that stops the server again and again fails`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let status = try await ann.beginExport("/fhir/Patient/$export")
      let store = harness.environment.exports
      for _ in 1...ExportJobStore.mostAttempts {
        let now = harness.clock.now
        try await harness.environment.database.write { writer in
          _ = try store.claim(at: now, in: writer)
          try store.reclaim(in: writer)
        }
      }
      try await harness.runExports()
      try await ann.get(status).expectOutcome(.internalServerError, "exception")
    }
  }

  @Test func `files are closed when access ends`() async throws {
    try await Self.run { harness in
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
      try await harness.runExports()
      let manifest = try await bob.get(status).json()
      let file = try path(manifest["output"]?[0]?["url"])
      #expect(try await bob.get(file).text.contains("Secretol"))
      try await share(until: now)
      try await bob.get(file).expectOutcome(.notFound)
    }
  }

  @Test func `each export of a patient is audited`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.beginExport("/fhir/Patient/$export")
      try await harness.runExports()
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
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      for _ in 1...5 { _ = try await ann.beginExport("/fhir/Patient/$export") }
      let refused = try await ann.get("/fhir/Patient/$export", Self.prefer)
      try refused.expectOutcome(.tooManyRequests, "throttled")
      #expect(refused.headers[.retryAfter] != nil)
      try await harness.runExports()
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

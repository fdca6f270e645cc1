// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Records
import Storage
import Testing
import TestSupport

@testable import Web

/// The access log of a patient's data, on the page and in both APIs.
@Suite struct AccessLogTests {
  private static let window = "from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z"

  /// Ann with a plan, and someone with a relationship to her who viewed her doses.
  private func house(
    _ harness: ServerHarness, _ relationship: Relationship? = .guardian
  ) async throws -> (ann: Person, ben: Person) {
    let ann = try await Person.make(harness)
    let ben = try await Person.make(harness, "Ben")
    _ = try await ann.plan()
    if let relationship {
      let (accounts, patient, account) = (
        harness.environment.accounts, ann.account.patient, ben.account.id
      )
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try accounts.grant(relationship, of: patient, to: account, from: now, in: writer)
      }
      harness.environment.sessions.forget()
      let seen = try await ben.get("/api/v1/doses?patient=\(patient)&\(Self.window)")
      #expect(seen.status == .ok)
    }
    return (ann, ben)
  }

  @Test func `the page names who viewed what, but no medicine`() async throws {
    try await ServerHarness.run { harness in
      let (ann, _) = try await house(harness)
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/privacy/access-log")
      #expect(page.status == .ok)
      #expect(page.text.contains("Ben</span>") && page.text.contains("Viewed: doses"))
      #expect(page.text.contains("You</span>") && page.text.contains("Added: medicines"))
      #expect(page.text.contains("For your care"))
      #expect(!page.text.contains("Testolol"))
      #expect(try await browser.open("/privacy").text.contains("href=\"/privacy/access-log\""))
      #expect(try await browser.open("/me").text.contains("href=\"/privacy\""))
      let ben = try await harness.session(of: try await harness.makeAccount("Eve"))
      #expect(try await !ben.open("/privacy/access-log").text.contains("Ben</span>"))
    }
  }

  @Test(arguments: Language.allCases)
  func `the page is translated into every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let (ann, _) = try await house(harness)
      let browser = try await harness.session(of: ann.account)
      for address in ["/privacy", "/privacy/access-log"] {
        var headers = browser.headers
        headers[.acceptLanguage] = language.rawValue
        let page = try await harness.send(.get, address, headers)
        #expect(page.status == .ok && !page.text.contains("privacy.access-log"), "\(address)")
      }
    }
  }

  @Test func `paging shows each older line once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let (patient, now) = (ann.account.patient, harness.clock.now)
      try await harness.environment.database.write { writer in
        for number in 0..<95 {
          writer.audit(
            AuditEntry(
              at: now.adding(milliseconds: Int64(number / 3) * 1_000), actor: "gone",
              kind: .answer, patient: patient, resource: "Dose", resourceID: "d\(number)",
              purpose: "care"))
        }
      }
      let browser = try await harness.session(of: ann.account)
      var address: String? = "/privacy/access-log"
      var (lines, pages) = (0, 0)
      while let next = address, pages < 10 {
        let text = try await browser.open(next).text
        lines += text.components(separatedBy: "Logged: doses").count - 1
        #expect(pages > 0 || text.contains("A deleted account"))
        pages += 1
        address = text.firstMatch(of: #/href="(/privacy/access-log\?before=[0-9.]+)"/#)
          .map { String($0.1) }
      }
      #expect(lines == 95 && pages == 3)
      #expect(try await browser.open("/privacy/access-log?before=nonsense").status == .ok)

      var ids: [String] = []
      var link: String? = "/fhir/AuditEvent?patient=\(patient)&agent=gone&_count=30"
      while let next = link {
        let bundle = try await ann.get(next).json()
        #expect(bundle["total"]?.number?.text == "95")
        ids += bundle["entry"]?.array?.compactMap { $0["resource"]?["id"]?.string } ?? []
        link = bundle["link"]?.array?.first { $0["relation"]?.string == "next" }
          .flatMap { $0["url"]?.string }
      }
      #expect(ids.count == 95 && Set(ids).count == 95)
    }
  }

  @Test(arguments: [
    (Relationship?.some(.guardian), 200), (.family, 404), (.practitioner, 404), (nil, 404),
  ])
  func `only the patient and guardians can read it`(
    relationship: Relationship?, status: Int
  ) async throws {
    try await ServerHarness.run { harness in
      let (ann, ben) = try await house(harness, relationship)
      let patient = ann.account.patient
      let own = try await ann.get("/fhir/AuditEvent?patient=\(patient)").json()
      let id = try #require(own["entry"]?[0]?["resource"]?["id"]?.string)
      for address in [
        "/api/v1/audit?patient=\(patient)&\(Self.window)", "/fhir/AuditEvent/\(id)",
      ] {
        #expect(try await ann.get(address).status == .ok)
        #expect(try await ben.get(address).status.code == status, "\(address)")
      }
      let found = try await ben.get("/fhir/AuditEvent?patient=\(patient)")
      #expect(found.status == .ok)
      #expect(found.text.contains("\"entry\"") == (status == 200))
    }
  }

  @Test func `the JSON API lists who, what and why`() async throws {
    try await ServerHarness.run { harness in
      let (ann, ben) = try await house(harness)
      let answer = try await ann.get("/api/v1/audit?\(Self.window)").json()
      let events = try #require(answer["events"]?.array)
      let look = try #require(events.first { $0["by"]?["name"]?.string == "Ben" })
      #expect(look["kind"]?.string == "read" && look["resource"]?.string == "Dose")
      #expect(look["by"]?["account"]?.string == ben.account.id.text)
      #expect(look["purpose"]?.string == "care" && look["outcome"]?.string == "success")
      for bad in ["", "from=2026-03-01T00:00:00Z", "\(Self.window)&before=soon"] {
        #expect(try await ann.get("/api/v1/audit?\(bad)").status == .unprocessableContent)
      }
    }
  }

  @Test func `FHIR AuditEvents have the shapes of BALP`() async throws {
    try await ServerHarness.run { harness in
      let (ann, ben) = try await house(harness)
      let patient = ann.account.patient
      _ = try await ann.get("/fhir/Patient/\(patient)")
      _ = try await ann.get("/fhir/MedicationRequest?patient=\(patient)")
      try await harness.environment.readAudit.flush(into: harness.environment.database)
      let bundle = try await ann.get("/fhir/AuditEvent?patient=Patient/\(patient)").json()
      let events = bundle["entry"]?.array?.compactMap { $0["resource"] } ?? []
      func event(_ profile: String) -> JSONValue? {
        events.first {
          $0["meta"]?["profile"]?[0]?.string?.hasSuffix("IHE.BasicAudit.\(profile)") == true
        }
      }
      let shapes = [
        ("PatientCreate", "C", "110153"), ("PatientRead", "R", "110152"),
        ("PatientQuery", "E", "110153"),
      ]
      for (profile, action, client) in shapes {
        let found = try #require(event(profile), "\(profile)")
        #expect(found["action"]?.string == action && found["outcome"]?.string == "0")
        #expect(found["type"]?["code"]?.string == "rest")
        let agents = try #require(found["agent"]?.array)
        #expect(agents.count == 3 && agents[2]["requestor"]?.bool == true)
        #expect(agents[0]["type"]?["coding"]?[0]?["code"]?.string == client)
        #expect(agents.allSatisfy { $0["who"] != nil })
        let entities = try #require(found["entity"]?.array)
        #expect(
          entities.last?["what"]?["reference"]?.string == "Patient/\(patient)", "\(profile)")
        #expect(found["source"]?["observer"] != nil && found["recorded"] != nil)
      }
      let query = try #require(event("PatientQuery")?["entity"]?[0]?["query"]?.string)
      let text = Data(base64Encoded: query).map { String(decoding: $0, as: UTF8.self) }
      #expect(text == "MedicationRequest?patient=\(patient)")
      let own = events.first { $0["agent"]?[2]?["who"]?["display"]?.string == "Ben" }
      #expect(own?["meta"]?["profile"] == nil, "a dose is no FHIR resource")

      let id = try #require(events.first?["id"]?.string)
      let one = try await ann.get("/fhir/AuditEvent/\(id)")
      #expect(try one.json() == events.first && one.headers[.eTag] == "W/\"1\"")
      let byBen = try await ann.get("/fhir/AuditEvent?patient=\(patient)&agent=\(ben.account.id)")
      #expect(try byBen.json()["total"]?.number?.text == "1")
      for (query, total) in [
        ("date=2026-03-01", true), ("date=lt2026-03-01", false), ("date=ge2026-03-02", false),
        ("date=ne2026-03-01", false), ("date=ge2026-03-01&date=lt2026-03-02", true),
      ] {
        let found = try await ann.get("/fhir/AuditEvent?patient=\(patient)&\(query)").json()
        #expect((found["entry"] != nil) == total, "\(query)")
      }
      for bad in ["date=soon", "_count=-1", "_cursor=a/b/c", "patient:Device=1"] {
        try await ann.get("/fhir/AuditEvent?\(bad)").expectOutcome(.badRequest)
      }
    }
  }
}

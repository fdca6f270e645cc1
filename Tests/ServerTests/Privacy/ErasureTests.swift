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

@testable import Operations
@testable import Web

/// Erasing everything about a person; an end-to-end test shows that files keep no trace.
@Suite struct ErasureTests {
  /// Returns the number of a patient's rows in each table, without empty ones.
  private func rows(of patient: PatientID, _ harness: ServerHarness) async throws -> [String: Int] {
    let tables = try await harness.environment.database.patientTables()
    return try await harness.environment.database.read { reader in
      var counts: [String: Int] = [:]
      for table in tables {
        let count = try table.rows(of: patient, after: nil, in: reader).count
        if count > 0 { counts[table.name] = count }
      }
      return counts
    }
  }

  private func count(
    _ sql: StaticString, _ arguments: [SQLValue], _ harness: ServerHarness
  ) async throws -> Int64? {
    try await harness.environment.database.read { reader in
      try reader.first(sql, arguments)?.integer(0)
    }
  }

  @Test func `erasure leaves no row in any table and affects no one else`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      _ = try await harness.makeAccount("Eve", isAdministrator: true)
      _ = try await MatrixPlan.make(harness, of: ann)
      _ = try await MatrixPlan.make(harness, of: bob)
      let token = try await harness.token(of: ann)
      var keyed = token
      keyed[.idempotencyKey] = "erase-me"
      _ = try await harness.send(
        .post, "/fhir/MedicationRequest", keyed, json: MatrixPlan.resource(of: ann, id: nil))
      var foreign = try await harness.token(of: bob, scope: .system)
      foreign[.idempotencyKey] = "of-a-program"
      _ = try await harness.send(
        .post, "/fhir/MedicationRequest", foreign, json: MatrixPlan.resource(of: ann, id: nil))
      // An identifier that two plans share belongs to neither, and is erased with the person.
      for _ in 0..<2 {
        var shared = MatrixPlan.resource(of: ann, id: nil)
        shared["identifier"] = [["system": "urn:portal", "value": "1"]]
        let created = try await harness.send(.post, "/fhir/MedicationRequest", token, json: shared)
        #expect(created.status == .created, "\(created.text)")
      }
      #expect(
        try await count("SELECT COUNT(*) FROM plan_sources WHERE plan IS NULL", [], harness) == 1)
      let before = try await rows(of: ann.patient, harness)
      for table in [
        "resources", "people", "plans", "doses", "answers", "intakes", "deliveries", "proposals",
        "import_uploads", "grants", "plan_sources",
      ] { #expect(before[table] != nil, "\(table) is not tried") }
      let others = try await rows(of: bob.patient, harness)
      #expect(try await count("SELECT COUNT(*) FROM idempotency", [], harness) == 2)

      let browser = try await harness.session(of: ann)
      #expect(try await browser.open("/privacy/erase").text.contains("enter your name: Ann"))
      for wrong in ["", "Bob", "An"] {
        let refused = try await browser.post("/privacy/erase", ["name": "\(wrong)"])
        #expect(refused.status == .unprocessableContent)
      }
      #expect(try await rows(of: ann.patient, harness) == before)
      let erased = try await browser.post("/privacy/erase", ["name": " ann "])
      #expect(erased.status == .seeOther && erased.headers[.location] == "/erased")
      #expect(erased.headers[.clearSiteData] != nil)
      let cookie = try #require(
        erased.headers[values: .setCookie].first { $0.hasPrefix("regimen-erased=") })
      let confirmed = try await harness.send(
        .get, "/erased", [.cookie: String(cookie.prefix { $0 != ";" })])
      #expect(confirmed.text.contains("Everything is erased"))
      #expect(confirmed.text.contains(" data-erased=\"\(ann.id)\""))
      // The account is named once: the page removes its cookie.
      let spent = try #require(confirmed.headers[values: .setCookie].first)
      #expect(spent.hasPrefix("regimen-erased=; Path=/; Max-Age=0;"))
      let again = try await harness.send(.get, "/erased")
      #expect(again.text.contains("Everything is erased") && !again.text.contains(" data-erased"))

      #expect(try await rows(of: ann.patient, harness).isEmpty)
      #expect(try await rows(of: bob.patient, harness) == others)
      #expect(try await count("SELECT COUNT(*) FROM idempotency", [], harness) == 0)
      for sql: StaticString in [
        "SELECT COUNT(*) FROM accounts WHERE account = $1",
        "SELECT COUNT(*) FROM sessions WHERE account = $1",
        "SELECT COUNT(*) FROM tokens WHERE account = $1",
        "SELECT COUNT(*) FROM push_subscriptions WHERE account = $1",
        "SELECT COUNT(*) FROM grants WHERE account = $1",
      ] { #expect(try await count(sql, [.text(ann.id)], harness) == 0, "\(sql)") }
      #expect(try await browser.open("/").status == .seeOther)
      #expect(try await harness.send(.get, "/api/v1/me", token).status == .unauthorized)
      let trail = try await count(
        "SELECT COUNT(*) FROM audit WHERE patient = $1 AND resource = 'Erasure'",
        [.text(ann.patient)], harness)
      #expect(trail == 1)
      #expect(try await harness.environment.database.verifyAudit().isIntact)
      let found = try await Verification(environment: harness.environment).report()
      #expect(found.isWell, "\(found.lines)")
      // The reminder loop continues without the erased data.
      harness.clock.advance(minutes: 70)
      await harness.ring()
      #expect(try await rows(of: ann.patient, harness).isEmpty)
    }
  }

  @Test func `erasure never leaves a patient or server without someone in charge`() async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let ann = try await harness.makeAccount("Ann")
      let environment = harness.environment
      let (accounts, now) = (environment.accounts, harness.clock.now)
      let eves = try await harness.session(of: eve)
      #expect(try await eves.post("/privacy/erase", ["name": "Eve"]).status == .conflict)
      #expect(try await eves.open("/privacy/erase").text.contains("the only one who runs"))

      try await environment.database.write { writer in
        try writer.addPerson("child")
        try accounts.grant(.guardian, of: "child", to: ann.id, from: now, in: writer)
      }
      environment.sessions.forget()
      let anns = try await harness.session(of: ann)
      let refused = try await anns.post(
        "/privacy/erase", ["name": "Ann", PersonChoice.guardField: ann.patient.text])
      #expect(refused.status == .conflict && refused.text.contains("the only guardian of another"))
      let maintenance = Maintenance(environment: environment)
      await #expect(throws: Failure.self) {
        try await maintenance.perform(.erase(patient: ann.patient))
      }
      try await environment.database.write { writer in
        try accounts.grant(.guardian, of: "child", to: eve.id, from: now, in: writer)
      }
      let report = try await maintenance.perform(.erase(patient: ann.patient))
      #expect(report.isWell && report.lines[0].contains("accounts: 1"))
      await #expect(throws: Failure.self) {
        try await maintenance.perform(.erase(patient: ann.patient))
      }
    }
  }

  @Test func `viewers and others' forms can't erase`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let actor = Actor(
        accountID: "ben", kind: .session, relationships: [ann.patient: .family], scope: .session)
      for resource in [ErasureCommands.resource, ExportCommands.resource, "AuditEvent"] {
        for action in [Access.Action.read, .delete] {
          let decision = decide(
            actor: actor, action: action, patient: ann.patient, resource: resource,
            purpose: .care)
          guard case .deny(let reason) = decision else {
            Issue.record("\(resource) was allowed")
            continue
          }
          #expect(reason.concealsExistence)
        }
      }
      let browser = try await harness.session(of: ann)
      let forged = try await browser.post("/privacy/erase", ["name": "Ann"], token: "wrong")
      #expect(forged.status == .forbidden)
      #expect(try await browser.open("/").status == .ok)
    }
  }
}

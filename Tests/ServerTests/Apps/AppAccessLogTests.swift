// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Records
import Storage
import Testing
import TestSupport

@testable import Web

/// The name of an app in the access log of the person whose data it used.
@Suite struct AppAccessLogTests {
  /// Ann's app reads her data and adds a measurement; then Ann reads her data herself.
  private func house(_ harness: ServerHarness) async throws -> AppHouse {
    let house = try await AppHouse(harness)
    let changes = ["scope": "launch/patient patient/Patient.rs patient/Observation.cruds"]
    let decided = try await house.decide(
      changes, allowed: ["patient/Patient.rs", "patient/Observation.cruds"])
    let code = try #require(try AppHouse.answer(decided)["code"])
    let token = try #require(
      try await house.exchange(code).json()["access_token"]?.string)
    let patient = house.account.patient
    let read = try await harness.send(.get, "/fhir/Patient/\(patient)", house.bearer(token))
    #expect(read.status == .ok)
    let result: JSONValue = [
      "resourceType": "Observation", "status": "final", "code": ["text": "Sodium"],
      "subject": ["reference": .string("Patient/\(patient)")], "valueString": "140",
    ]
    let made = try await harness.send(
      .post, "/fhir/Observation", house.bearer(token), json: result)
    #expect(made.status == .created, "\(made.text)")
    try await harness.environment.readAudit.flush(into: harness.environment.database)
    #expect(try await house.browser.open("/fhir/Patient/\(patient)").status == .ok)
    try await harness.environment.readAudit.flush(into: harness.environment.database)
    return house
  }

  private func events(_ house: AppHouse) async throws -> [AuditEvent] {
    let query = AuditQuery(patient: house.account.patient)
    return try await house.harness.environment.database.read { reader in
      try AuditHistory.events(query, limit: 500, in: reader)
    }
  }

  @Test func `what an app did is under its name, and what the person did is not`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let lines = try await events(house)
      let byApp = lines.filter { $0.entry.app == AppID(house.app) }
      #expect(byApp.allSatisfy { $0.entry.actor == house.account.id })
      #expect(byApp.contains { $0.entry.kind == .read && $0.entry.resource == "Patient" })
      #expect(byApp.contains { $0.entry.kind == .create && $0.entry.resource == "Observation" })
      #expect(byApp.contains { $0.entry.kind == .create && $0.entry.resource == "AppGrant" })
      let own = lines.filter { $0.entry.app == nil }
      #expect(own.contains { $0.entry.kind == .read && $0.entry.resource == "Patient" })
      #expect(try await harness.environment.database.verifyAudit().isIntact)
    }
  }

  @Test func `the page, the JSON API and FHIR name the app`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let page = try await house.browser.open("/privacy/access-log").text
      #expect(page.contains("App: Tracker") && page.contains("You</span>"))
      let patient = house.account.patient
      let window = "from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z"
      let json = try await house.browser.open("/api/v1/audit?patient=\(patient)&\(window)").json()
      let apps = json["events"]?.array?.compactMap { $0["by"]?["app"] } ?? []
      #expect(
        !apps.isEmpty
          && apps.allSatisfy {
            $0["id"]?.string == house.app && $0["name"]?.string == "Tracker"
          })
      let bundle = try await house.browser.open("/fhir/AuditEvent?patient=\(patient)").json()
      let agents = bundle["entry"]?.array?.compactMap { $0["resource"]?["agent"]?.array } ?? []
      let named = agents.flatMap(\.self).filter {
        $0["type"]?["coding"]?[0]?["code"]?.string == "110150"
      }
      #expect(!named.isEmpty)
      for agent in named {
        #expect(agent["who"]?["display"]?.string == "Tracker")
        #expect(agent["who"]?["identifier"]?["value"]?.string == house.app)
        #expect(agent["requestor"]?.bool == false)
      }
      #expect(agents.contains { $0.count == 3 }, "Ann's own lines have no app")
    }
  }

  @Test(arguments: Language.allCases)
  func `the app is named in every language`(language: Language) {
    let localizer = Localizer.of(language)
    let text = localizer.text("privacy.access-log.app", ["name": .text("Tracker")])
    #expect(text.contains("Tracker") && !text.contains("privacy."))
    #expect(!localizer.text("privacy.access-log.app-gone").contains("privacy."))
  }
}

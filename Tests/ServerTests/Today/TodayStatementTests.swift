// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Plans
@testable import Web

/// The number of statements of the first pages, from the session's look-up to the audit of the
/// read: on PostgreSQL each is a round trip.
@Suite struct TodayStatementTests {
  /// With a session that was not looked up within the last second.
  static let most = 12
  /// With open prescriptions: each is checked like any added medicine, against medicines,
  /// allergies, illnesses, age and weight, notes on warnings, and its practitioner's confirmations.
  static let withProposal = 18
  /// On the page of a caregiver: the people's doses, who allows nudges, and the phone number of
  /// each person with an open dose.
  static let withHousehold = 20
  /// The session and its people; the person, the doses, the plans, the times of day of those that
  /// began today, and the intakes.
  static let plain = 7

  private static func statements(
    _ harness: ServerHarness, _ request: () async throws -> TestResponse
  ) async throws -> (count: Int, text: String) {
    harness.environment.sessions.forget()
    let before = harness.environment.database.statementCount
    let answer = try await request()
    #expect(answer.status == .ok, "\(answer.text)")
    return (harness.environment.database.statementCount - before, answer.text)
  }

  /// Opens a page once, because the first view is recorded, then counts.
  private static func statements(
    of path: String, _ browser: Browser
  ) async throws -> (count: Int, text: String) {
    _ = try await browser.open(path)
    return try await statements(browser.harness) { try await browser.open(path) }
  }

  @Test func `Today of each demo patient`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      var generator = SeededGenerator(seed: 1)
      try await DemoHousehold(environment: harness.environment, language: .en)
        .furnish(using: &generator)
      let accounts = harness.environment.accounts
      for person in [
        DemoHousehold.heartPatient, DemoHousehold.daughter, DemoHousehold.clinicPatient,
      ] {
        let name = try SignInName(person.email)
        let account = try await harness.environment.database.read { reader in
          try #require(try accounts.account(named: name, in: reader)).account
        }
        var browser = try await harness.session(of: account)
        for patient in [nil, "child"] where patient == nil || person == DemoHousehold.daughter {
          if patient != nil {
            browser.person = try await Self.child(of: account, harness)
          }
          let (count, text) = try await Self.statements(of: "/", browser)
          // A prescription for the clinic's patient is open and is checked against all of their
          // data.
          let caresForOthers = person == DemoHousehold.daughter && patient == nil
          let most =
            person == DemoHousehold.clinicPatient
            ? Self.withProposal : caresForOthers ? Self.withHousehold : Self.most
          #expect(count <= most, "\(person.name) \(patient ?? ""): \(count)")
          #expect(text.contains("class=\"intake ") || text.contains("No medicines today."))
        }
      }
    }
  }

  private static func child(of account: Account, _ harness: ServerHarness) async throws
    -> PatientID
  {
    try await harness.environment.database.read { reader in
      let rights = try harness.environment.accounts.rights(
        of: account.id, at: harness.clock.now, in: reader)
      return try #require(rights.first { $0.value.relationship == .guardian }).key
    }
  }

  /// Five medicines twice a day, due and answered doses, an as-needed medicine with a limit, a
  /// supply, an appearance, an extra intake and unanswered doses of yesterday.
  private static func house(_ harness: ServerHarness) async throws -> DoseHouse {
    let house = try await DoseHouse(
      harness, plans: ["Metoprolol", "Ramipril", "Metformin", "Atorvastatin", "Apixaban"])
    let spray = try await house.add(
      "Nitroglycerin",
      dosage: [
        "asNeededBoolean": true,
        "maxDosePerPeriod": [
          "numerator": ["value": 3, "unit": "tablet"],
          "denominator": [
            "value": 1, "unit": "d", "system": "http://unitsofmeasure.org", "code": "d",
          ],
        ],
      ])
    let plans = house.doses.compactMap { DoseID(text: $0)?.plan }
    for (plan, amount) in [(plans[0], "8"), (plans[1], "300")] {
      let counted = try await house.browser.post(
        "/stock/new",
        pairs: [
          ("medicine", plan.text), ("unit", "tablet"), ("amount", amount), ("form", "blister"),
        ])
      #expect(counted.status == .seeOther, "\(counted.text)")
    }
    let look = try await house.browser.post(
      "/medicines/\(plans[1])/appearance", ["look": "yes", "look-shape": "round"])
    #expect(look.status == .seeOther, "\(look.text)")
    let patient = house.account.patient
    let yesterday = harness.clock.now.adding(milliseconds: -24 * 3_600_000)
    try await harness.environment.database.write { writer in
      try writer.execute(
        """
        INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, state,
          version)
        VALUES ($1, $2, 1, '20260228-1', $3, $4, $4, 'open', 1)
        """,
        [
          .text(patient), .text(plans[0]), SQLValue(yesterday),
          SQLValue(yesterday.adding(milliseconds: 3_600_000)),
        ])
    }
    harness.clock.advance(minutes: 65)
    #expect(try await house.answer(0, ["action": "taken"]).status == .seeOther)
    let extra = try await house.browser.post("/as-needed/\(spray)", [:])
    #expect(extra.status == .seeOther, "\(extra.text)")
    return house
  }

  @Test func `Today of a household that uses every common feature`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Self.house(harness)
      let (count, text) = try await Self.statements(of: "/", house.browser)
      for part in [
        "id=\"now\"", "id=\"done\"", "id=\"as-needed\"", "Check your supply", "look-line",
        "/missed",
      ] {
        #expect(text.contains(part), "\(part)")
      }
      #expect(count <= Self.most, "\(count)")
    }
  }

  @Test func `an unused feature needs no statements`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 65)
      let (count, _) = try await Self.statements(of: "/", house.browser)
      #expect(count <= Self.plain, "\(count)")
      let again = harness.environment.database.statementCount
      _ = try await house.browser.open("/")
      // The signed-in account is cached for a second.
      #expect(harness.environment.database.statementCount - again <= Self.plain - 2)
    }
  }

  @Test func `the number of statements doesn't grow with the medicines`() async throws {
    try await ServerHarness.run { harness in
      let few = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let (one, _) = try await Self.statements(of: "/", few.browser)
      for number in 1...12 {
        try await few.add(
          "Medicine \(number)", dosage: ["timing": ["repeat": ["timeOfDay": ["09:00:00"]]]])
        try await few.add("Spray \(number)", dosage: ["asNeededBoolean": true])
        try await few.add("Words \(number)", dosage: ["text": "as discussed"])
      }
      let (many, _) = try await Self.statements(of: "/", few.browser)
      // The timelines of plans that began today need their times of day.
      #expect(many <= one + 1, "\(one), \(many)")
    }
  }

  @Test func `any number of late doses with own rules costs four statements`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      for name in ["Nitrofurantoin", "Doxycycline", "Amoxicillin", "Cefuroxime", "Cefalexin"] {
        let created = try await harness.send(
          .post, "/fhir/MedicationRequest", house.token,
          json: [
            "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
            "medicationCodeableConcept": ["text": .string(name)],
            "subject": ["reference": .string("Patient/\(house.account.patient)")],
            "dosageInstruction": [["timing": ["repeat": ["timeOfDay": ["08:00:00", "20:00:00"]]]]],
            "extension": [
              [
                "url": "urn:regimen:after-miss",
                "extension": [
                  ["url": "rule", "valueCode": "shift"], ["url": "hours", "valuePositiveInt": 5],
                ],
              ]
            ],
          ])
        #expect(created.status == .created, "\(created.text)")
      }
      harness.clock.advance(minutes: 210)
      let (count, text) = try await Self.statements(of: "/", house.browser)
      #expect(text.components(separatedBy: "the next one at least").count == 6)
      // In addition to a plain day: doses taken late, future rows, open doses, medicines, intakes
      // of weeks.
      #expect(count <= Self.plain + 5, "\(count)")
    }
  }

  @Test func `the simple view and the API's doses`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Self.house(harness)
      let (page, _) = try await Self.statements(of: Address.simpleView, house.browser)
      #expect(page <= Self.most, "\(page)")
      let chosen = try await house.browser.post(Address.simpleView, ["choice": "on"])
      #expect(chosen.status == .seeOther)
      let (first, text) = try await Self.statements(of: "/", house.browser)
      #expect(text.contains("simple-buttons"))
      #expect(first <= Self.most, "\(first)")
      let doses = "/api/v1/doses?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z"
      _ = try await harness.send(.get, doses, house.token)
      let (api, _) = try await Self.statements(harness) {
        try await harness.send(.get, doses, house.token)
      }
      // Token, rights; person, doses, plans.
      #expect(api <= 5, "\(api)")
    }
  }
}

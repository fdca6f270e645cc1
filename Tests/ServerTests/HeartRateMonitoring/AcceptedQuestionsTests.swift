// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRateMonitoring
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import HeartRate
@testable import ReportPages
@testable import Web

/// The accepted number of needless questions, and what a question says to whom.
@Suite struct AcceptedQuestionsTests {
  private static let path = "/api/v1/heart/budget"

  private static func share(
    _ categories: Set<DataCategory>, as relationship: Relationship, of patient: PatientID,
    with account: AccountID, _ harness: ServerHarness
  ) async throws {
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    try await harness.environment.database.write { writer in
      try accounts.grant(
        relationship, of: patient, to: account, from: now.adding(milliseconds: -1_000),
        categories: categories, by: "account", in: writer)
    }
    harness.environment.sessions.forget()
  }

  /// Adds a question of the model and returns its identifier.
  private static func ask(
    _ patient: PatientID, isUnmoved: Bool, _ harness: ServerHarness
  ) async throws -> WarningID {
    let now = harness.clock.now
    let warning = Warning(
      patient: patient, id: WarningID("a-question"), kind: .heart,
      day: Zone.utc.date(at: Instant(milliseconds: now.milliseconds)), created: now,
      method: .model, isMonitored: true,
      finding: HeartRateFinding(
        heartRate: 68, usual: 61, dosesInDoubt: 2, stepsShare: 1, illness: 0.1, probability: 0.64,
        daysRaised: 2, isUnmoved: isUnmoved),
      answer: nil, answered: nil, answeredBy: nil, done: nil, doneAt: nil)
    _ = try await harness.environment.database.write { try WarningStore.add(warning, in: $0) }
    return warning.id
  }

  @Test func `the number is chosen on the settings page and through the API`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let page = try await ann.browser.open(HeartRateSettingsRoutes.path).text
      #expect(page.contains("Needless questions"))
      #expect(try await ann.person.get(Self.path).json()["inFourMonths"]?.number?.integer == 2)
      let fields: [(String, String)] = [
        ("on", "yes"), ("method", "model"), ("from", "14"), ("until", "20"),
        ("watched", "automatic"),
      ]
      func post(_ budget: [(String, String)]) async throws -> TestResponse {
        try await ann.browser.post(HeartRateSettingsRoutes.path, pairs: fields + budget)
      }
      let asked = try await post([("budget", "1.0")])
      #expect(asked.text.contains("<strong>At most about one a month</strong>"), "\(asked.text)")
      let kept = try await post([("budget", "1.0"), ("confirmed", "yes")])
      #expect(kept.status == .seeOther, "\(kept.text)")
      #expect(try await ann.person.get(Self.path).json()["inFourMonths"]?.number?.integer == 4)
      for wrong in ["0", "9", "-1", "x"] {
        let answer = try await post([("budget", wrong), ("confirmed", "yes")])
        #expect(answer.status == .unprocessableContent, "\(wrong)")
      }
      // A form without the choice keeps it.
      #expect(try await post([("confirmed", "yes")]).status == .seeOther)
      #expect(try await ann.person.get(Self.path).json()["inFourMonths"]?.number?.integer == 4)
      let set = try await ann.person.put(Self.path, ["inFourMonths": 1])
      #expect(set.status == .ok, "\(set.text)")
      #expect(try set.json()["inFourMonths"]?.number?.integer == 1)
      let refused: [JSONValue] = [
        [:], ["inFourMonths": 3], ["inFourMonths": "2"], ["inFourMonths": 0],
      ]
      for wrong in refused {
        #expect(try await ann.person.put(Self.path, wrong).status == .unprocessableContent)
      }
      #expect(try await ann.person.get(Self.path).json()["inFourMonths"]?.number?.integer == 1)
    }
  }

  @Test func `a provider may set it and lock it, family may not`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let patient = ann.person.account.patient
      let (doctor, bob) = (
        try await Person.make(harness, "Doctor"), try await Person.make(harness, "Bob")
      )
      let body: JSONValue = ["patient": .string(patient.text), "inFourMonths": 8]
      #expect(try await bob.put(Self.path, body).status == .notFound)
      try await Self.share([.heartRate], as: .family, of: patient, with: bob.account.id, harness)
      let refused = try await bob.put(Self.path, body)
      #expect(refused.status == .forbidden, "\(refused.text)")
      try await Self.share(
        [.heartRate], as: .practitioner, of: patient, with: doctor.account.id, harness)
      let set = try await doctor.put(Self.path, body)
      #expect(set.status == .ok, "\(set.text)")
      #expect(try await ann.person.get(Self.path).json()["inFourMonths"]?.number?.integer == 8)
      var browser = try await harness.session(of: doctor.account)
      browser.person = patient
      let limit = try await browser.post(
        LimitRoutes.path,
        pairs: [("way", "on-medicine"), ("value", ""), ("gap", "5"), ("confirmed", "yes")])
      #expect(limit.status == .seeOther, "\(limit.text)")
      #expect(try await ann.person.put(Self.path, ["inFourMonths": 1]).status == .forbidden)
      #expect(try await doctor.put(Self.path, body).status == .ok)
    }
  }

  @Test func `the question says what was seen, and only a professional sees the probability`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let patient = ann.person.account.patient
      let id = try await Self.ask(patient, isUnmoved: false, harness)
      let seen = "That’s 7 beats above your usual for 2 days in a row, with no sign of illness."
      let address = WarningRoutes.address(of: id.text)
      let page = try await ann.browser.open(address).text
      #expect(page.contains(seen))
      #expect(!page.contains("64%") && !page.contains("says little"))
      let log = try await ann.browser.open(WarningRoutes.path).text
      #expect(log.contains(seen) && !log.contains("Probability"))
      let own = try await ann.person.get("/api/v1/heart/warnings").json()["warnings"]?[0]
      #expect(own?["explanation"]?.string?.hasSuffix(seen) == true)
      #expect(own?["aboveUsual"]?.number?.integer == 7)
      #expect(own?["daysRaised"]?.number?.integer == 2)
      #expect(own?["probability"] == nil && own?["reliability"] == nil)

      let doctor = try await Person.make(harness, "Doctor")
      try await Self.share(
        [.heartRate], as: .practitioner, of: patient, with: doctor.account.id, harness)
      let found = try await doctor.get("/api/v1/heart/warnings?patient=\(patient)").json()
      #expect(found["warnings"]?[0]?["probability"]?.number?.integer == 64)
      let real = QuestionReliability.band(of: 0.64).real
      #expect(found["warnings"]?[0]?["reliability"]?.string?.contains("\(real)") == true)
      var browser = try await harness.session(of: doctor.account)
      browser.person = patient
      for place in [WarningRoutes.path, address] {
        let text = try await browser.open(place).text
        #expect(text.contains("Probability of a missed dose: 64%."), "\(place)")
        #expect(text.contains("simulated people"), "\(place)")
      }
    }
  }

  @Test func `people whose heart rate says little are told so with the question`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let id = try await Self.ask(ann.person.account.patient, isUnmoved: true, harness)
      let page = try await ann.browser.open(WarningRoutes.address(of: id.text)).text
      #expect(page.contains("Your heart rate says little about your doses"))
      let own = try await ann.person.get("/api/v1/heart/warnings").json()["warnings"]?[0]
      #expect(own?["saysLittle"]?.bool == true)
    }
  }
}

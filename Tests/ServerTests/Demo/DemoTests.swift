// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import Dosing
@testable import HeartRate
@testable import Operations
@testable import Plans
@testable import Reminders
@testable import Statistics
@testable import Web

@Suite struct DemoTests {
  @Test func `the demo has months of plausible history`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      var generator = SeededGenerator(seed: 1)
      try await DemoHousehold(environment: harness.environment, language: .en)
        .furnish(using: &generator)
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      let (counts, states, corrected, extras) = try await harness.environment.database.read {
        reader in
        let address = try SignInName(DemoHousehold.heartPatient.email)
        let patient = try #require(try accounts.account(named: address, in: reader)).account.patient
        let begin = Timestamp(milliseconds: 0)
        return (
          try HistoryQueries.counts(
            HistoryFilter(), patient: patient, from: begin, until: now, now: now, in: reader),
          try PlanQueries.all(patient: patient, in: reader).map(\.status),
          try HistoryQueries.corrections(
            plan: nil, patient: patient, from: begin, until: now, in: reader
          ).count,
          try reader.first("SELECT COUNT(*) FROM intakes WHERE occurrence IS NULL")?.integer(0)
        )
      }
      #expect((1000...2500).contains(counts.planned))
      #expect((75...97).contains(try #require(counts.percentTaken)))
      for outcome in [DoseOutcome.late, .skipped, .refused, .missed] {
        #expect(counts[outcome] > 0, "\(outcome)")
      }
      #expect(states.count { $0 == "active" } == 8 && states.contains("stopped"))
      #expect(states.contains("on-hold") && corrected > 0 && extras == 5)
      #expect(try await harness.environment.database.verifyAudit().problems.isEmpty)
    }
  }

  @Test func `the demo patient has a family, a child and a clinic`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      var generator = SeededGenerator(seed: 2)
      try await DemoHousehold(environment: harness.environment, language: .th)
        .furnish(using: &generator)
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      let zones = harness.environment.zones
      try await harness.environment.database.read { reader in
        func account(_ person: DemoHousehold.SignIn) throws -> Account {
          try #require(try accounts.account(named: SignInName(person.email), in: reader)).account
        }
        func rights(_ person: DemoHousehold.SignIn) throws -> [PatientID: PatientRight] {
          try accounts.rights(of: account(person).id, at: now, in: reader)
        }
        let margot = try account(DemoHousehold.heartPatient).patient
        let emil = try account(DemoHousehold.clinicPatient).patient
        let ofAnna = try rights(DemoHousehold.daughter)
        #expect(ofAnna[margot]?.relationship == .family && ofAnna[emil] == nil)
        let ofTheDoctor = try rights(DemoHousehold.doctor)
        #expect(ofTheDoctor[margot]?.relationship == .practitioner)
        #expect(ofTheDoctor[emil]?.relationship == .practitioner)
        let child = try #require(ofAnna.first { $0.value.relationship == .guardian }?.key)
        let doses = try DoseQueries.listing(
          patient: child, from: now.adding(milliseconds: -2 * 86_400_000), until: now, now: now,
          zones: zones, in: reader
        ).doses
        #expect(doses.count { $0.state == .taken } >= 3)
        // The doctor sets the limit, and every question has its answer.
        let warnings = try HeartRateQueries.warnings(
          of: margot, from: CivilDate(daysSinceEpoch: 0), in: reader)
        #expect(!warnings.isEmpty && warnings.allSatisfy { $0.answer != nil })
        #expect(try AlarmQueries.all(patient: margot, in: reader).count == 1)
        // The clinic: its doctor in the directory, its panel with reasons, an open prescription.
        let doctor = try account(DemoHousehold.doctor).id
        #expect(try accounts.directory(in: reader).map(\.account) == [doctor])
        let panel = try CarePanel.load(doctor, at: now, in: reader)
        #expect(Set(panel.map(\.patient)) == [margot, emil])
        #expect(panel.contains { $0.reasons.contains(.waiting(1)) && $0.patient == emil })
      }
    }
  }

  @Test func `every page says that it is a demonstration`() async throws {
    try await ServerHarness.run { harness in
      let page = try await harness.send(.get, "/sign-in").text
      #expect(!page.contains("demo-banner"))
      var frame = PageFrame(localizer: .of(.th), nonce: "n", path: "/")
      frame.title = "T"
      frame.isDemo = true
      let shown = PageLayout(frame, "<p></p>").markup.text
      #expect(shown.contains("class=\"demo-banner\">นี่คือการสาธิต"))
    }
  }
}

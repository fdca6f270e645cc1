// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRateMonitoring
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import HeartRate
@testable import Presentation
@testable import ReportPages
@testable import Web

/// The times at which a question is asked, its reminders, and the effects of each answer.
@Suite struct WarningTests {
  @Test func `a high value in the window asks once a day, on every device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.subscribe()
      // Nothing is evaluated in the morning.
      try await ann.measure(85)
      #expect(try await ann.look().isEmpty)
      harness.clock.advance(minutes: 8 * 60)
      // The morning's value does not count in the afternoon.
      #expect(try await ann.look().isEmpty)
      try await ann.measure(86)
      let warning = try #require(try await ann.look().first)
      #expect(warning.finding.heartRate == 86)
      #expect(warning.isMonitored == false)
      let push = try #require(harness.outbox.pushes.last).payload
      #expect(push["kind"]?.string == "warning")
      #expect(push["doses"]?.array?.isEmpty == true)
      #expect(push["notification"]?["navigate"]?.string?.hasSuffix(warning.id.text) == true)
      // Neutral: no heart rate, number or medicine on the lock screen.
      #expect(push["title"]?.string == "A question for you")
      harness.clock.advance(minutes: 60)
      try await ann.measure(90)
      #expect(try await ann.look().count == 1)
      #expect(harness.outbox.pushes.count == 1)
    }
  }

  @Test func `two nodes that look at the same time ask once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      harness.clock.advance(minutes: 8 * 60)
      try await ann.measure(85)
      let environment = harness.environment
      let patient = ann.person.account.patient
      let context = environment.reminderContext(at: harness.clock.now)
      let asked = try await environment.database.write { writer in
        try [0, 1].map { _ in try HeartRateEngine.look(at: patient, context, in: writer) }
      }
      #expect(asked == [true, false])
      #expect(try await ann.warnings().count == 1)
    }
  }

  @Test func `nothing is asked if off, in the first days or for other sources`() async throws {
    try await ServerHarness.run { harness in
      let off = try await MonitoredPerson.make(harness, isOn: false)
      harness.clock.advance(minutes: 8 * 60)
      try await off.measure(95)
      #expect(try await off.look().isEmpty)
    }
    try await ServerHarness.run { harness in
      let fresh = try await MonitoredPerson.make(harness, days: 5)
      harness.clock.advance(minutes: 8 * 60)
      try await fresh.measure(95)
      #expect(try await fresh.look().isEmpty)
    }
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      harness.clock.advance(minutes: 8 * 60)
      try await ann.measure(95, source: "Ring")
      #expect(try await ann.look().isEmpty)
    }
  }

  @Test func `yes records nothing and asks for the time if a dose is open`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let plan = try await ann.person.plan("Metoprolol 50 mg")
      let warning = try await ann.warning()
      #expect(warning.isMonitored)
      var page = try await ann.page(of: warning)
      #expect(page.contains("Have you taken it today?"))
      #expect(page.contains("may be linked"))
      #expect(!page.lowercased().contains("you missed"))
      let answered = try await ann.answer(warning, ("answer", "yes"))
      #expect(answered.status == .seeOther)
      #expect(try await ann.taken() == 0)
      page = try await ann.page(of: warning)
      #expect(page.contains("When did you take it?"))
      #expect(!page.contains("Have you taken it today?"))
      let dose = try #require(page.firstMatch(of: /action="(\/doses\/[^"]+\/answers)"/)?.1)
      #expect(dose.contains(plan.text))
      let recorded = try await ann.browser.post(
        String(dose),
        [
          "action": "taken", "at-date": "2026-03-01", "at-time": "08:10",
          "return": WarningRoutes.address(of: warning.id.text),
        ])
      #expect(recorded.status == .seeOther, "\(recorded.text)")
      #expect(try await ann.taken() == 1)
      #expect(try await ann.page(of: warning).contains("already"))
      // The first answer stays.
      _ = try await ann.answer(warning, ("answer", "no"))
      #expect(try await ann.warnings().first?.answer == .yes)
    }
  }

  @Test func `no shows the plan's rule and next time and reminds again later`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.subscribe()
      _ = try await ann.person.plan("Metoprolol 50 mg")
      let warning = try await ann.warning()
      let before = harness.outbox.pushes.count
      _ = try await ann.answer(warning, ("answer", "no"))
      var page = try await ann.page(of: warning)
      #expect(page.contains("It can still be taken until"))
      #expect(page.contains("Next: Metoprolol 50 mg"))
      #expect(page.contains("Taken now"))
      #expect(try await ann.taken() == 0)
      _ = try await ann.answer(warning, ("hours", "2"))
      await harness.ring()
      #expect(harness.outbox.pushes.count == before)
      harness.clock.advance(minutes: 121)
      await harness.ring()
      #expect(harness.outbox.pushes.count == before + 1)
      #expect(harness.outbox.pushes.last?.payload["subject"]?.string == warning.id.text)
      // After the late window the plan no longer allows taking it.
      harness.clock.advance(minutes: 6 * 60)
      page = try await ann.page(of: warning)
      #expect(page.contains("too late for this dose"))
      #expect(!page.contains("Taken now"))
    }
  }

  @Test func `unwell opens the safety card, fine closes the question`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let warning = try await ann.warning()
      let question = try await ann.page(of: warning)
      // Without a monitored plan it only mentions the pulse.
      #expect(!question.contains("Have you taken it"))
      #expect(!question.contains("linked to a medicine"))
      _ = try await ann.answer(warning, ("answer", "unwell"))
      let page = try await ann.page(of: warning)
      #expect(page.contains("care-card-emergency"))
      #expect(page.contains("Don’t stop a heart medicine"))
      harness.clock.advance(minutes: 24 * 60)
      try await ann.measure(88)
      let next = try #require(try await ann.look().first { $0.id != warning.id })
      _ = try await ann.answer(next, ("answer", "closed"))
      #expect(try await ann.page(of: next).contains("No more questions today"))
      let log = try await ann.browser.open(WarningRoutes.path)
      #expect(log.text.contains("Answer: unwell."))
      let json = try await ann.person.get("/api/v1/heart/warnings").json()
      #expect(json["warnings"]?.array?.map { $0["answer"]?.string } == ["closed", "unwell"])
    }
  }

  @Test func `someone who only sees the heart rate isn't told the answer`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let warning = try await ann.warning()
      _ = try await ann.answer(warning, ("answer", "closed"))
      let bob = try await Person.make(harness, "Bob")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let patient = ann.person.account.patient
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: patient, to: bob.account.id, from: now, categories: [.heartRate],
          by: "account", in: writer)
      }
      harness.environment.sessions.forget()
      let listed = try await bob.get("/api/v1/heart/warnings?patient=\(patient)")
      let found = try #require(try listed.json()["warnings"]?.array, "\(listed.text)")
      #expect(found.count == 1 && found[0]["seen"] != nil)
      #expect(found[0]["answer"] == nil && found[0]["answered"] == nil && found[0]["done"] == nil)
      var browser = try await harness.session(of: bob.account)
      browser.person = patient
      let log = try await browser.open(WarningRoutes.path)
      #expect(log.status == .ok && !log.text.contains("Answer:"), "\(log.text)")
    }
  }

  @Test func `wrong answers, wrong hours and others' warnings are refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let warning = try await ann.warning()
      #expect(try await ann.answer(warning, ("answer", "maybe")).status == .badRequest)
      #expect(try await ann.answer(warning, ("hours", "9")).status == .unprocessableContent)
      #expect(try await ann.answer(warning, ("hours", "x")).status == .badRequest)
      let bob = try await harness.session(of: harness.makeAccount("Bob"))
      let address = WarningRoutes.address(of: warning.id.text)
      #expect(try await bob.open(address).status == .notFound)
      #expect(try await bob.post(address, ["answer": "no"]).status == .notFound)
      #expect(try await ann.warnings().first?.answer == nil)
    }
  }

  @Test func `an unworn watch is mentioned once, gently`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.subscribe()
      try await ann.send([
        MonitoredPerson.reading(72, at: "\(ann.day(-1))T09:00:00Z", type: "heart-rate")
      ])
      try await ann.walk(300, hour: 6, minute: 40)
      // 07:00: less than half an hour since the first steps.
      #expect(try await ann.look().isEmpty)
      harness.clock.advance(minutes: 25)
      let warning = try #require(try await ann.look().first)
      #expect(warning.kind == .wear)
      #expect(harness.outbox.pushes.last?.payload["kind"]?.string == "wear")
      #expect(try await ann.page(of: warning).contains("is it locked"))
      harness.clock.advance(minutes: 90)
      try await ann.walk(400, hour: 8, minute: 50)
      #expect(try await ann.look().count == 1)
    }
  }

  @Test func `a dose recorded in the meantime is not offered again`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.subscribe()
      let plan = try await ann.person.plan("Metoprolol 50 mg")
      let warning = try await ann.warning()
      _ = try await ann.answer(warning, ("answer", "no"))
      _ = try await ann.answer(warning, ("hours", "2"))
      let answered = try await ann.person.answer(
        try await ann.person.dose(of: plan), ["action": "taken"])
      #expect(answered.status == .ok, "\(answered.text)")
      #expect(try await ann.warnings().first?.done == .recorded)
      let before = harness.outbox.pushes.filter { $0.payload["kind"]?.string == "warning" }.count
      harness.clock.advance(minutes: 121)
      await harness.ring()
      #expect(
        harness.outbox.pushes.filter { $0.payload["kind"]?.string == "warning" }.count == before)
      #expect(try await ann.page(of: warning).contains("logged in the meantime"))
    }
  }

  @Test func `a medicine no longer monitored counts until then`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let plan = try await ann.person.plan("Metoprolol 50 mg")
      let warning = try await ann.warning()
      let fields = [
        ("on", "yes"), ("method", "dynamic"), ("from", "14"), ("until", "20"),
        ("watched", "chosen"), ("wear", "yes"), ("family", "tells"),
      ]
      let asked = try await ann.browser.post(HeartRateSettingsRoutes.path, pairs: fields)
      #expect(asked.text.contains("Metoprolol 50 mg: doses due until now stay"))
      let kept = try await ann.browser.post(
        HeartRateSettingsRoutes.path, pairs: fields + [("confirmed", "yes")])
      #expect(kept.status == .seeOther, "\(kept.text)")
      _ = try await ann.answer(warning, ("answer", "yes"))
      // The morning's dose is still open, so the question includes it.
      #expect(try await ann.page(of: warning).contains("When did you take it?"))
      // Later doses are not included.
      harness.clock.advance(minutes: 48 * 60)
      let patient = ann.person.account.patient
      let now = harness.clock.now
      let open = try await harness.environment.database.read {
        try HeartRateQueries.openDoses(of: patient, now: now, in: $0)
      }
      #expect(open.isEmpty)
      #expect(!plan.text.isEmpty)
    }
  }

  @Test func `everyone is checked even if one person's data can't be read`() async throws {
    try await ServerHarness.run { harness in
      var people: [MonitoredPerson] = []
      for name in ["Ann", "Bob", "Cid", "Dea"] {
        let person = try await Person.make(harness, name)
        let browser = try await harness.session(of: person.account)
        let monitored = MonitoredPerson(harness: harness, person: person, browser: browser)
        try await monitored.send(
          (1...20).map { MonitoredPerson.reading(60, at: "\(monitored.day(-$0))T15:00:00Z") })
        _ = try await browser.post(HeartRateMonitoringRoutes.startPath, [:])
        people.append(monitored)
      }
      people.sort { $0.person.account.patient < $1.person.account.patient }
      harness.clock.advance(minutes: 8 * 60)
      for person in people { try await person.measure(90) }
      let broken = people[0].person.account.patient
      try await harness.environment.database.write { writer in
        // A date that the schema's rules allow, but that does not exist.
        try writer.execute(
          """
          INSERT INTO heart_rate_boundaries (patient, boundary, since, owner, gap, account, by_name, created)
          VALUES ($1, 'broken', '2026-99-99', 'own', 0, 'account', 'Ann', 1)
          """, [.text(broken)])
      }
      try await HeartRateRound(environment: harness.environment, peopleInAGo: 1).run()
      for person in people.dropFirst() { #expect(try await person.warnings().count == 1) }
      #expect(try await people[0].warnings().isEmpty)
    }
  }
}

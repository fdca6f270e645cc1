// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Web

/// The proposal of times on a practitioner's page: it takes effect with the patient's consent.
@Suite struct CareTeamSimplificationTests {
  private func add(_ practice: Practice, _ name: String, _ time: String) async throws {
    var request = practice.ann.request(name)
    request["dosageInstruction"] = [
      [
        "timing": ["repeat": ["timeOfDay": [.string("\(time):00")]]],
        "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
      ]
    ]
    let sent = try await practice.ann.post("/fhir/MedicationRequest", request)
    #expect(sent.status == .created, "\(sent.text)")
  }

  private func ticked(_ page: String) -> [(String, String)] {
    page.matches(of: /name="take" value="([^"]+)" checked/).map { ("take", String($0.output.1)) }
  }

  @Test func `a practitioner proposes, and the patient accepts each with a press`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      try await add(practice, "Bisoprolol", "09:00")
      try await add(practice, "Ramipril", "08:00")
      try await add(practice, "Metformin", "08:00")
      let address = "\(practice.address)/simplify"
      #expect(try await practice.browser.open(practice.address).text.contains(address))
      let page = try await practice.browser.open(address).text
      #expect(page.contains("Fewer times a day for Ann"))
      #expect(page.contains("Bisoprolol (was 09:00)"), "\(page)")
      let shown = try await practice.browser.post(
        address, pairs: ticked(page) + [("show", "yes")])
      #expect(shown.status == .ok && shown.text.contains("name=\"patient-birth-date\""))
      let seen = try #require(shown.text.firstMatch(of: /name="seen" value="([^"]+)"/)?.output.1)
      let fields = ticked(page) + [("seen", String(seen)), ("accept", "yes")]
      let wrong = try await practice.browser.post(
        address,
        pairs: fields + [("patient-name", "Ann"), ("patient-birth-date", "1984-05-01")])
      #expect(wrong.status == .unprocessableContent)
      #expect(ticked(wrong.text).count == ticked(page).count)
      let sent = try await practice.browser.post(address, pairs: fields + Practice.identity)
      #expect(sent.headers[.location] == "\(practice.address)?done=sent#waiting", "\(sent.text)")
      // The old times apply, and neither side changes the open proposal.
      let own = try await practice.annBrowser.open(Address.simplification).text
      #expect(own.contains("A change is waiting for a decision."))
      let today = try await practice.annBrowser.open("/").text
      #expect(today.contains("From Doctor") && today.contains("Bisoprolol"))
      let proposal = try #require(today.firstMatch(of: /action="(\/proposals\/[^"]+)"/)?.1)
      let taken = try await practice.annBrowser.post(String(proposal), ["action": "accept"])
      #expect(taken.status == .seeOther)
      let after = try await practice.annBrowser.open(Address.simplification).text
      #expect(after.contains("1 time a day. The rules don’t allow fewer."))
    }
  }

  @Test func `only prescribers see it, and others' prescriptions are excluded`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, isConfirmed: false)
      #expect(
        try await practice.browser.open("\(practice.address)/simplify").status == .forbidden)
      let stranger = try await harness.session(of: try await harness.makeAccount("Stranger"))
      #expect(try await stranger.open("\(practice.address)/simplify").status == .notFound)
    }
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      _ = try await practice.prescribed()
      let own = try await practice.browser.open("\(practice.address)/simplify").text
      #expect(own.contains("1 time a day.") && !own.contains("Someone else prescribed it."))
      let other = try await harness.makeAccount("Other")
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, practice.patient
      )
      try await harness.environment.database.write { writer in
        try accounts.confirmPractitioner(other.id, by: "operator", at: now, in: writer)
        try accounts.grant(
          .practitioner, of: patient, to: other.id, from: now.adding(milliseconds: -1),
          categories: [.medicines], in: writer)
      }
      harness.environment.sessions.forget()
      let page = try await harness.session(of: other).open("\(practice.address)/simplify").text
      #expect(page.contains("Someone else prescribed it.") && ticked(page).isEmpty)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import ReportPages
@testable import Web

/// Finding a practitioner, their care for a patient, and its end.
@Suite struct CareTeamTests {
  @Test func `a patient finds and asks a listed doctor, and both can end it`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: nil)
      let card = "/doctors/\(practice.doctor.id)"
      // Unlisted practitioners do not appear.
      #expect(!(try await practice.annBrowser.open("/doctors").text.contains("Doctor</a>")))
      #expect(try await practice.annBrowser.open(card).status == .notFound)
      #expect(try await practice.browser.open("/care/profile").status == .ok)
      let saved = try await practice.browser.post(
        "/care/profile",
        pairs: [
          ("specialty", "Hearts"), ("place", "Oslo"), ("phone", "+47 555 0100"),
          ("hours", "Mon 9-12\nTue 13-15"), ("illness", "fever"), ("listed", "yes"),
        ])
      #expect(saved.status == .seeOther, "\(saved.text)")
      let wrong = try await practice.browser.post("/care/profile", pairs: [("phone", "call me")])
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("digits"))
      let found = try await practice.annBrowser.open("/doctors?q=oslo+hearts&illness=fever").text
      #expect(found.contains(card) && found.contains("tel:+475550100"))
      #expect(!(try await practice.annBrowser.open("/doctors?q=berlin").text.contains(card)))
      #expect(!(try await practice.annBrowser.open("/doctors?illness=asthma").text.contains(card)))
      let page = try await practice.annBrowser.open(card).text
      #expect(page.contains("Mon 9-12<br>Tue 13-15"))
      let nothing = try await practice.annBrowser.post(card, pairs: [])
      #expect(nothing.status == .conflict && nothing.text.contains("Choose at least one thing"))
      let asked = try await practice.annBrowser.post(
        card, pairs: [("category", "medicines"), ("category", "adherence")])
      #expect(asked.status == .seeOther, "\(asked.text)")
      let again = try await practice.annBrowser.post(card, pairs: [("category", "medicines")])
      #expect(again.status == .conflict)
      // Nothing is shared before the answer; the request's own code works for no one.
      #expect(try await practice.browser.open(practice.address).status == .notFound)
      let home = try await practice.browser.open("/care").text
      #expect(home.contains("Ann wants to become your patient"))
      let request = try #require(home.firstMatch(of: /action="(\/care\/requests\/[^"]+)"/)?.1)
      #expect(
        try await practice.annBrowser.post(String(request), ["action": "accept"]).status
          == .notFound)
      let taken = try await practice.browser.post(String(request), ["action": "accept"])
      #expect(taken.headers[.location] == "/care?done=accepted", "\(taken.text)")
      let patient = try await practice.browser.open(practice.address)
      #expect(patient.status == .ok && patient.text.contains("Born 1 May 1948"))
      #expect(patient.text.contains("Only you can read your notes here"))
      #expect(try await practice.annBrowser.open(card).text.contains("already in your care team"))
      // The practitioner ends it.
      let meant = try await practice.browser.open("\(practice.address)/leave").text
      #expect(meant.contains("continue until the patient changes them"))
      let left = try await practice.browser.post("\(practice.address)/leave", ["action": "end"])
      #expect(left.status == .seeOther, "\(left.text)")
      #expect(try await practice.browser.open(practice.address).status == .notFound)
      #expect(!(try await practice.browser.open("/care").text.contains(practice.patient.text)))
    }
  }

  @Test func `a code finds an unlisted doctor, a wrong one finds no one`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: nil)
      let profile = try await practice.browser.open("/care/profile").text
      #expect(profile.contains("class=\"qr-code\""))
      let code = String(
        try #require(profile.firstMatch(of: /translate="no">([0-9A-Z-]{14})</)?.1))
      let typed = try await practice.annBrowser.post("/doctors/code", ["code": code.lowercased()])
      #expect(typed.headers[.location] == "/doctors/with/\(code)", "\(typed.text)")
      let asked = try await practice.annBrowser.post(
        "/doctors/with/\(code)", pairs: [("category", "medicines")])
      #expect(asked.status == .seeOther, "\(asked.text)")
      // Ann's page names the practitioner she is waiting for, and shows no code.
      let people = try await practice.annBrowser.open("/people/sharing").text
      let place = String(try #require(people.firstMatch(of: /"(\/people\/invitations\/[^"]+)"/)?.1))
      let waits = try await practice.annBrowser.open(place).text
      #expect(waits.contains("You asked Doctor") && !waits.contains("/join/"))
      let wrong = try await practice.annBrowser.post("/doctors/code", ["code": "K7QM-2XPA-9RTD"])
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("code doesn’t work"))
      #expect(
        try await practice.annBrowser.open("/doctors/with/K7QM-2XPA-9RTD").status == .notFound)
      let request = try await practice.browser.open("/care").text
        .firstMatch(of: /action="(\/care\/requests\/[^"]+)"/)?.1
      let declined = try await practice.browser.post(
        String(try #require(request)), ["action": "decline"])
      #expect(declined.headers[.location] == "/care?done=declined")
      #expect(try await practice.browser.open(practice.address).status == .notFound)
    }
  }

  @Test func `the panel gives reasons and hides unshared data`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.adherence])
      _ = try await practice.ann.post("/fhir/MedicationRequest", practice.ann.request("Secretol"))
      let (zones, database) = (harness.environment.zones, harness.environment.database)
      for _ in 0..<4 {
        harness.clock.advance(minutes: 24 * 60)
        let now = harness.clock.now
        _ = try await database.write {
          try PlanCommands.extendHorizon(now: now, limit: 100, zones: zones, in: $0)
        }
      }
      let browser = try await harness.session(of: practice.doctor)
      let panel = try await browser.open("/care").text
      #expect(panel.contains("1 needs attention first"))
      #expect(panel.contains("doses not logged in 7 days") && panel.contains(practice.address))
      for (address, isThere) in [
        ("/care?show=missed", true), ("/care?show=refused", false), ("/care?q=ANN", true),
        ("/care?q=bob", false), ("/care?page=2", false), ("/care?page=999999999999", false),
      ] {
        let text = try await browser.open(address).text
        #expect(text.contains("href=\"\(practice.address)") == isThere, "\(address)")
      }
      let page = try await browser.open(practice.address).text
      #expect(page.contains("Last 7 days: 0 of") && !page.contains("Secretol"))
      #expect(page.contains("Not shared with you."))
      #expect(try await browser.open("\(practice.address)/prescribe").status == .notFound)
      #expect(try await browser.open("\(practice.address)/heart-rate").status == .notFound)
      // Viewing the page is in Ann's access log.
      let looked = try await harness.session(of: practice.ann.account).open("/privacy/access-log")
        .text
      #expect(looked.contains("Doctor"))
    }
  }

  @Test func `a doctor's patients don't fill the switcher or the people list`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      for number in 0..<60 {
        let account = try await harness.makeAccount("Patient\(number)")
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .practitioner, of: account.patient, to: practice.doctor.id,
            from: now.adding(milliseconds: -1), in: writer)
        }
      }
      harness.environment.sessions.forget()
      let people = try await practice.browser.open("/people").text
      #expect(!people.contains("Patient7") && people.contains("href=\"/care\""))
      let list = try await practice.browser.open("/people/family").text
      #expect(!list.contains("Patient7<"))
      let panel = try await practice.browser.open("/care").text
      #expect(panel.contains("61 people share with you"))
      #expect(panel.contains("Page 1 of 2"))
      let second = try await practice.browser.open("/care?page=2").text
      #expect(second.matches(of: /href="\/care\/[0-9a-f]{8}-/).count == 11)
    }
  }

  @Test func `notes say who can read them and are in the patient's copy`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.messages])
      let empty = try await practice.browser.post("\(practice.address)/notes", ["note": "  "])
      #expect(empty.status == .unprocessableContent && empty.text.contains("up to 2,000"))
      let kept = try await practice.browser.post(
        "\(practice.address)/notes", ["note": "Sleeps badly\nAsk again"])
      #expect(kept.status == .seeOther, "\(kept.text)")
      let page = try await practice.browser.open(practice.address).text
      #expect(page.contains("<p>Sleeps badly</p><p>Ask again</p>"))
      let copy = try await practice.annBrowser.post("/privacy/export", [:])
      let zip = try ZipContent(Array(buffer: copy.body))
      #expect(zip.text("care-notes.csv")?.contains("Sleeps badly") == true)
      #expect(zip.text("data/care_notes.csv")?.contains("text_sealed") == false)
      let remove = try #require(page.firstMatch(of: /action="([^"]+\/notes\/[^"]+\/remove)"/)?.1)
      #expect(try await practice.browser.post(String(remove), [:]).status == .seeOther)
      #expect(!(try await practice.browser.open(practice.address).text.contains("Sleeps badly")))
      #expect(try await practice.browser.post(String(remove), [:]).status == .notFound)
    }
  }

  @Test func `a limit locked by a doctor is shown and unlocked once care ends`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.heartRate])
      let address = "\(practice.address)/heart-rate"
      #expect(try await practice.browser.open(address).status == .ok)
      let fields = [("way", "number"), ("value", "68"), ("gap", "7")]
      let asked = try await practice.browser.post(address, pairs: fields)
      #expect(asked.status == .ok && asked.text.contains("68"), "\(asked.text)")
      let set = try await practice.browser.post(address, pairs: fields + [("confirmed", "yes")])
      #expect(set.headers[.location] == "\(practice.address)?done=limit", "\(set.text)")
      let judged = try await practice.browser.post(
        "\(address)/window", ["method": "boundary", "from": "13", "until": "19"])
      #expect(judged.headers[.location] == "\(practice.address)?done=window", "\(judged.text)")
      let wrong = try await practice.browser.post(
        "\(address)/window", ["method": "boundary", "from": "19", "until": "13"])
      #expect(wrong.status == .unprocessableContent)
      let own = try await practice.annBrowser.open(LimitRoutes.path).text
      #expect(own.contains("While Doctor looks after you") && !own.contains("name=\"way\""))
      // Another practitioner's care does not keep the lock of one who has left.
      let other = try await harness.makeAccount("Other")
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, practice.patient
      )
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .practitioner, of: patient, to: other.id, from: now.adding(milliseconds: -1), in: writer)
      }
      try await practice.endByPatient()
      #expect(try await practice.browser.post(address, pairs: fields).status == .notFound)
      let free = try await practice.annBrowser.open(LimitRoutes.path).text
      #expect(free.contains("name=\"way\"") && !free.contains("While Doctor"))
    }
  }
}

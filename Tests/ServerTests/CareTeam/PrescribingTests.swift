// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

/// From the doctor's form to the patient's Today, and back.
@Suite struct PrescribingTests {
  @Test func `a prescription is received, accepted, changed and stopped`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let form = try await practice.browser.open("\(practice.address)/prescribe/details").text
      #expect(form.contains("name=\"schedule\"") && form.contains("data-planning"))
      #expect(form.contains("name=\"patient-birth-date\"") && !form.contains("1948-05-01"))
      // Sent twice, it arrives once; another person's birth date is refused.
      let id = String(try #require(form.firstMatch(of: /name="prescription" value="([^"]+)"/)?.1))
      let fields = Practice.medicine() + [("prescription", id)]
      let address = "\(practice.address)/prescribe/details"
      let wrong = try await practice.browser.post(
        address,
        pairs: fields + [("patient-name", "Ann"), ("patient-birth-date", "1984-05-01")])
      #expect(wrong.status == .unprocessableContent)
      #expect(wrong.text.contains("Nothing was sent. Check whose page this is."))
      #expect(wrong.text.contains("value=\"Testolol\""))
      for _ in 0..<2 {
        let sent = try await practice.browser.post(address, pairs: fields + Practice.identity)
        #expect(sent.headers[.location] == "\(practice.address)?done=sent#waiting", "\(sent.text)")
      }
      let page = try await practice.browser.open(practice.address).text
      #expect(page.contains("No answer yet") && page.contains("Testolol"))
      await harness.ring()
      let today = try await practice.annBrowser.open("/").text
      #expect(today.contains("From Doctor") && today.contains("Testolol"))
      let proposals = Set(today.matches(of: /action="(\/proposals\/[^"]+)"/).map { $0.1 })
      let proposal = String(try #require(proposals.first))
      #expect(proposals.count == 1)
      let taken = try await practice.annBrowser.post(proposal, ["action": "accept"])
      let place = try #require(taken.headers[.location])
      let plan = String(try #require(place.firstMatch(of: /\/medicines\/([^?]+)/)?.1))
      #expect(
        try await practice.annBrowser.open("/medicines/\(plan)").text
          .contains("Prescribed by Doctor."))

      // After a change: the old times apply, with a note to review it first.
      let change = try await practice.browser.open("\(address)?plan=\(plan)").text
      #expect(
        change.contains("Change a prescription for Ann") && change.contains("value=\"08:00\""))
      let changed = try await practice.browser.post(
        address,
        pairs: Practice.medicine(at: ["09:00"]) + [("plan", plan)] + Practice.identity)
      #expect(changed.status == .seeOther, "\(changed.text)")
      let looked = try await practice.annBrowser.open("/").text
      #expect(looked.contains("Your prescription changed: check it before you take anything"))
      #expect(!looked.contains("If you decline"))
      // After a withdrawal: nothing is open any more.
      let waiting = try await practice.browser.open(practice.address).text
      let withdraw = try #require(
        waiting.firstMatch(of: /action="([^"]+\/proposals\/[^"]+\/withdraw)"/)?.1)
      #expect(try await practice.browser.post(String(withdraw), [:]).status == .seeOther)
      #expect(!(try await practice.annBrowser.open("/").text.contains("action=\"/proposals/")))

      // After a stop: at once, with the reason and its author.
      let end = "\(practice.address)/plans/\(plan)/end"
      #expect(try await practice.browser.open(end).text.contains("takes effect right away"))
      let reasonless = try await practice.browser.post(
        end, pairs: [("way", "stop")] + Practice.identity)
      #expect(reasonless.status == .unprocessableContent)
      let stopped = try await practice.browser.post(
        end, pairs: [("way", "stop"), ("reason", "Dry cough")] + Practice.identity)
      #expect(stopped.headers[.location] == "\(practice.address)?done=stopped#plan")
      let told = try await practice.annBrowser.open("/").text
      #expect(told.contains("Dry cough") && told.contains("From Doctor"))
      #expect(
        try await practice.annBrowser.open("/medicines/\(plan)").text.contains("Dry cough"))
      #expect(try await practice.browser.open(end).status == .conflict)
    }
  }

  @Test func `doses are shown before sending, and templates are saved and used`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let address = "\(practice.address)/prescribe/details"
      let preview = try await practice.browser.post(
        address, pairs: Practice.medicine() + [("preview", "yes")])
      #expect(preview.status == .ok && preview.text.contains("id=\"preview-title\""))
      #expect(preview.text.contains("08:00"))
      #expect(
        try await practice.ann.get("/fhir/MedicationRequest").json()["total"]?.number?.integer == 0)
      let nameless = try await practice.browser.post(
        address, pairs: Practice.medicine() + [("keep", "yes")])
      #expect(nameless.status == .unprocessableContent)
      let kept = try await practice.browser.post(
        address,
        pairs: Practice.medicine("Usualol", at: ["07:00", "19:00"]) + Practice.identity
          + [("keep", "yes"), ("template-name", "Twice a day")])
      #expect(kept.status == .ok && kept.text.contains("Nothing was sent"), "\(kept.text)")
      let raw = try await harness.environment.database.read { reader in
        try reader.first("SELECT fields FROM prescription_templates")?.text(0)
      }
      #expect(raw?.contains("Usualol") == true && raw?.contains("ann") == false)
      let list = try await practice.browser.open(address).text
      let use = try #require(list.firstMatch(of: /href="([^"]+\?template=[^"]+)"/)?.1)
      let filled = try await practice.browser.open(String(use)).text
      #expect(filled.contains("value=\"Usualol\"") && filled.contains("value=\"19:00\""))
      #expect(filled.contains("value=\"2026-03-01\""))
      // Another practitioner sees none of it.
      let other = try await harness.session(of: try await harness.makeAccount("Other"))
      #expect(!(try await other.open("/care/templates").text.contains("Twice a day")))
      let remove = try #require(
        try await practice.browser.open("/care/templates").text
          .firstMatch(of: /action="(\/care\/templates\/[^"]+)"/)?.1)
      #expect(try await other.post(String(remove), [:]).status == .notFound)
      #expect(try await practice.browser.post(String(remove), [:]).status == .seeOther)
    }
  }

  @Test func `an unconfirmed practitioner can't prescribe and is told so`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, isConfirmed: false)
      let page = try await practice.browser.open(practice.address)
      #expect(page.status == .ok && !page.text.contains("\(practice.address)/prescribe"))
      let address = "\(practice.address)/prescribe/details"
      #expect(try await practice.browser.open(address).status == .forbidden)
      let sent = try await practice.browser.post(
        address, pairs: Practice.medicine() + Practice.identity)
      #expect(sent.status == .forbidden)
      #expect(try await practice.browser.open("/care/profile").status == .notFound)
    }
  }

  @Test func `a former doctor's plan continues, and its page says so`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let plan = try await practice.prescribed()
      let form = try await practice.browser.open(
        "\(practice.address)/prescribe/details?plan=\(plan)")
      #expect(form.status == .ok)
      try await practice.endByPatient()
      // A form that was open when the care ended sends nothing.
      let late = try await practice.browser.post(
        "\(practice.address)/prescribe/details",
        pairs: Practice.medicine(at: ["10:00"]) + [("plan", plan)] + Practice.identity)
      #expect(late.status == .notFound)
      let end = try await practice.browser.post(
        "\(practice.address)/plans/\(plan)/end",
        pairs: [("way", "stop"), ("reason", "Too late")] + Practice.identity)
      #expect(end.status == .notFound)
      let page = try await practice.annBrowser.open("/medicines/\(plan)").text
      #expect(page.contains("Doctor prescribed this but is no longer in your care team"))
      #expect(page.contains("continues as it is until you change it"))
      #expect(try await practice.annBrowser.open("/medicines/\(plan)/edit").status == .ok)
    }
  }

  @Test func `forms for another person and tokens can't prescribe`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let token = try await harness.token(of: practice.doctor)
      // Pages are for browsers: a token is refused before any patient data is read.
      #expect(try await harness.send(.get, practice.address, token).status == .forbidden)
      var request = practice.ann.request("Forgol")
      request["intent"] = "order"
      #expect(
        try await harness.send(.post, "/fhir/MedicationRequest", token, json: request).status.code
          >= 400)
      let stranger = try await harness.session(of: try await harness.makeAccount("Stranger"))
      for path in ["", "/prescribe", "/prescribe/details", "/heart-rate", "/leave"] {
        #expect(try await stranger.open(practice.address + path).status == .notFound, "\(path)")
      }
    }
  }
}

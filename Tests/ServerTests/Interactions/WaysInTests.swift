// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Web

/// Every source of medicines shows the interactions before a medicine is accepted.
@Suite struct WaysInTests {
  private static let prefer = HTTPField.Name("Prefer") ?? .via

  private func warned(_ page: String) -> [(String, String)] {
    page.matches(of: /name="warned" value="([^"]+)"/).map { ("warned", String($0.output.1)) }
  }

  private func count(_ harness: ServerHarness, _ sql: StaticString) async throws -> Int64? {
    try await harness.environment.database.read { try $0.first(sql)?.integer(0) }
  }

  @Test
  func `a practitioner confirms severe findings, and the person sees them`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      _ = try await practice.ann.plan("Warfarin 3 mg")
      let address = "\(practice.address)/prescribe/details"
      let first = try await practice.browser.open(address).text
      #expect(first.contains("Allergies and illnesses aren’t shared with you"))
      let id = String(try #require(first.firstMatch(of: /name="prescription" value="([^"]+)"/)?.1))
      let form = Practice.medicine("Ibuprofen") + Practice.identity + [("prescription", id)]
      let asked = try await practice.browser.post(address, pairs: form)
      #expect(asked.status == .ok, "\(asked.text)")
      #expect(asked.text.contains("Severe: Warfarin 3 mg with Ibuprofen"))
      #expect(asked.text.contains("Together they can cause serious bleeding."))
      #expect(asked.text.contains("name=\"findings-confirmed\""))
      #expect(try await count(harness, "SELECT COUNT(*) FROM proposals") == 0)
      let seen = warned(asked.text)
      let unconfirmed = try await practice.browser.post(address, pairs: form + seen)
      #expect(unconfirmed.status == .unprocessableContent)
      #expect(unconfirmed.text.contains("Confirm that you’ve read the severe warnings"))
      #expect(try await count(harness, "SELECT COUNT(*) FROM proposals") == 0)
      #expect(unconfirmed.text.contains("name=\"prescription\" value=\"\(id)\""))
      let sent = try await practice.browser.post(
        address, pairs: form + seen + [("findings-confirmed", "yes")])
      #expect(sent.headers[.location] == "\(practice.address)?done=sent#waiting", "\(sent.text)")
      #expect(try await count(harness, "SELECT COUNT(*) FROM prescription_warnings") == 1)
      #expect(
        try await count(
          harness, "SELECT COUNT(*) FROM audit WHERE resource = 'DetectedIssue'") == 1)
      let today = try await practice.annBrowser.open("/").text
      #expect(today.contains("Severe: Warfarin 3 mg with Ibuprofen"))
      #expect(today.contains("Doctor read this warning and prescribed the medicine anyway"))
    }
  }

  @Test func `a moderate finding is shown once and needs no confirmation`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      _ = try await practice.ann.plan("Entresto")
      let address = "\(practice.address)/prescribe/details"
      let first = try await practice.browser.open(address).text
      let id = String(try #require(first.firstMatch(of: /name="prescription" value="([^"]+)"/)?.1))
      let form = Practice.medicine("Ibuprofen") + Practice.identity + [("prescription", id)]
      let asked = try await practice.browser.post(address, pairs: form)
      #expect(asked.status == .ok && asked.text.contains("Take care: Entresto with Ibuprofen"))
      #expect(!asked.text.contains("name=\"findings-confirmed\""))
      let sent = try await practice.browser.post(address, pairs: form + warned(asked.text))
      #expect(sent.status == .seeOther, "\(sent.text)")
      #expect(try await count(harness, "SELECT COUNT(*) FROM prescription_warnings") == 0)
      // A prescription without findings is sent at once.
      let quiet = try await practice.browser.post(
        address, pairs: Practice.medicine("Testolol") + Practice.identity)
      #expect(quiet.status == .seeOther, "\(quiet.text)")
    }
  }

  @Test func `a child's form and a copy ask like the main form and keep the note`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      func send(_ name: String, _ more: [(String, String)] = []) async throws -> TestResponse {
        try await nursery.browser.post(
          "\(nursery.home)/new",
          pairs: nursery.syrup(
            name, whole: "1", fraction: "0", unit: "tablet", mass: "", volume: "",
            times: ["08:00"]) + [("plan", "6a0f7c0e-0000-4000-8000-0000000000\(name.count)")]
            + more)
      }
      // Warfarin always raises a question about St John's wort, whatever else is taken.
      let first = try await send("Warfarin")
      #expect(first.status == .ok && first.text.contains("Severe: Warfarin with St John"))
      #expect(try await send("Warfarin", warned(first.text)).status == .seeOther)
      let asked = try await send("Ibuprofen")
      #expect(asked.status == .ok, "\(asked.text)")
      #expect(asked.text.contains("Severe: Warfarin with Ibuprofen"))
      #expect(try await nursery.plans().count == 1)
      let saved = try await send("Ibuprofen", warned(asked.text) + [("doctor-knows", "yes")])
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(try await count(harness, "SELECT COUNT(*) FROM interaction_notes") ?? 0 >= 1)
      // The note on a contraindication is kept when the next question is answered.
      #expect(try await send("Ferrous sulfate").status == .seeOther)
      let note = ("bar-note", "Dr Holm prescribed it")
      let second = try await send("Doxycycline", [note])
      #expect(second.text.contains("Take care: Doxycycline with Ferrous sulfate"), "\(second.text)")
      #expect(second.text.contains("name=\"bar-note\" value=\"Dr Holm prescribed it\""))
      let both = try await send("Doxycycline", [note] + warned(second.text))
      #expect(both.status == .seeOther, "\(both.text)")
    }
  }

  @Test func `a copy for a sibling checks the sibling's medicines`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let plan = try await nursery.house.dose(of: nursery.child, medicine: "Ibuprofen").plan
      let added = try await nursery.browser.post(
        "/people/new",
        [
          "given-name": "Tom", "birth-date": "2025-01-15", "label": "nickname", "nickname": "Tom",
          "colour": "blue",
        ])
      #expect(added.status == .seeOther, "\(added.text)")
      let choice = try await nursery.open("\(nursery.home)/plans/\(plan)/copy").text
      let link = try #require(choice.firstMatch(of: /href="(\/children\/[^"]+from=[^"]+)"/)?.1)
      let address = String(link).replacing("&amp;", with: "&")
      let sibling = PatientID(
        String(try #require(address.firstMatch(of: /children\/([^\/]+)\//)?.1)))
      _ = try await nursery.house.dose(of: sibling, medicine: "Warfarin")
      let asked = try await nursery.house.chosen(sibling).post(
        address,
        pairs: nursery.syrup(
          "Ibuprofen", whole: "1", fraction: "0", unit: "tablet", mass: "", volume: "",
          times: ["08:00"]))
      #expect(asked.text.contains("Severe: Warfarin with Ibuprofen"), "\(asked.text)")
      let plans = try await count(harness, "SELECT COUNT(*) FROM plans")
      #expect(plans == 2)
    }
  }

  // MARK: Programs

  private static let file = ImportPageTests.bundle
    .replacing("Bisoprolol 2.5 mg", with: "Warfarin").replacing("Ramipril", with: "Ibuprofen")

  private func send(
    _ person: Person, _ query: String = "", _ text: String = WaysInTests.file
  ) async throws -> JSONValue {
    var fields = person.token
    fields[.contentType] = "application/fhir+json"
    let answer = try await person.harness.client.executeRequest(
      uri: "/api/v1/imports\(query)", method: .post, headers: fields,
      body: ByteBuffer(string: text))
    #expect(answer.status == .ok, "\(answer.text)")
    return try answer.json()
  }

  private func titles(_ json: JSONValue?) -> [String] {
    (json?["findings"]?.array ?? []).compactMap { $0["title"]?.string }
  }

  @Test func `the API reports findings for imports, previews and proposals`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let expected = "Severe: Warfarin with Ibuprofen"
      let trial = try await send(ann, "?dryRun=true")
      let previewed = titles(trial["previews"]?[0])
      #expect(previewed.contains(expected), "\(trial.text)")
      let report = try await send(ann)
      let found = report["findings"]?.array ?? []
      #expect(found.count == 2 && titles(found.first).contains(expected), "\(report.text)")
      let list = try await ann.get("/api/v1/proposals").json()["proposals"]?.array ?? []
      #expect(list.count == 2)
      for proposal in list {
        #expect(titles(proposal).contains(expected), "\(proposal.text)")
        #expect(proposal["findings"]?[0]?["severity"] == "severe")
        #expect(
          proposal["findings"]?[0]?["text"]?[0] == "Together they can cause serious bleeding.")
      }
      let id = try #require(list.first?["id"]?.string)
      let accepted = try await ann.post("/api/v1/proposals/\(id)/accept", [:])
      #expect(accepted.status == .ok)
      let kept = titles(try accepted.json())
      #expect(kept.contains(expected))
      // Without findings the answer has an empty list, rather than none.
      let other = try await Person.make(harness, "Bob")
      let plain = Self.file.replacing("Warfarin", with: "Testolol")
        .replacing("Ibuprofen", with: "Probalol")
      let quiet = try await send(other, "", plain)
      #expect(quiet["findings"]?.array?.isEmpty == true, "\(quiet.text)")
    }
  }

  @Test func `copies of a medicine in a file don't multiply findings`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let entries = (1...400).map { number -> JSONValue in
        [
          "fullUrl": .string("https://h/fhir/MedicationRequest/\(number)"),
          "resource": [
            "resourceType": "MedicationRequest", "id": .string("\(number)"), "status": "active",
            "intent": "order",
            "medicationCodeableConcept": ["text": number < 3 ? "Warfarin" : "Ibuprofen"],
            "subject": ["reference": .string("Patient/\(ann.account.patient)")],
            "dosageInstruction": [["timing": ["repeat": ["timeOfDay": ["08:00:00"]]]]],
          ],
        ]
      }
      let file: JSONValue = [
        "resourceType": "Bundle", "type": "collection", "entry": .array(entries),
      ]
      let report = try await send(ann, "", file.text)
      let found = report["findings"]?.array ?? []
      #expect(found.count == 400)
      // One finding about the copies, and one with each of two others: none for each pair.
      #expect((found.map { titles($0).count }.max() ?? 0) < 10)
      let aboutCopies = [
        "Not together: Warfarin with Warfarin",
        "Severe: Ibuprofen and Ibuprofen both contain ibuprofen",
      ]
      for (one, copies) in zip([found.first, found.last], aboutCopies) {
        let said = titles(one)
        #expect(said.contains("Severe: Warfarin with Ibuprofen"), "\(said)")
        #expect(said.filter { $0 == copies }.count == 1, "\(said)")
      }
    }
  }

  @Test func `accepting all proposals reports the findings of each`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await send(ann)
      let accepted = try await ann.post("/api/v1/proposals/accept", [:]).json()
      let count = accepted["accepted"]?.number?.integer
      #expect(count == 2, "\(accepted.text)")
      let found = accepted["findings"]?.array ?? []
      #expect(found.count == 2, "\(accepted.text)")
      for one in found {
        let said = titles(one)
        #expect(said.contains("Severe: Warfarin with Ibuprofen"), "\(one.text)")
        #expect(one["proposal"] != nil && one["medicine"] != nil)
      }
      let again = try await ann.post("/api/v1/proposals/accept", [:]).json()
      let none = again["findings"]?.array
      #expect(none?.isEmpty == true)
    }
  }

  @Test func `the import page and Today show findings above the accept button`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await send(ann)
      let browser = try await harness.session(of: ann.account)
      let today = try await browser.open("/").text
      #expect(today.contains("Severe: Warfarin with Ibuprofen"))
      let sent = try await ImportPageTests.upload(browser, Array(Self.file.utf8))
      let review = try await browser.open(try #require(sent.headers[.location])).text
      #expect(review.contains("Severe: Warfarin with Ibuprofen"))
      #expect(review.contains("before you accept anything"))
    }
  }

  @Test func `a FHIR write returns the findings and never stores them`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Warfarin")
      let created = try await ann.post("/fhir/MedicationRequest", ann.request("Ibuprofen"))
      #expect(created.status == .created)
      var json = try created.json()
      let issue = json["contained"]?.array?.first { $0["resourceType"] == "DetectedIssue" }
      #expect(issue?["severity"] == "high", "\(created.text)")
      #expect(
        issue?["detail"]?.string?.contains("Together they can cause serious bleeding.") == true)
      let reference = issue?["id"]?.string.map { "#\($0)" }
      #expect(json["detectedIssue"]?[0]?["reference"]?.string == reference)
      let address = "/fhir/MedicationRequest/\(try #require(json["id"]?.string))"
      #expect(try await ann.get(address).json()["contained"] == nil)
      // Findings are not stored when a client sends the answer back.
      json["priority"] = "routine"
      let put = try await ann.put(address, json)
      #expect(put.status == .ok, "\(put.text)")
      let stored = try await ann.get(address).json()
      #expect(stored["contained"] == nil && stored["detectedIssue"] == nil)
      #expect(stored["priority"] == "routine")
      let outcome = try await ann.put(
        address, json, [Self.prefer: "return=OperationOutcome"]
      ).json()
      #expect(outcome["resourceType"] == "OperationOutcome")
      let issues = outcome["issue"]?.array ?? []
      #expect(
        issues.contains {
          $0["severity"] == "warning"
            && $0["details"]?["text"] == "Severe: Warfarin with Ibuprofen"
        }, "\(outcome.text)")
      let quiet = try await ann.post("/fhir/MedicationRequest", ann.request("Testolol"))
      #expect(try quiet.json()["contained"] == nil)
    }
  }
}

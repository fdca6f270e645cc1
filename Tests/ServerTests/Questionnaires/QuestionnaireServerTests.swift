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

@testable import Diary
@testable import Reminders
@testable import Web

/// Questionnaires over HTTP: the pages, the API, FHIR, and a practitioner who asks.
@Suite struct QuestionnaireServerTests {
  /// Returns the name of the field of an item.
  private func field(_ link: String, of name: QuestionnaireInstruments.Name) throws -> String {
    let form = try #require(QuestionnaireInstruments.all[name])
    let place = try #require(form.allItems.firstIndex(where: { $0.link == link }))
    return "q\(place)"
  }

  /// Returns the numbers of the occasions with an open reminder.
  private func reminders(_ person: Person) async throws -> [Int] {
    let (now, patient) = (person.harness.clock.now, person.account.patient)
    let alerts = try await person.harness.environment.database.read { reader in
      try AlertQueries.ending(after: now, patient: patient, in: reader)
    }
    return alerts.filter { QuestionnaireAlert.isOne($0.id) && $0.state == .open }
      .compactMap { $0.id.text.split(separator: ".").dropFirst().first.flatMap { Int($0) } }
      .sorted()
  }

  @Test func `a person answers, sees a further question, checks, sends and corrects`() async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let skipped = try field("skipped", of: .adherence)
      let reasons = try field("reasons", of: .adherence)
      let page = try await browser.open("/questionnaires/adherence").text
      #expect(page.contains("I forgot a dose."))
      #expect(!page.contains("Why did you leave out doses?"))
      // The fields of the page come back with the answers.
      let shown = page.matches(of: /name="shown" value="(\d+)"/).map {
        ("shown", String($0.output.1))
      }
      var answers = try ["forgot", "late", "changed", "ran-out"].map {
        (try field($0, of: .adherence), "never")
      }
      answers.append((skipped, "often"))
      let next = try await browser.post(
        "/questionnaires/adherence", pairs: shown + answers + [("step", "next")])
      #expect(next.status == .ok)
      #expect(next.text.contains("Why did you leave out doses?"), "\(next.text)")
      let all = next.text.matches(of: /name="shown" value="(\d+)"/).map {
        ("shown", String($0.output.1))
      }
      let review = try await browser.post(
        "/questionnaires/adherence",
        pairs: all + answers + [(reasons, "cost"), (reasons, "doubts"), ("step", "next")])
      #expect(review.text.contains("Check your answers"))
      #expect(review.text.contains("The cost, I doubt that it helps"))
      let sent = try await browser.post(
        "/questionnaires/adherence",
        pairs: answers + [(reasons, "cost"), (reasons, "doubts"), ("step", "send")])
      #expect(sent.status == .seeOther, "\(sent.text)")
      let history = try await browser.open("/questionnaires/adherence/history").text
      #expect(history.contains("Score: 85 of 100"), "\(history)")
      let id = try #require(history.firstMatch(of: /\?response=([A-Za-z0-9.-]+)/)).1
      let resource = try await ann.get("/fhir/QuestionnaireResponse/\(id)").json()
      #expect(resource["status"]?.string == "completed")
      let found = try await ann.get("/fhir/Observation?category=survey").json()
      #expect(found["entry"]?[0]?["resource"]?["valueQuantity"]?["value"]?.number?.integer == 85)
      let correcting = try await browser.open("/questionnaires/adherence?response=\(id)").text
      #expect(correcting.contains("name=\"version\" value=\"1\""))
      let corrected = try await browser.post(
        "/questionnaires/adherence",
        pairs: answers.dropLast()
          + [
            (skipped, "never"), ("step", "send"), ("response", String(id)), ("version", "1"),
          ])
      #expect(corrected.status == .seeOther, "\(corrected.text)")
      let after = try await browser.open("/questionnaires/adherence/history").text
      #expect(after.contains("Score: 100 of 100"))
      #expect(after.contains("Corrected"))
      let stale = try await browser.post(
        "/questionnaires/adherence",
        pairs: answers + [("step", "send"), ("response", String(id)), ("version", "1")])
      #expect(stale.status == .conflict || stale.status == .preconditionFailed)
    }
  }

  @Test func `a draft waits, mistakes are named, and nothing is sent empty`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let comment = try field("comment", of: .usability)
      let draft = try await browser.post(
        "/questionnaires/usability", [comment: "Larger buttons", "step": "draft"])
      #expect(draft.status == .seeOther)
      let again = try await browser.open("/questionnaires/usability").text
      #expect(again.contains("Larger buttons"))
      #expect(again.contains("This is your draft."))
      let empty = try await browser.post("/questionnaires/usability", ["step": "send"])
      #expect(empty.status == .unprocessableContent)
      let watch = try field("watch", of: .aims)
      let missing = try await browser.post("/questionnaires/aims", ["step": "next"])
      #expect(missing.status == .unprocessableContent)
      #expect(missing.text.contains("#field-\(watch)"))
      let unknown = try await browser.post(
        "/questionnaires/aims", [watch: "maybe", "step": "send"])
      #expect(unknown.status == .unprocessableContent)
      #expect(try await browser.open("/questionnaires/nonsense").status == .notFound)
      // Sending deletes the draft.
      let sent = try await browser.post(
        "/questionnaires/usability", [comment: "Larger buttons", "step": "send"])
      #expect(sent.status == .seeOther)
      #expect(!(try await browser.open("/questionnaires/usability").text.contains("Larger")))
    }
  }

  @Test func `a planned questionnaire is due, is answered over the API, and ends`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let refused = try await browser.post(
        "/questionnaires/aims/schedule", ["kind": "after", "starts": "2026-03-01", "weeks": ""])
      #expect(refused.status == .unprocessableContent)
      let planned = try await browser.post(
        "/questionnaires/aims/schedule", ["kind": "weekly", "starts": "2026-03-01", "weeks": ""])
      #expect(planned.status == .seeOther, "\(planned.text)")
      #expect(try await browser.open("/").text.contains("To answer now"))
      // The open occasion and the next four have a quiet reminder.
      #expect(try await reminders(ann) == [0, 1, 2, 3, 4])
      let listed = try await ann.get("/api/v1/questionnaires").json()
      #expect(listed["due"]?[0]?["form"]?.string == "aims")
      let assignment = try #require(listed["due"]?[0]?["assignment"]?.string)
      let address = "/api/v1/questionnaires/aims/responses"
      let wrong = try await ann.post(address, ["answers": ["watch": "maybe"]])
      #expect(wrong.status == .unprocessableContent)
      let answered = try await ann.post(
        address,
        [
          "answers": [
            "simple": "yes", "reminded": "yes", "calm": "yes", "informed": "yes", "watch": false,
          ]
        ])
      #expect(answered.status == .created, "\(answered.text)")
      #expect(try answered.json()["score"]?.number?.integer == 100)
      #expect(try await ann.get("/api/v1/questionnaires").json()["due"]?.array?.isEmpty == true)
      #expect(try await browser.open("/questionnaires").text.contains("Nothing to answer"))
      #expect(try await reminders(ann) == [1, 2, 3, 4])
      let ended = try await browser.post(
        "/questionnaires/aims/end", ["assignment": assignment])
      #expect(ended.status == .seeOther)
      #expect(try await reminders(ann) == [])
      #expect(try await ann.get("/api/v1/questionnaires").json()["due"]?.array?.isEmpty == true)
      let resource = try await ann.get("/api/v1/questionnaires/aims").json()
      #expect(resource["resourceType"]?.string == "Questionnaire")
    }
  }

  @Test func `a questionnaire that breaks a rule is refused over FHIR and on the page`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await harness.token(of: ann.account, scope: .system)
      var resource: JSONValue = [
        "resourceType": "Questionnaire", "status": "active", "url": "urn:test:own",
        "title": "Own questions",
        "item": [
          [
            "linkId": "a", "type": "string", "text": "And then?",
            "enableWhen": [["question": "b", "operator": "exists", "answerBoolean": true]],
          ]
        ],
      ]
      let refused = try await harness.send(.post, "/fhir/Questionnaire", system, json: resource)
      #expect(refused.status == .unprocessableContent)
      #expect(
        try refused.json()["issue"]?[0]?["expression"]?[0]?.string
          == "Questionnaire.item[0].enableWhen[0].question", "\(refused.text)")
      let browser = try await harness.session(of: ann.account)
      let checked = try await browser.post(
        "/questionnaires/check",
        ["questionnaire": String(decoding: resource.bytes, as: UTF8.self)])
      #expect(checked.status == .unprocessableContent)
      #expect(checked.text.contains("Questionnaire.item[0].enableWhen[0].question: condition"))
      resource["item"] = [["linkId": "a", "type": "string", "text": "And then?"]]
      let good = try await browser.post(
        "/questionnaires/check",
        ["questionnaire": String(decoding: resource.bytes, as: UTF8.self)])
      #expect(good.text.contains("This questionnaire can be used."))
      let stored = try await harness.send(.post, "/fhir/Questionnaire", system, json: resource)
      #expect(stored.status == .created, "\(stored.text)")
      #expect(try await browser.open("/questionnaires").text.contains("Own questions"))
    }
  }

  @Test func `a practitioner asks, and sees no answers`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      var doctor = try await house.connect(bob, .practitioner, categories: [.adherence])
      doctor.person = nil
      let address = "/care/\(house.child)/questionnaires"
      let asked = try await doctor.post(
        address, ["form": "adherence", "kind": "once", "starts": "2026-03-01", "weeks": ""])
      #expect(asked.status == .seeOther, "\(asked.text)")
      #expect(try await doctor.open(address).text.contains("waiting for an answer"))
      let page = try await house.chosen(house.child).open("/questionnaires").text
      #expect(page.contains("asked for by Bob"), "\(page)")
      let token = try await harness.token(of: bob)
      let found = try await harness.send(
        .get, "/fhir/QuestionnaireResponse?subject=Patient/\(house.child)", token)
      #expect(!found.text.contains("\"resourceType\":\"QuestionnaireResponse\""))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import Web

/// Conversations over pages and the API: who writes, who reads; delivered once, in order, with
/// limits.
@Suite struct ChatTests {
  @Test func `both sides read and write in order despite repeated requests`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let browser = try await ward.browser(ward.ann)
      let list = try await browser.open("/chat").text
      #expect(list.contains("Dora") && list.contains("Finn") && list.contains(ward.address))
      for _ in 0..<2 {
        let posted = try await browser.post(
          ward.address, ["text": "First words", "event": ChatWard.event])
        #expect(posted.status == .seeOther, "\(posted.text)")
        #expect(posted.headers[.location] == "\(ward.address)#end")
      }
      let again = try await ward.send("Other words", by: ward.ann, event: ChatWard.event)
      #expect(try again.status == .ok && again.json()["number"] == 1)
      // The same event from someone else is another message.
      let answer = try await ward.send("Second words", by: ward.dora, event: ChatWard.event)
      #expect(answer.status == .created, "\(answer.text)")
      #expect(try await ward.send("Third words", by: ward.ann).status == .created)
      #expect(
        try await ward.texts(ward.dora) == ["First words", "Second words", "Third words"])
      let page = try await browser.open(ward.address).text
      let places = ["First words", "Second words", "Third words"].compactMap {
        page.range(of: $0)?.lowerBound
      }
      #expect(places.count == 3 && places == places.sorted())
      let window = try await harness.send(
        .get, "\(ward.messagesPath)?before=3&limit=1", harness.token(of: ward.ann))
      #expect(try window.json()["messages"]?.array?.count == 1)
      #expect(try window.json()["messages"]?[0]?["number"] == 2)
      #expect(try window.json()["more"] == true)
      for query in ["limit=0", "limit=999", "before=x", "before=0"] {
        let refused = try await harness.send(
          .get, "\(ward.messagesPath)?\(query)", harness.token(of: ward.ann))
        #expect(refused.status == .badRequest, "\(query)")
      }
    }
  }

  @Test func `opening a conversation doesn't change the selected person`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let gina = try await harness.makeAccount("Gina")
      try await ward.grant(.guardian, to: gina)
      let browser = try await ward.browser(gina, at: gina.patient)
      let page = try await browser.open(ward.address)
      #expect(page.status == .ok)
      // Its form is for the person of the conversation.
      #expect(page.text.contains("name=\"for-person\" value=\"\(ward.ann.patient)\""))
      let sent = try await browser.post(
        ward.address,
        ["text": "Hello", "event": ChatWard.event, "for-person": ward.ann.patient.text])
      #expect(sent.status == .seeOther, "\(sent.text)")
      for answer in [page, sent] {
        #expect(
          !answer.headers[values: .setCookie].contains { $0.hasPrefix(PersonChoice.cookie) })
      }
      #expect(try await browser.open(ward.address).text.contains("Hello"))
    }
  }

  @Test func `a member sees only their own conversation, a stranger none`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      #expect(try await ward.send("For the doctor", by: ward.ann).status == .created)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      for account in [ward.finn, eve] {
        let browser = try await harness.session(of: account)
        #expect(try await browser.open(ward.address).status == .notFound)
        #expect(try await browser.post(ward.address, ["text": "x"]).status == .notFound)
        #expect(try await ward.send("x", by: account).status == .notFound)
        #expect(!(try await browser.open("/chat").text).contains("For the doctor"))
        let listed = try await harness.send(
          .get, "/api/v1/conversations", harness.token(of: account))
        #expect(!listed.text.contains("For the doctor"))
      }
      let asked = try await harness.send(
        .get, "/api/v1/conversations?patient=\(ward.ann.patient)", harness.token(of: eve))
      #expect(asked.status == .notFound)
      // Emergency access shows no conversation.
      try await harness.openEmergency("a-look", of: ward.ann.patient, by: eve)
      let look = try await ward.browser(eve)
      #expect(try await look.open(ward.address).status == .notFound)
      // The operator's token reads the whole installation, and writes nothing.
      let system = try await harness.token(of: eve, scope: .system)
      let read = try await harness.send(.get, ward.messagesPath, system)
      #expect(read.status == .ok && read.text.contains("For the doctor"))
      let written = try await harness.send(
        .post, ward.messagesPath, system, json: ["text": "x"])
      #expect(written.status == .forbidden, "\(written.text)")
    }
  }

  @Test func `after care ends only the patient can read, and no one can write`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      #expect(try await ward.send("Once upon a time", by: ward.dora).status == .created)
      try await ward.grant(.practitioner, to: ward.dora, ended: true)
      harness.clock.advance(minutes: 1)
      harness.environment.sessions.forget()
      let browser = try await ward.browser(ward.ann)
      let page = try await browser.open(ward.address)
      #expect(page.status == .ok && page.text.contains("Once upon a time"))
      #expect(page.text.contains("You can no longer write here"))
      #expect(!page.text.contains("id=\"chat-write\""))
      let refused = try await browser.post(ward.address, ["text": "Are you there?"])
      #expect(refused.status == .conflict && refused.text.contains("Nothing was sent"))
      let api = try await ward.send("Are you there?", by: ward.ann)
      #expect(try api.status == .conflict && api.json()["code"] == "ended")
      #expect(try await browser.open("/chat").text.contains("no longer has access"))
      let former = try await harness.session(of: ward.dora)
      #expect(try await former.open(ward.address).status == .notFound)
      #expect(try await ward.send("Hello", by: ward.dora).status == .notFound)
      #expect(!(try await former.open("/chat").text).contains("Once upon"))
      // Shared again, the conversation continues; without messages it does not.
      try await ward.grant(.practitioner, to: ward.dora, categories: [.medicines])
      #expect(try await ward.send("Hello", by: ward.dora).status == .notFound)
      try await ward.grant(.practitioner, to: ward.dora)
      #expect(try await ward.send("Back again", by: ward.dora).status == .created)
      #expect(try await ward.texts(ward.ann) == ["Once upon a time", "Back again"])
    }
  }

  @Test func `a guardian writes for a child, and the message says so`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let dora = try await harness.makeAccount("Dora")
      let doctor = try await house.connect(dora, .practitioner, categories: [.messages])
      let conversation = Conversation.id(patient: house.child, member: dora.id)
      let sent = try await house.chosen(house.child).post(
        "/chat/\(conversation)", ["text": "She has a rash"])
      #expect(sent.status == .seeOther, "\(sent.text)")
      let page = try await doctor.open("/chat/\(conversation)").text
      #expect(page.contains("Ann, for Mali") && page.contains("She has a rash"))
      // A form for someone else does nothing.
      let mistaken = try await house.chosen(house.ann.patient).post(
        "/chat/\(conversation)", ["text": "Wrong person"])
      #expect(mistaken.status == .conflict)
      #expect(!(try await doctor.open("/chat/\(conversation)").text).contains("Wrong person"))
    }
  }

  @Test func `input is plain text without invisible characters`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let browser = try await ward.browser(ward.ann)
      let hostile = "<img src=x onerror=alert(1)>\u{202E}txt\u{7}\nhttps://evil.example/x"
      #expect(try await browser.post(ward.address, ["text": hostile]).status == .seeOther)
      let page = try await browser.open(ward.address).text
      #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;txt\nhttps://evil.example/x"))
      #expect(!page.contains("<img src=x") && !page.contains("href=\"https://evil"))
      let huge = String(repeating: "a", count: 5_000)
      let refused = try await browser.post(ward.address, ["text": huge])
      #expect(refused.status == .unprocessableContent && refused.text.contains(huge))
      #expect(refused.text.contains("This message is too long. Use up to 4000 characters."))
      for empty in ["", " \u{0} \n", "\u{200E}\u{202E}"].prefix(1) + [" \u{202E} "] {
        let answer = try await browser.post(ward.address, ["text": empty])
        #expect(answer.status == .unprocessableContent && answer.text.contains("Write a message"))
      }
      #expect(try await ward.send(huge, by: ward.ann).status == .unprocessableContent)
      #expect(
        try await ward.send("x", by: ward.ann, event: "not-a-uuid").status
          == .unprocessableContent)
      #expect(
        try await ward.send("x", by: ward.ann, more: ["dose": "nothing_1_x"]).status
          == .unprocessableContent)
      #expect(
        try await ward.send("x", by: ward.ann, more: ["warning": "nothing"]).status
          == .unprocessableContent)
      #expect(try await ward.messages(ward.ann).count == 1)
    }
  }

  @Test func `too many messages get a plain refusal and lose nothing`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      for number in 0..<20 {
        #expect(try await ward.send("\(number)", by: ward.ann).status == .created)
      }
      let api = try await ward.send("one more", by: ward.ann, event: ChatWard.event)
      #expect(api.status == .tooManyRequests && api.headers[.retryAfter] == "60")
      let browser = try await ward.browser(ward.ann)
      let page = try await browser.post(
        ward.address, ["text": "one more by page", "event": ChatWard.event])
      #expect(page.status == .tooManyRequests && page.text.contains("one more by page"))
      #expect(page.text.contains("Try this one again in") && page.text.contains(ChatWard.event))
      // The other side is not delayed by it.
      #expect(try await ward.send("Slowly, please", by: ward.dora).status == .created)
      harness.clock.advance(minutes: 2)
      #expect(
        try await ward.send("one more", by: ward.ann, event: ChatWard.event).status == .created)
      #expect(try await ward.messages(ward.ann).count == 22)
    }
  }

  @Test func `a sender can retract a message, which leaves a placeholder`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let sent = try await ward.send("Regrettable", by: ward.ann, event: ChatWard.event)
      let id = try #require(try sent.json()["id"]?.string)
      let doctor = try await ward.browser(ward.dora)
      #expect(
        try await doctor.post("\(ward.address)/messages/\(id)/remove", [:]).status == .forbidden)
      let browser = try await ward.browser(ward.ann)
      #expect(
        try await browser.post("\(ward.address)/messages/\(id)/remove", [:]).status == .seeOther)
      let page = try await doctor.open(ward.address).text
      #expect(page.contains("This message was taken back.") && !page.contains("Regrettable"))
      #expect(!(try await doctor.open("/").text).contains("new message"))
      // A withdrawn message is not sent again with its event.
      #expect(
        try await ward.send("Regrettable", by: ward.ann, event: ChatWard.event).status == .ok)
      #expect(try await ward.texts(ward.dora).isEmpty)
      #expect(try await ward.messages(ward.dora)[0]["withdrawn"] != nil)
    }
  }

  @Test func `read receipts are shown and new messages counted`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      #expect(try await ward.send("One", by: ward.dora).status == .created)
      #expect(try await ward.send("Two", by: ward.dora).status == .created)
      let browser = try await ward.browser(ward.ann)
      #expect(try await browser.open("/").text.contains("2 new messages"))
      #expect(try await browser.open("/chat").text.contains("2 new"))
      harness.clock.advance(minutes: 64)
      let doctor = try await ward.browser(ward.dora)
      #expect(!(try await doctor.open(ward.address).text).contains("Seen"))
      #expect(try await browser.open(ward.address).status == .ok)
      #expect(!(try await browser.open("/").text).contains("new message"))
      #expect(try await doctor.open(ward.address).text.contains("Seen 08:04"))
      // An older page marks nothing as read.
      #expect(try await ward.send("Three", by: ward.dora).status == .created)
      #expect(try await browser.open("\(ward.address)?before=2").status == .ok)
      #expect(try await browser.open("/").text.contains("1 new message"))
      let seen = try await harness.send(
        .post, "/api/v1/conversations/\(ward.conversation)/seen", harness.token(of: ward.ann),
        json: ["number": 3])
      #expect(seen.status == .noContent)
      #expect(!(try await browser.open("/").text).contains("new message"))
    }
  }

  @Test func `a search reads sealed messages and links to them`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      for text in ["Metoprolol makes me dizzy", "Then halve it", "The DIZZY spells are gone"] {
        #expect(try await ward.send(text, by: ward.ann).status == .created)
      }
      let browser = try await ward.browser(ward.ann)
      let found = try await browser.open("\(ward.address)?q=dizzy").text
      #expect(found.contains("2 messages with “dizzy”") && !found.contains("Then halve it"))
      #expect(found.contains("\(ward.address)?before=2#message-1"))
      let none = try await browser.open("\(ward.address)?q=%3Cb%3E").text
      #expect(none.contains("No messages found for “&lt;b&gt;”"))
    }
  }

  @Test func `a link is shown only to people who can see its target`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness, sharing: [.messages])
      let token = try await harness.token(of: ward.ann)
      _ = try await harness.send(
        .post, "/fhir/MedicationRequest", token, json: MatrixPlan.resource(of: ward.ann, id: nil))
      let listed = try await harness.send(
        .get, "/api/v1/doses?patient=\(ward.ann.patient)&\(Person.days)", token)
      let dose = try #require(try listed.json()["doses"]?[0]?["id"]?.string, "\(listed.text)")
      let browser = try await ward.browser(ward.ann)
      #expect(try await browser.open(ward.address).text.contains("value=\"dose:\(dose)\""))
      let sent = try await browser.post(
        ward.address, ["text": "About this one", "link": "dose:\(dose)"])
      #expect(sent.status == .seeOther, "\(sent.text)")
      #expect(try await browser.open(ward.address).text.contains("/doses/\(dose)"))
      let doctor = try await ward.browser(ward.dora)
      let hidden = try await doctor.open(ward.address).text
      #expect(hidden.contains("About something not shared with you"))
      #expect(!hidden.contains(MatrixPlan.secretName) && !hidden.contains(dose))
      // She can't link to anything she may not see.
      let refused = try await ward.send("This?", by: ward.dora, more: ["dose": .string(dose)])
      #expect(refused.status == .unprocessableContent)
      try await ward.grant(
        .practitioner, to: ward.dora, categories: Set(DataCategory.allCases))
      #expect(try await doctor.open(ward.address).text.contains(MatrixPlan.secretName))
    }
  }

  @Test func `the same message sent in parallel is stored once`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let token = try await harness.token(of: ward.ann)
      let path = ward.messagesPath
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await harness.send(
              .post, path, token,
              json: ["text": "Once", "event": .string(ChatWard.event)]
            ).status.code
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(statuses == [200, 200, 200, 200, 200, 200, 200, 201])
      #expect(try await ward.texts(ward.dora) == ["Once"])
    }
  }

  @Test func `an emergency number is shown if the country is known`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let browser = try await ward.browser(ward.ann)
      for address in ["/chat", ward.address] {
        let unknown = try await browser.open(address).text
        #expect(unknown.contains("Not for emergencies"))
        #expect(unknown.contains("Your country’s emergency number."))
        #expect(!unknown.contains("for an ambulance"))
        var headers = browser.headers
        headers[.cookie] = "\(headers[.cookie] ?? ""); \(Preferences.regionCookie)=uk"
        #expect(try await harness.send(.get, address, headers).text.contains("Call 999 for"))
      }
    }
  }

  @Test func `a message sent offline keeps the time it was written`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let late = try await ward.send(
        "From the tunnel", by: ward.ann,
        more: ["at": "2026-03-01T06:10:00Z", "confirm": true])
      #expect(try late.json()["written"]?.string?.hasPrefix("2026-03-01T06:10:00") == true)
      let early = try await ward.send(
        "From the future", by: ward.ann, more: ["at": "2031-03-01T06:10:00Z"])
      #expect(try early.json()["written"] == (try early.json()["sent"]))
      let browser = try await ward.browser(ward.ann)
      #expect(try await browser.open(ward.address).text.contains("delivered 07:00"))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Testing
import TestSupport

/// Several people of one account: chosen, named, and never mixed up.
@Suite struct PeoplePageTests {
  @Test func `an account has separate pages for each person`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      _ = try await house.dose(of: house.ann.patient, medicine: "Annolol")
      for (patient, own, other) in [
        (house.child, "Childolol", "Annolol"), (house.ann.patient, "Annolol", "Childolol"),
      ] {
        for address in ["/", "/medicines", "/history", "/entry"] {
          let page = try await house.chosen(patient).open(address)
          #expect(page.status == .ok, "\(address)")
          #expect(!page.text.contains(other), "\(address)")
          if address != "/history" { #expect(page.text.contains(own), "\(address)") }
        }
      }
      // No one is chosen yet: one's own pages.
      #expect(try await house.browser.open("/medicines").text.contains("Annolol"))
      // Someone else's id in the cookie is ignored.
      let eve = try await harness.makeAccount("Eve")
      let curious = try await house.chosen(eve.patient).open("/medicines").text
      #expect(curious.contains("Annolol"))
    }
  }

  @Test func `the switcher uses a form and only offers the account's people`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let eve = try await harness.makeAccount("Eve")
      let page = try await house.browser.open("/").text
      #expect(page.contains("action=\"/person\"") && page.contains("value=\"\(house.child)\""))
      let answer = try await house.browser.post(
        "/person", ["person": house.child.text, "return": "/medicines"])
      #expect(answer.status == .seeOther && answer.headers[.location] == "/medicines")
      #expect(answer.headers[values: .setCookie].contains { $0.contains(house.child.text) })
      for wrong in [eve.patient.text, "nonsense", ""] {
        #expect(try await house.browser.post("/person", ["person": wrong]).status == .notFound)
      }
      let away = try await house.browser.post(
        "/person", ["person": house.child.text, "return": "//evil.example/"])
      #expect(away.headers[.location] == "/")
      // An account with one person needs no switcher.
      let alone = try await harness.session(of: eve).open("/").text
      #expect(!alone.contains("action=\"/person\""))
    }
  }

  @Test func `every action button and form names the person`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      harness.clock.advance(minutes: 65)
      try await harness.proveAgain()
      let browser = house.chosen(house.child)
      var seen = 0
      for address in [
        "/", "/doses/\(dose)", "/medicines/new/details", "/medicines/\(plan)/edit",
        "/medicines/\(plan)/stop", "/medicines/\(plan)/pause", "/entry", "/me/account",
        "/me/routine", "/ring",
        "/people/share", "/import",
      ] {
        let page = try await browser.open(address)
        #expect(page.status == .ok, "\(address)")
        for form in page.text.matches(
          of: /<form[^>]*method="post"(.*?)<\/form>/.dotMatchesNewlines())
        {
          let text = String(form.1)
          // Forms that act on the account or choose another person name no one.
          if text.contains("/sign-out") || text.contains("action=\"/person\"") { continue }
          #expect(
            text.contains("name=\"for-person\" value=\"\(house.child)\""), "\(address): \(text)")
          let buttons = text.matches(
            of: /<button type="submit" class="button[^>]*>(.*?)<\/button>/
              .dotMatchesNewlines())
          for button in buttons where !button.0.contains("name=\"more\"") {
            #expect(button.1.contains("Little M"), "\(address): \(button.0)")
            seen += 1
          }
        }
      }
      #expect(seen >= 15)
    }
  }

  @Test func `a form for one person is refused once another is chosen`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      let own = house.chosen(house.ann.patient)
      let stale: KeyValuePairs = ["for-person": house.child.text, "reason": "x", "name": "Annolol"]
      for address in ["/medicines/new", "/entry", "/me/account", "/people/share"] {
        let answer = try await own.post(address, stale)
        #expect(answer.status == .conflict, "\(address)")
        #expect(answer.text.contains("This form was for another person."), "\(address)")
      }
      // A form without a person is refused as well.
      #expect(try await house.browser.post("/entry", ["name": "x"]).status == .conflict)
      // A dose determines its person: its form works whoever is chosen, and one of another person's
      // does not.
      let wrong = try await own.post("/doses/\(dose)/answers", ["action": "taken"])
      #expect(wrong.status == .conflict)
      let right = try await own.post(
        "/doses/\(dose)/answers",
        [
          "for-person": house.child.text, "action": "taken",
          "event": "11111111-1111-4111-8111-111111111111", "return": "/",
        ])
      #expect(right.status == .seeOther, "\(right.text)")
      // Today then shows the person of the dose.
      #expect(right.headers[values: .setCookie].contains { $0.contains(house.child.text) })
      // So does a medicine, whose page leaves the choice unchanged.
      let medicine = try await own.open("/medicines/\(plan)")
      #expect(medicine.status == .ok && medicine.headers[values: .setCookie].isEmpty)
      #expect(medicine.text.contains("This page is about Little M."))
    }
  }

  @Test func `one button never answers doses of two people`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let one = try await house.dose(of: house.child, medicine: "Childolol").dose
      let two = try await house.dose(of: house.ann.patient, medicine: "Annolol").dose
      let answer = try await house.chosen(house.child).post(
        "/answers",
        pairs: [
          ("action", "taken"), ("answer", "\(one) 11111111-1111-4111-8111-111111111111"),
          ("answer", "\(two) 22222222-2222-4222-8222-222222222222"),
        ])
      #expect(answer.status == .unprocessableContent)
      let token = try await harness.token(of: house.ann)
      for patient in [house.child, house.ann.patient] {
        let doses = try await harness.send(
          .get, "/api/v1/doses?patient=\(patient)&\(Person.today)", token)
        #expect(!doses.text.contains("\"taken\""))
      }
    }
  }

  @Test func `errors in a new person are shown next to the field`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      for (fields, message) in [
        (["given-name": "", "label": "initial"], "Enter a name."),
        (["given-name": "B", "birth-date": "2031-01-01"], "can’t be in the future"),
        (["given-name": "B", "birth-date": "1 May"], "Enter a date, for example"),
        (["given-name": "B", "label": "colour", "colour": ""], "Choose a colour."),
        (["given-name": "B", "label": "nickname", "nickname": " "], "Enter a nickname."),
        (
          ["given-name": "B", "label": "nickname", "nickname": "little m"],
          "is already used for another person"
        ),
        (["given-name": "Arno", "label": "initial"], "is already used for another person"),
      ] as [(KeyValuePairs<String, String>, String)] {
        let answer = try await house.browser.post("/people/new", fields)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains(message), "\(message)")
      }
    }
  }

  @Test func `Today shows an accepted invitation until it is confirmed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let own = house.chosen(house.ann.patient)
      let invitation = try await house.invite(
        .family, categories: [.medicines, .adherence], of: house.ann.patient)
      let asked = "Bob accepted your invitation"
      #expect(!(try await own.open("/").text).contains(asked))
      let other = try await harness.session(of: bob)
      let accepted = try await other.post("/join/\(invitation.code)", ["action": "accept"])
      #expect(accepted.status == .seeOther, "\(accepted.text)")
      let today = try await own.open("/").text
      #expect(today.contains(asked) && today.contains("href=\"\(invitation.address)\""))
      // On another person's Today it names its person, and its link leads to that person.
      let elsewhere = try await house.chosen(house.child).open("/").text
      #expect(elsewhere.contains("\(asked) for Ann"))
      #expect(elsewhere.contains("name=\"return\" value=\"\(invitation.address)\""))
      // The one who accepted is not asked.
      #expect(!(try await other.open("/").text).contains("accepted your invitation"))
      let confirmed = try await own.post(invitation.address, ["action": "confirm"])
      #expect(confirmed.status == .seeOther, "\(confirmed.text)")
      #expect(!(try await own.open("/").text).contains(asked))
      #expect(!(try await house.chosen(house.child).open("/").text).contains(asked))
    }
  }

  @Test func `viewers are not sent to a form that they can't submit`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let added = try await house.chosen(house.child).post(
        "/alarms",
        [
          "kind": "appointment", "label": "Eye doctor", "time": "08:00", "repeats": "once",
          "starts": "2026-03-05", "ends": "", "sound": "chime", "snooze": "15", "lead": "",
        ])
      #expect(added.status == .seeOther, "\(added.text)")
      let alarms = try await house.chosen(house.child).open("/alarms").text
      let alarm = String(
        try #require(alarms.firstMatch(of: /href="(\/alarms\/[0-9a-f-]{36})"/)?.output.1))
      #expect(try await house.chosen(house.child).open(alarm).status == .ok)
      let viewer = try await house.connect(
        bob, .family, categories: [.medicines, .adherence])
      // A person's own alarms are shared with no one.
      for address in ["/alarms", alarm] {
        let status = try await viewer.open(address).status
        #expect(status == .forbidden || status == .notFound, "\(address): \(status)")
      }
      for address in ["/entry", "/missed"] {
        let answer = try await viewer.open(address)
        #expect(answer.status == .seeOther && answer.headers[.location] == "/", "\(address)")
        #expect(try await house.chosen(house.child).open(address).status == .ok, "\(address)")
      }
      for address in ["/medicines/new", "/stock/new", "/alarms/new", "/travel", "/import"] {
        // Data that is not shared at all appears not to exist.
        let status = try await viewer.open(address).status
        #expect(status == .forbidden || status == .notFound, "\(address): \(status)")
      }
      for place in ["/", "/medicines", "/history", "/as-needed", "/alarms"] {
        let page = try await viewer.open(place).text
        for address in ["/entry", "/missed", "/medicines/new", "/stock/new", "/travel", "/import"] {
          #expect(!page.contains("href=\"\(address)\""), "\(place): \(address)")
        }
      }
    }
  }

  @Test func `the People pages are available in every language`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let invitation = try await house.invite(.family, categories: [.medicines])
      let browser = house.chosen(house.child)
      for language in Language.allCases {
        for address in [
          "/people", "/people/family", "/people/sharing", "/people/new", "/people/share",
          invitation.address,
          "/people/access/\(house.ann.id)", "/join", "/join/\(invitation.code)",
        ] {
          var headers = browser.headers
          headers[.cookie] = (headers[.cookie] ?? "") + "; regimen-language=\(language.rawValue)"
          let page = try await harness.send(.get, address, headers)
          #expect(page.status == .ok, "\(address) \(language)")
          #expect(!page.text.contains("people."), "\(address) \(language)")
        }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Records
import Testing
import TestSupport

/// Inviting, viewing, and losing access again.
@Suite struct SharingTests {
  @Test func `family sees shared data, changes nothing and can be removed at once`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(
        bob, .family, categories: [.medicines, .adherence])
      let token = try await harness.token(of: bob)
      for address in ["/", "/medicines", "/medicines/\(plan)", "/doses/\(dose)", "/history"] {
        let page = try await looking.open(address)
        #expect(page.status == .ok && page.text.contains("Childolol"), "\(address)")
        let forms = page.text.matches(of: /<form[^>]*action="([^"]*)"/).map { String($0.1) }
        #expect(
          Set(forms).isSubset(of: ["/sign-out", "/person", "/history", "/search"]),
          "\(address) \(forms)")
        #expect(!page.text.contains("/medicines/new"), "\(address)")
      }
      let me = try await harness.send(.get, "/api/v1/me", token).json()
      #expect(
        me["patients"]?[1] == [
          "id": .string(house.child), "name": "Mali", "relationship": "family",
          "categories": ["medicines", "adherence"],
        ])
      let answer = try await looking.post("/doses/\(dose)/answers", ["action": "taken"])
      #expect(answer.status == .notFound)
      // One side ends it while the other has pages open.
      let page = "/people/access/\(bob.id)"
      #expect(try await house.chosen(house.child).open(page).text.contains("Bob"))
      let ended = try await house.chosen(house.child).post(
        page, ["action": "end", "relationship": "family"])
      #expect(ended.status == .seeOther, "\(ended.text)")
      for address in ["/medicines/\(plan)", "/doses/\(dose)"] {
        #expect(try await looking.open(address).status == .notFound, "\(address)")
      }
      #expect(!(try await looking.open("/").text.contains("Childolol")))
      let api = try await harness.send(
        .get, "/api/v1/doses?patient=\(house.child)&\(Person.today)", token)
      #expect(api.status == .notFound)
    }
  }

  @Test func `without medicine names only times and states are visible`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .practitioner, categories: [.adherence])
      let today = try await looking.open("/").text
      #expect(today.contains("shared-doses") && !today.contains("Childolol"))
      for address in ["/medicines", "/medicines/\(plan)", "/doses/\(dose)", "/history.csv"] {
        #expect(try await looking.open(address).status == .notFound, "\(address)")
      }
      // Shared later, without a new invitation.
      let more = try await house.chosen(house.child).post(
        "/people/access/\(bob.id)",
        pairs: [
          ("action", "share"), ("relationship", "practitioner"), ("category", "adherence"),
          ("category", "medicines"),
        ])
      #expect(more.status == .seeOther)
      #expect(try await looking.open("/").text.contains("Childolol"))
      let none = try await house.chosen(house.child).post(
        "/people/access/\(bob.id)",
        pairs: [("action", "share"), ("relationship", "practitioner")])
      #expect(none.status == .conflict && none.text.contains("Choose at least one"))
    }
  }

  @Test func `guardians act for a child, see who gave a dose and can hand over`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (_, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      harness.clock.advance(minutes: 65)
      let bob = try await harness.makeAccount("Bob")
      let father = try await house.connect(bob, .guardian)
      let given = try await father.post(
        "/doses/\(dose)/answers",
        ["action": "taken", "event": "11111111-1111-4111-8111-111111111111", "return": "/"])
      #expect(given.status == .seeOther, "\(given.text)")
      #expect(try await house.chosen(house.child).open("/").text.contains("by Bob"))
      // Neither can remove the other, and the last one stays.
      let away = try await house.chosen(house.child).post(
        "/people/access/\(bob.id)", ["action": "end", "relationship": "guardian"])
      #expect(away.status == .conflict)
      let leave = try await house.chosen(house.child).post(
        "/people/access/\(house.ann.id)", ["action": "end", "relationship": "guardian"])
      #expect(leave.status == .seeOther)
      let last = try await father.post(
        "/people/access/\(bob.id)", ["action": "end", "relationship": "guardian"])
      #expect(last.status == .conflict)
      #expect(last.text.contains("This would leave no one to act for this person."))
    }
  }

  @Test func `a handover ends the old guardian's access in the same step`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, _) = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      let father = try await house.connect(bob, .guardian, handOver: true)
      #expect(try await father.open("/medicines/\(plan)").status == .ok)
      #expect(try await house.chosen(house.child).open("/medicines/\(plan)").status == .notFound)
    }
  }

  @Test func `wrong codes get the same refusal and are throttled`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.session(of: harness.makeAccount("Bob"))
      let used = try await house.invite(.family, categories: [.medicines])
      #expect(try await bob.post("/join/\(used.code)", ["action": "decline"]).status == .seeOther)
      let own = try await house.invite(.family, categories: [.medicines])
      let oneself = try await house.browser.post("/join/\(own.code)", ["action": "accept"])
      #expect(oneself.status == .conflict && oneself.text.contains("isn’t for you"))
      var bodies: Set<String> = []
      let again = try await bob.open("/join/\(used.code)")
      #expect(again.status == .unprocessableContent && again.text.contains("already been used"))
      for code in ["K7QM-2XPA-9RTD", "nonsense"] {
        let answer = try await bob.open("/join/\(code)")
        #expect(answer.status == .unprocessableContent)
        bodies.insert(
          answer.text.replacing(/nonce="[^"]*"|return=[^"]*|value="[0-9a-f]{64}"/, with: ""))
      }
      #expect(bodies.count == 1)
      for _ in 0..<3 { _ = try await bob.post("/join", ["code": "2222-2222-2222"]) }
      let slowed = try await bob.open("/join/\(own.code)")
      #expect(slowed.status == .unprocessableContent && slowed.text.contains("Too many attempts"))
      harness.clock.advance(minutes: 20)
      #expect(try await bob.open("/join/\(own.code)").status == .ok)
      harness.clock.advance(minutes: 8 * 24 * 60)
      let late = try await bob.open("/join/\(own.code)")
      #expect(late.status == .unprocessableContent && late.text.contains("has expired"))
    }
  }

  @Test func `links in a received Patient grant nothing`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let token = try await harness.token(of: bob)
      let bundle: JSONValue = [
        "resourceType": "Bundle", "type": "collection",
        "entry": [
          [
            "resource": [
              "resourceType": "Patient", "id": .string(bob.patient),
              "link": [
                ["other": ["reference": .string("Patient/\(house.child)")], "type": "seealso"]
              ],
            ]
          ],
          [
            "resource": [
              "resourceType": "RelatedPerson",
              "patient": ["reference": .string("Patient/\(house.child)")],
            ]
          ],
          [
            "resource": [
              "resourceType": "Consent", "status": "active",
              "patient": ["reference": .string("Patient/\(house.child)")],
            ]
          ],
        ],
      ]
      _ = try await harness.send(.post, "/api/v1/imports", token, json: bundle)
      for type in ["Consent", "RelatedPerson", "CareTeam"] {
        let sent = try await harness.send(
          .post, "/fhir/\(type)", token, json: ["resourceType": .string(type)])
        #expect(sent.status == .notFound || sent.status == .methodNotAllowed, "\(type)")
      }
      let me = try await harness.send(.get, "/api/v1/me", token).json()
      #expect(me["patients"]?.array?.count == 1)
      let doses = try await harness.send(
        .get, "/api/v1/doses?patient=\(house.child)&\(Person.today)", token)
      #expect(doses.status == .notFound)
    }
  }
}

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

@testable import Web

/// A queued entry acts for the account and the person that it was made for, or not at all.
@Suite struct MadeForTests {
  private static let taken: JSONValue = [
    "action": "taken", "event": "6f3a5f0e-1111-4222-8333-0123456789ab",
  ]

  private func fields(account: AccountID? = nil, patient: PatientID? = nil) -> HTTPFields {
    var fields = HTTPFields()
    fields[.madeForAccount] = account?.text
    fields[.madeForPatient] = patient?.text
    return fields
  }

  @Test func `an answer made for another account is a conflict, and nothing is written`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      _ = try await house.connect(bob, .guardian)
      let dose = try await house.dose(of: house.child, medicine: "Testolol").dose
      let path = "/api/v1/doses/\(dose)/answers"
      let (ann, theirs) = (try await harness.token(of: house.ann), try await harness.token(of: bob))
      // Bob is allowed to answer for the child, but this press is not his.
      let refused = try await harness.send(
        .post, path, theirs.with(fields(account: house.ann.id, patient: house.child)),
        json: Self.taken)
      try refused.expectProblem(.conflict, "wrong-account")
      let doses = "/api/v1/doses?patient=\(house.child)&\(Person.today)"
      let before = try await harness.send(.get, doses, ann).json()["doses"]?[0]
      #expect(before?["state"] == "scheduled" && before?["answer"] == nil)
      let other = try await harness.send(
        .post, path, ann.with(fields(account: house.ann.id, patient: house.ann.patient)),
        json: Self.taken)
      try other.expectProblem(.conflict, "wrong-person")
      let sent = try await harness.send(
        .post, path, ann.with(fields(account: house.ann.id, patient: house.child)),
        json: Self.taken)
      #expect(sent.status == .ok, "\(sent.text)")
      #expect(try sent.json()["answer"]?["by"] == "Ann")
    }
  }

  @Test func `an inaccessible dose looks like a missing one`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let dose = try await house.dose(of: house.child, medicine: "Testolol").dose
      let token = try await harness.token(of: bob)
      for headers in [token, token.with(fields(account: bob.id, patient: bob.patient))] {
        let refused = try await harness.send(
          .post, "/api/v1/doses/\(dose)/answers", headers, json: Self.taken)
        try refused.expectProblem(.notFound, "not-found")
      }
    }
  }

  @Test func `a browser session is checked the same way`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let dose = try await house.dose(of: house.child, medicine: "Testolol").dose
      let headers = house.browser.headers.with([.secFetchSite: "same-origin"])
      for (account, status) in [("somebody", 409), (house.ann.id, 200)] {
        let answer = try await harness.send(
          .post, "/api/v1/doses/\(dose)/answers", headers.with(fields(account: account)),
          json: Self.taken)
        #expect(answer.status.code == status, "\(answer.text)")
      }
    }
  }

  @Test func `messages and alarm answers name their patient`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let ann = try await harness.token(of: ward.ann)
      let text: JSONValue = ["text": "From the tunnel"]
      for (fields, code) in [
        (fields(account: ward.dora.id), "wrong-account"),
        (fields(account: ward.ann.id, patient: ward.dora.patient), "wrong-person"),
      ] {
        let message = try await harness.send(
          .post, ward.messagesPath, ann.with(fields), json: text)
        try message.expectProblem(.conflict, code)
        let alarm = try await harness.send(
          .post, "/api/v1/alarms/occasions/none/answers", ann.with(fields),
          json: ["action": "done"])
        try alarm.expectProblem(.conflict, code)
      }
      #expect(try await ward.messages(ward.ann).isEmpty)
      let sent = try await harness.send(
        .post, ward.messagesPath,
        ann.with(fields(account: ward.ann.id, patient: ward.ann.patient)), json: text)
      #expect(sent.status == .created, "\(sent.text)")
    }
  }

  @Test func `reading needs no patient name`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.get(
        "/api/v1/doses?\(Person.today)", fields(account: ann.account.id, patient: "somebody"))
      #expect(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `a queue learns which session is signed in`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let browser = try await harness.session(of: ann)
      let began = harness.clock.now.milliseconds
      harness.clock.advance(minutes: 3)
      let clock = try await browser.open("/device/clock").json()
      #expect(clock["account"]?.string == ann.id.text)
      #expect(clock["since"]?.number?.integer == Int(began))
      #expect(clock["now"]?.number?.integer == Int(began + 180_000))
    }
  }

  @Test func `signing out keeps queued requests and clears the rest`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let out = try await browser.post("/sign-out", [:])
      // "storage" would remove the entries of everyone who uses this device.
      #expect(out.headers[.clearSiteData] == "\"cache\"")
      let address = try #require(out.headers[.location])
      let told = try #require(
        out.headers[values: .setCookie].first { $0.hasPrefix("regimen-signed-out=") })
      let next = try await harness.send(
        .get, address, [.cookie: String(told.prefix { $0 != ";" })])
      #expect(next.text.contains(" data-signed-out"))
      // It is sent once.
      let spent = try #require(next.headers[values: .setCookie].first)
      #expect(spent.hasPrefix("regimen-signed-out=; Path=/; Max-Age=0;"))
      // A link clears nothing.
      for link in ["/sign-in", "/sign-in?signed-out=yes"] {
        let page = try await harness.send(.get, link)
        #expect(!page.text.contains(" data-signed-out"))
        #expect(page.headers[.setCookie] == nil)
      }
    }
  }

  @Test func `every page but a ringing one can show queued requests`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      for address in ["/", "/medicines", "/chat"] {
        #expect(
          try await browser.open(address).text.contains("id=\"waiting\" hidden"), "\(address)")
      }
      #expect(try await harness.send(.get, "/sign-in").text.contains("id=\"waiting\" hidden"))
      let ringing = try await browser.open("/ring")
      #expect(!ringing.text.contains("id=\"waiting\""))
    }
  }
}

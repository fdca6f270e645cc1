// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import TestSupport
import Testing

@testable import Web

/// The page that opens first, and the person whose pages it shows.
@Suite struct HomePageTests {
  private func grant(
    _ relationship: Relationship, of owner: Account, to account: Account, _ harness: ServerHarness
  ) async throws {
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    try await harness.environment.database.write { writer in
      try accounts.grant(relationship, of: owner.patient, to: account.id, from: now, in: writer)
    }
    harness.environment.sessions.forget()
  }

  private func choices(_ answer: TestResponse) -> [String] {
    answer.headers[values: .setCookie].filter { $0.hasPrefix("\(PersonChoice.cookie)=") }
  }

  @Test func `a practitioner starts with the patient list`() async throws {
    try await ServerHarness.run { harness in
      let doctor = try await AccountSecurityHouse(harness, "Dora")
      #expect(try await doctor.signIn().headers[.location] == "/")
      try await grant(.practitioner, of: harness.makeAccount("Ann"), to: doctor.account, harness)
      for next in [nil, "/"] {
        let answer = try await doctor.signIn(next: next)
        #expect(answer.headers[.location] == "/care" && choices(answer).isEmpty)
      }
      #expect(try await doctor.signIn(next: "/medicines").headers[.location] == "/medicines")
      // The app's icon and a typed address open the patients, a link in the app the account's own
      // Today.
      var headers = doctor.browser.headers
      headers[.secFetchSite] = "none"
      let started = try await harness.send(.get, "/", headers)
      #expect(started.headers[.location] == "/care")
      #expect(try await harness.send(.get, "/?view=everything", headers).status == .ok)
      #expect(try await doctor.browser.open("/").status == .ok)
      let today = try await doctor.browser.open("/").text
      #expect(today.contains("class=\"wordmark\" href=\"/care\""))
    }
  }

  @Test func `others start with Today, however they arrive`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await AccountSecurityHouse(harness)
      var headers = ann.browser.headers
      headers[.secFetchSite] = "none"
      #expect(try await harness.send(.get, "/", headers).status == .ok)
      let answer = try await ann.signIn()
      #expect(answer.headers[.location] == "/" && choices(answer).isEmpty)
    }
  }

  @Test func `a relative without medicines starts with the person who shares data`() async throws {
    try await ServerHarness.run { harness in
      let bob = try await AccountSecurityHouse(harness, "Bob")
      let ann = try await harness.makeAccount("Ann")
      try await grant(.family, of: ann, to: bob.account, harness)
      let answer = try await bob.signIn()
      #expect(answer.headers[.location] == "/")
      #expect(choices(answer).first?.contains(ann.patient.text) == true)
      // With medicines of their own, they start with those.
      let created = try await harness.send(
        .post, "/fhir/MedicationRequest", harness.token(of: bob.account),
        json: MatrixPlan.resource(of: bob.account, id: nil))
      #expect(created.status == .created)
      #expect(try await choices(bob.signIn()).isEmpty)
    }
  }

  @Test func `with several people none is preselected`() async throws {
    try await ServerHarness.run { harness in
      let bob = try await AccountSecurityHouse(harness, "Bob")
      for name in ["Ann", "Eve"] {
        try await grant(.family, of: harness.makeAccount(name), to: bob.account, harness)
      }
      #expect(try await choices(bob.signIn()).isEmpty)
    }
  }

  @Test func `a chat or a new child doesn't change whose pages are shown`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let gina = try await harness.makeAccount("Gina")
      try await ward.grant(.guardian, to: gina)
      let browser = try await harness.session(of: gina)
      for address in ["/chat", ward.address, "/people/new", "/people", "/children", "/join"] {
        let page = try await browser.open(address)
        #expect(page.status == .ok && choices(page).isEmpty, "\(address)")
      }
      let added = try await browser.post(
        "/people/new", ["given-name": "Mali", "birth-date": "2022-05-01", "label": "initial"])
      #expect(added.status == .seeOther && choices(added).isEmpty, "\(added.text)")
      let today = try await browser.open("/").text
      #expect(today.contains("<span class=\"person-name\">Gina</span>"))
    }
  }
}

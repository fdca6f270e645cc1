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

@testable import AccountPages
@testable import Web

/// Accounts that are created in the browser.
@Suite struct SignUpTests {
  private static let password = "seven purple trains"

  private func fields(
    code: String = "", _ changes: [String: String] = [:]
  ) -> [(String, String)] {
    let typed = [
      ("code", code), ("name", "Bob"), ("email", "bob@example.org"), ("password", Self.password),
    ]
    return typed.map { ($0.0, changes[$0.0] ?? $0.1) }
  }

  private func accounts(_ harness: ServerHarness) async throws -> Int {
    try await harness.environment.database.read { reader in
      try reader.query("SELECT account FROM accounts", []).count
    }
  }

  @Test func `an invited person creates an account, accepts and waits`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let own = house.chosen(house.ann.patient)
      let invitation = try await house.invite(
        .family, categories: [.medicines], of: house.ann.patient)
      // The link of the invitation leads a stranger here.
      let link = try await harness.send(.get, "/join/\(invitation.code)")
      #expect(link.headers[.location] == "/sign-in?next=/join/\(invitation.code)")
      let asked = try await harness.send(.get, "/sign-in?next=/join/\(invitation.code)")
      let page = try #require(asked.headers[.location])
      #expect(page == "/sign-up?code=\(invitation.code)")
      let form = try await harness.send(.get, page)
      #expect(form.status == .ok && form.text.contains("Ann invites you"))
      let known = "/sign-in?account=yes&amp;next=/join/\(invitation.code)"
      #expect(form.text.contains("href=\"\(known)\""))
      let signIn = try await harness.send(.get, known.replacing("&amp;", with: "&"))
      #expect(signIn.status == .ok)

      let made = try await harness.submit("/sign-up", fields(code: invitation.code))
      #expect(made.status == .seeOther, "\(made.text)")
      #expect(made.headers[.setCookie] == nil)
      let next = try #require(made.headers[.location])
      let done = try await harness.send(.get, next)
      #expect(done.text.contains("If you already had an account with this address"))
      let start = try done.hidden("next")
      let session = try await harness.submit(
        "/sign-in",
        [("email", "bob@example.org"), ("password", Self.password), ("next", start)])
      #expect(session.headers[.location] == "/start?code=\(invitation.code)")
      let cookie = try session.cookie()
      let settings = try await harness.send(.get, start, [.cookie: cookie])
      #expect(settings.text.contains("name=\"joined\" value=\"yes\""))
      // The code is used up, and the owner is told.
      let late = try await harness.send(.get, page)
      #expect(late.status == .unprocessableContent && late.text.contains("already been used"))
      #expect(try await own.open("/").text.contains("Bob accepted your invitation"))
      let offer = try await own.open(invitation.address).text
      #expect(offer.contains("bob@example.org") && offer.contains("We haven’t checked that"))
      let me = try await harness.send(.get, "/api/v1/me", [.cookie: cookie]).json()
      #expect(me["account"]?["administrator"] == false)
      #expect(me["patients"]?.array?.count == 1, "nothing is shared before it is confirmed")
    }
  }

  @Test func `an address with an account gets the same response, unchanged`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await AccountSecurityHouse(harness, "Bob")
      let code = try await house.invite(.family, categories: [.medicines]).code
      let before = try await accounts(harness)
      let taken = try await harness.submit("/sign-up", fields(code: code))
      #expect(try await accounts(harness) == before)
      let signedIn = try await bob.signIn()
      #expect(signedIn.status == .seeOther, "the old password still opens the account")
      let wrong = try await bob.signIn(Self.password)
      #expect(wrong.status == .unprocessableContent)
      #expect(try await harness.send(.get, "/sign-up?code=\(code)").status == .ok)
      let free = try await harness.submit(
        "/sign-up", fields(code: code, ["email": "new@example.org"]))
      #expect(try await accounts(harness) == before + 1)
      #expect(taken.status == free.status && taken.text == free.text)
      #expect(taken.headers[.location] == free.headers[.location])
      #expect(taken.headers[.setCookie] == nil && free.headers[.setCookie] == nil)
    }
  }

  @Test func `someone with an account continues to the invitation`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.session(of: harness.makeAccount("Bob"))
      let code = try await house.invite(.family, categories: [.medicines]).code
      #expect(try await bob.open("/sign-up?code=\(code)").headers[.location] == "/join/\(code)")
      #expect(try await bob.open("/start?code=\(code)").headers[.location] == "/join/\(code)")
      _ = try await bob.post("/join/\(code)", ["action": "accept"])
      #expect(try await bob.open("/join/\(code)").headers[.location] == "/people")
    }
  }

  @Test func `an invalid invitation says why in one sentence`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let withdrawn = try await house.invite(.family, categories: [.medicines])
      _ = try await house.chosen(house.child).post(withdrawn.address, ["action": "withdraw"])
      let asked = try await house.invite(.practitioner, categories: [.medicines])
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grant_invitations SET asked = $1 WHERE state = 'open'",
          [.text(house.ann.id)])
      }
      let expired = try await house.invite(.family, categories: [.medicines])
      harness.clock.advance(minutes: 7 * 24 * 60)
      for (code, sentence) in [
        (withdrawn.code, "This invitation was withdrawn."),
        (asked.code, "This invitation is for someone else."),
        (expired.code, "This invitation has expired."),
        ("K7QM-2XPA-9RTD", "This code doesn’t work."), ("nonsense", "This code doesn’t work."),
      ] {
        let page = try await harness.send(.get, "/sign-up?code=\(code)")
        #expect(page.status == .unprocessableContent)
        #expect(page.text.contains(sentence), "\(sentence)")
        let posted = try await harness.submit("/sign-up", fields(code: code))
        #expect(posted.status == .unprocessableContent && posted.text.contains(sentence))
      }
      #expect(try await accounts(harness) == 1)
    }
  }

  @Test func `without an invitation no one gets an account`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Ann")
      let page = try await harness.send(.get, "/sign-up")
      #expect(page.status == .ok && page.text.contains("Do you have an invitation?"))
      let posted = try await harness.submit("/sign-up", fields())
      #expect(posted.text.contains("Do you have an invitation?"))
      #expect(try await accounts(harness) == 1)
      #expect(try await harness.send(.get, "/sign-in").text.contains("href=\"/sign-up\""))
    }
  }

  @Test func `an open server accepts everyone`() async throws {
    try await ServerHarness.run(signUp: .open) { harness in
      _ = try await harness.makeAccount("Ann")
      #expect(try await harness.send(.get, "/sign-up").text.contains("name=\"password\""))
      let made = try await harness.submit("/sign-up", fields())
      #expect(made.headers[.location] == "/sign-in?done=signed-up&next=/start")
      let signedIn = try await harness.submit(
        "/sign-in", [("email", "bob@example.org"), ("password", Self.password)])
      #expect(signedIn.status == .seeOther)
    }
  }

  @Test func `a closed server says whom to ask`() async throws {
    try await ServerHarness.run(signUp: .closed) { harness in
      let house = try await Household.make(harness)
      let code = try await house.invite(.family, categories: [.medicines]).code
      for address in ["/sign-up", "/sign-up?code=\(code)"] {
        let page = try await harness.send(.get, address)
        #expect(page.status == .forbidden)
        #expect(page.text.contains("Ask the person who runs this server"))
      }
      #expect(try await harness.submit("/sign-up", fields(code: code)).status == .forbidden)
      #expect(try await accounts(harness) == 1)
      let signIn = try await harness.send(.get, "/sign-in?next=/join/\(code)")
      #expect(signIn.status == .ok && !signIn.text.contains("href=\"/sign-up\""))
    }
  }

  @Test func `a new server opens the setup page instead`() async throws {
    try await ServerHarness.run(signUp: .open) { harness in
      #expect(try await harness.send(.get, "/sign-up").headers[.location] == "/welcome")
      let posted = try await harness.submit("/sign-up", fields())
      #expect(posted.headers[.location] == "/welcome")
      #expect(try await accounts(harness) == 0)
    }
  }

  @Test(arguments: [
    ("name", ""), ("name", String(repeating: "n", count: 101)), ("email", ""),
    ("email", "nonsense"), ("password", ""), ("password", "short"),
    ("password", "bob@example.org"), ("password", "aaaaaaaaaaaaaaaa"),
  ])
  func `an error is shown at its field and keeps the input`(
    field: String, value: String
  ) async throws {
    try await ServerHarness.run(signUp: .open) { harness in
      _ = try await harness.makeAccount("Ann")
      let answer = try await harness.submit("/sign-up", fields([field: value]))
      #expect(answer.status == .unprocessableContent)
      #expect(answer.text.contains("href=\"#field-\(field)\""))
      if field != "email" { #expect(answer.text.contains("value=\"bob@example.org\"")) }
      if field != "name" { #expect(answer.text.contains("value=\"Bob\"")) }
      #expect(!answer.text.contains(Self.password))
      #expect(try await accounts(harness) == 1)
    }
  }

  @Test func `a missing passkey is refused, and no other account is touched`() async throws {
    try await ServerHarness.run(signUp: .open) { harness in
      let ann = try await harness.makeAccount("Ann")
      let page = try await harness.send(.get, "/sign-up?way=passkey")
      #expect(page.text.contains("data-passkey=\"create\"") && page.text.contains("<noscript>"))
      for account in ["", ann.id.text, try page.hidden("account")] {
        for data in ["", "bm9uZQ"] {
          let answer = try await harness.submit(
            "/sign-up",
            [
              ("way", "passkey"), ("account", account), ("name", "Bob"),
              ("email", "bob@example.org"), ("client-data", data), ("attestation", data),
            ])
          #expect(answer.status == .unprocessableContent)
          #expect(answer.text.contains("data-passkey=\"create\""))
        }
      }
      #expect(try await accounts(harness) == 1)
    }
  }

  @Test(
    arguments: [
      (500, 0, 500), (500, 3, 497), (500, 499, 1), (500, 500, 500), (500, 1234, 266), (0, 7, 0),
    ] as [(UInt64, UInt64, UInt64)])
  func `a response waits until its time step ends`(step: UInt64, elapsed: UInt64, rest: UInt64) {
    let pace = SignUpPace(milliseconds: step)
    #expect(pace.rest(after: elapsed * 1_000_000) == rest * 1_000_000)
  }

  @Test func `one invitation allows only a few addresses`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let code = try await house.invite(.family, categories: [.medicines]).code
      let taken = fields(code: code, ["email": "ann@example.org"])
      for _ in 0..<5 {
        #expect(try await harness.submit("/sign-up", taken).status == .seeOther)
      }
      let slowed = try await harness.submit("/sign-up", taken)
      #expect(slowed.status == .tooManyRequests)
      #expect(slowed.headers[.retryAfter] == "1")
      // A free address is slowed down as well: the answer reveals nothing.
      let free = try await harness.submit("/sign-up", fields(code: code))
      #expect(free.status == .tooManyRequests)
      harness.clock.advance(minutes: 1)
      #expect(try await harness.submit("/sign-up", fields(code: code)).status == .seeOther)
    }
  }
}

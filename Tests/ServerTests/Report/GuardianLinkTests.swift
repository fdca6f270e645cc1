// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import ReportPages
@testable import Web

/// Links that a guardian created to a patient's data.
@Suite struct GuardianLinkTests {
  /// A kind of link: the form that creates it, and its address on the page that answers.
  enum Kind: CaseIterable {
    case report, glance

    func make(_ browser: Browser) async throws -> String {
      switch self {
      case .report:
        let made = try await browser.post("/report/links", ["ends": "30", "days": "7"])
        return String(
          try #require(made.text.firstMatch(of: /\/shared-report\/rgv_[\w-]+/)?.output))
      case .glance:
        let made = try await browser.post(GlanceRoutes.makePath, [:])
        return String(try #require(made.text.firstMatch(of: /\/glance\/rgg_[\w-]+/)?.output))
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `an ended link stays dead when the guardian returns`(kind: Kind) async throws {
    try await ServerHarness.run { harness in
      let (ann, bob) = (try await Person.make(harness), try await Person.make(harness, "Bob"))
      let (accounts, patient, guardian) = (
        harness.environment.accounts, ann.account.patient, bob.account.id
      )
      let owner = Actor(
        accountID: ann.account.id, kind: .session, relationships: [patient: .self_],
        scope: .session)
      func step(_ body: @escaping @Sendable (Timestamp, any SQLWriter) throws -> Void) async throws
      {
        harness.clock.advance(minutes: 1)
        let now = harness.clock.now
        try await harness.environment.database.write { try body(now, $0) }
        harness.environment.sessions.forget()
      }
      func appoint() async throws {
        try await step { now, writer in
          try accounts.grant(
            .guardian, of: patient, to: guardian, from: now, by: owner.accountID, in: writer)
        }
      }
      try await appoint()
      var browser = try await harness.session(of: bob.account)
      browser.person = patient
      let link = try await kind.make(browser)
      let opened = try await harness.send(.get, link)
      #expect(opened.status == .ok, "\(opened.text)")
      try await step { now, writer in
        try accounts.endGrant(
          .guardian, of: patient, to: guardian, by: owner, at: now, in: writer)
      }
      let ended = try await harness.send(.get, link)
      #expect(ended.status == .notFound)
      try await appoint()
      let former = try await harness.send(.get, link)
      #expect(former.status == .notFound, "made under the grant that has ended")
      harness.clock.advance(minutes: 1)
      let next = try await kind.make(browser)
      let shown = try await harness.send(.get, next)
      #expect(shown.status == .ok, "\(shown.text)")
    }
  }
}

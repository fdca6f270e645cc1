// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

/// The state of an invitation, as shown to someone with its code.
@Suite struct InvitationStandingTests {
  private func standing(
    of code: InvitationCode, _ house: GrantTests.House, after milliseconds: Int64 = 0
  ) async throws -> InvitationStanding {
    let (store, now) = (house.store, house.now.adding(milliseconds: milliseconds))
    return try await house.fixtures.database.read { reader in
      try store.standing(of: code, at: now, in: reader)
    }
  }

  private static let offer = GrantInvitation.Offer(.family, categories: [.medicines])

  @Test func `an open invitation is used by one account, or expires`() async throws {
    let house = try await GrantTests.House()
    let code = try await house.invite(Self.offer, of: "child", by: "ann")
    guard case .open(let found) = try await standing(of: code, house) else {
      Issue.record("it is open")
      return
    }
    #expect(found.patient == "child" && found.code == code.text)
    let expired = try await standing(of: code, house, after: GrantInvitation.lifetime)
    #expect(expired == .expired)
    try await house.accept(code, by: "bob")
    let used = try await standing(of: code, house)
    #expect(used == .used(by: "bob"))
    try await house.confirm(of: "child", by: "ann")
    let late = try await standing(of: code, house, after: 2 * GrantInvitation.lifetime)
    #expect(late == .used(by: "bob"))
  }

  @Test func `declined, withdrawn, reserved and unknown invitations differ`() async throws {
    let house = try await GrantTests.House()
    let (store, now) = (house.store, house.now)
    let declined = try await house.invite(Self.offer, of: "child", by: "ann", id: "declined")
    let withdrawn = try await house.invite(Self.offer, of: "child", by: "ann", id: "withdrawn")
    let reserved = try await house.invite(Self.offer, of: "child", by: "ann", id: "reserved")
    let (ann, bob) = (try await house.actor("ann"), try await house.actor("bob"))
    try await house.fixtures.database.write { writer in
      try store.decline(invitation: declined, by: bob, at: now, in: writer)
      try store.withdraw(invitation: "withdrawn", of: "child", by: ann, at: now, in: writer)
      try GrantInvitationStore.set(asked: "eve", of: "reserved", patient: "child", in: writer)
    }
    for (code, expected) in [
      (declined, InvitationStanding.used(by: nil)), (withdrawn, .withdrawn),
      (reserved, .forSomeoneElse), (InvitationCode(random: house.fixtures.random), .unknown),
    ] {
      let found = try await standing(of: code, house)
      #expect(found == expected)
    }
  }

  @Test func `an account finds the acceptances of everyone it represents`() async throws {
    let house = try await GrantTests.House()
    let (store, now) = (house.store, house.now)
    let child = try await house.invite(Self.offer, of: "child", by: "ann", id: "for-child")
    let own = try await house.invite(Self.offer, of: "p-ann", by: "ann", id: "for-ann")
    _ = try await house.invite(Self.offer, of: "p-ann", by: "ann", id: "open")
    try await house.accept(child, by: "bob")
    try await house.accept(own, by: "eve")
    func found(_ account: AccountID, at moment: Timestamp) async throws -> Set<InvitationID> {
      try await house.fixtures.database.read { reader in
        Set(
          try store.acceptedInvitations(confirmedBy: account, at: moment, in: reader).map(\.id))
      }
    }
    let anns = try await found("ann", at: now)
    #expect(anns == ["for-child", "for-ann"])
    let bobs = try await found("bob", at: now)
    #expect(bobs.isEmpty)
    let later = try await found("ann", at: now.adding(milliseconds: GrantInvitation.lifetime))
    #expect(later.isEmpty)
  }
}

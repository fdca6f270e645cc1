// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

/// Relationships and how they begin and end.
@Suite struct GrantTests {
  /// Three accounts with a patient each, and Ann's child.
  struct House {
    let fixtures: AccountFixtures
    let store: AccountStore
    var now: Timestamp

    init() async throws {
      fixtures = try await AccountFixtures()
      store = fixtures.store
      now = fixtures.now
      for name in ["ann", "bob", "eve"] {
        _ = try await fixtures.makeAccount("\(name)@example.org", id: name, patient: "p-\(name)")
      }
      let (store, now) = (store, now)
      try await fixtures.database.write { writer in
        try writer.addPerson("child")
        try store.grant(.guardian, of: "child", to: "ann", from: now, by: "ann", in: writer)
      }
    }

    func rights(_ account: AccountID) async throws -> [PatientID: PatientRight] {
      let (store, now) = (store, now)
      return try await fixtures.database.read { try store.rights(of: account, at: now, in: $0) }
    }

    func actor(_ account: AccountID) async throws -> Actor {
      Actor(
        accountID: account, kind: .session, rights: try await rights(account), scope: .session)
    }

    @discardableResult
    func invite(
      _ offer: GrantInvitation.Offer, of patient: PatientID, by account: AccountID,
      id: InvitationID = "invitation"
    ) async throws -> InvitationCode {
      let code = InvitationCode(random: fixtures.random)
      let (store, now, actor) = (store, now, try await actor(account))
      try await fixtures.database.write { writer in
        try store.invite(offer, of: patient, id: id, code: code, by: actor, at: now, in: writer)
      }
      return code
    }

    func accept(_ code: InvitationCode, by account: AccountID) async throws {
      let (store, now, actor) = (store, now, try await actor(account))
      try await fixtures.database.write { writer in
        try store.accept(invitation: code, by: actor, at: now, in: writer)
      }
    }

    func confirm(
      of patient: PatientID, by account: AccountID, id: InvitationID = "invitation"
    ) async throws {
      let (store, now, actor) = (store, now, try await actor(account))
      try await fixtures.database.write { writer in
        try store.confirm(invitation: id, of: patient, by: actor, at: now, in: writer)
      }
    }

    func end(
      _ relationship: Relationship, of patient: PatientID, to account: AccountID, by other: String
    ) async throws {
      let (store, now, actor) = (store, now, try await actor(AccountID(other)))
      try await fixtures.database.write { writer in
        try store.endGrant(
          relationship, of: patient, to: account, by: actor, at: now, in: writer)
      }
    }
  }

  private static let some = GrantInvitation.Offer(.family, categories: [.medicines])

  @Test func `a grant's holder is found with name and access level until it ends`() async throws {
    var house = try await House()
    func holder(_ account: AccountID, of patient: PatientID) async throws -> GrantHolder? {
      let (store, now) = (house.store, house.now)
      return try await house.fixtures.database.read {
        try store.holder(account, of: patient, at: now, in: $0)
      }
    }
    let account = try await house.fixtures.database.read { [store = house.store] in
      try store.account("ann", in: $0)
    }
    let found = try #require(try await holder("ann", of: "child"))
    #expect(found.account == "ann" && found.displayName == account?.displayName)
    #expect(try await found.right == house.rights("ann")["child"])
    #expect(try await holder("ann", of: "p-ann")?.right.relationship == .self_)
    #expect(try await holder("bob", of: "child") == nil)
    house.now = house.now.adding(milliseconds: -1)
    #expect(try await holder("ann", of: "child") == nil)
  }

  @Test func `nothing is shared until both sides agree`() async throws {
    let house = try await House()
    let code = try await house.invite(Self.some, of: "child", by: "ann")
    #expect(try await house.rights("bob").keys.sorted() == ["p-bob"])
    try await house.accept(code, by: "bob")
    #expect(try await house.rights("bob")["child"] == nil)
    try await house.confirm(of: "child", by: "ann")
    #expect(
      try await house.rights("bob")["child"] == PatientRight(.family, categories: [.medicines]))
    // A used code is invalid for everyone.
    await #expect(throws: GrantError.codeRefused) { try await house.accept(code, by: "eve") }
    await #expect(throws: GrantError.notFound) { try await house.confirm(of: "child", by: "ann") }
    try await house.end(.family, of: "child", to: "bob", by: "ann")
    #expect(try await house.rights("bob")["child"] == nil)
  }

  @Test func `codes are valid for a week, for other people, in any spelling`() async throws {
    var house = try await House()
    let code = try await house.invite(Self.some, of: "p-ann", by: "ann")
    #expect(code.text.count == 14)
    #expect(InvitationCode(typed: " \(code.text.lowercased()) ") == code)
    #expect(InvitationCode(typed: "K7QM-2XPA") == nil && InvitationCode(typed: "") == nil)
    await #expect(throws: GrantError.oneself) { try await house.accept(code, by: "ann") }
    await #expect(throws: GrantError.codeRefused) {
      try await house.accept(InvitationCode(random: house.fixtures.random), by: "bob")
    }
    house.now = house.now.adding(milliseconds: GrantInvitation.lifetime)
    await #expect(throws: GrantError.codeRefused) { try await house.accept(code, by: "bob") }
  }

  @Test func `only a patient's representatives invite, confirm and remove people`() async throws {
    let house = try await House()
    await #expect(throws: GrantError.notFound) {
      try await house.invite(Self.some, of: "child", by: "bob")
    }
    let code = try await house.invite(Self.some, of: "child", by: "ann")
    try await house.accept(code, by: "bob")
    await #expect(throws: GrantError.notFound) { try await house.confirm(of: "child", by: "bob") }
    await #expect(throws: GrantError.notFound) { try await house.confirm(of: "child", by: "eve") }
    try await house.confirm(of: "child", by: "ann")
    // Family members cannot invite.
    await #expect(throws: GrantError.notFound) {
      try await house.invite(Self.some, of: "child", by: "bob", id: "second")
    }
    await #expect(throws: GrantError.notFound) {
      try await house.end(.guardian, of: "child", to: "ann", by: "bob")
    }
    try await house.end(.family, of: "child", to: "bob", by: "bob")
    #expect(try await house.rights("bob")["child"] == nil)
  }

  @Test func `invalid offers are refused`() async throws {
    let house = try await House()
    let refused: [(GrantInvitation.Offer, PatientID, GrantError)] = [
      (.init(.family, categories: []), "child", .nothingShared),
      (.init(.self_, categories: [.stock]), "child", .notAllowed),
      (.init(.family, categories: [.stock], ends: house.now), "child", .endsInThePast),
      (
        .init(.guardian, categories: [], ends: house.now.adding(milliseconds: 9)), "child",
        .notAllowed
      ),
      // A person's own patient cannot be handed over.
      (.init(.guardian, categories: [], handsOver: true), "p-ann", .notAllowed),
    ]
    for (offer, patient, error) in refused {
      await #expect(throws: error) { try await house.invite(offer, of: patient, by: "ann") }
    }
    for number in 0..<GrantInvitation.maximumWaiting {
      try await house.invite(Self.some, of: "child", by: "ann", id: "i\(number)")
    }
    await #expect(
      throws: GrantError.tooManyInvitations(maximum: GrantInvitation.maximumWaiting)
    ) { try await house.invite(Self.some, of: "child", by: "ann", id: "more") }
  }

  @Test func `guardians can't be each other's guardians, even indirectly`() async throws {
    let house = try await House()
    func connect(_ account: AccountID, guards owner: AccountID, id: InvitationID) async throws {
      let code = try await house.invite(
        .init(.guardian, categories: []), of: "p-\(owner)", by: owner, id: id)
      try await house.accept(code, by: account)
      try await house.confirm(of: "p-\(owner)", by: owner, id: id)
    }
    try await connect("bob", guards: "ann", id: "one")
    try await connect("eve", guards: "bob", id: "two")
    // Ann as guardian of Eve would be circular.
    await #expect(throws: GrantError.circular) {
      try await connect("ann", guards: "eve", id: "three")
    }
    // Family members may see each other.
    let code = try await house.invite(Self.some, of: "p-eve", by: "eve", id: "four")
    try await house.accept(code, by: "ann")
    try await house.confirm(of: "p-eve", by: "eve", id: "four")
    #expect(try await house.rights("ann")["p-eve"]?.relationship == .family)
  }

  @Test func `a patient keeps a guardian, and guardians can't remove each other`() async throws {
    let house = try await House()
    await #expect(throws: GrantError.lastGuardian) {
      try await house.end(.guardian, of: "child", to: "ann", by: "ann")
    }
    await #expect(throws: GrantError.notAllowed) {
      try await house.end(.self_, of: "p-ann", to: "ann", by: "ann")
    }
    let code = try await house.invite(
      .init(.guardian, categories: []), of: "child", by: "ann")
    try await house.accept(code, by: "bob")
    try await house.confirm(of: "child", by: "ann")
    await #expect(throws: GrantError.notAllowed) {
      try await house.end(.guardian, of: "child", to: "bob", by: "ann")
    }
    try await house.end(.guardian, of: "child", to: "ann", by: "ann")
    #expect(try await house.rights("ann")["child"] == nil)
    #expect(try await house.rights("bob")["child"]?.relationship == .guardian)
    await #expect(throws: GrantError.lastGuardian) {
      try await house.end(.guardian, of: "child", to: "bob", by: "bob")
    }
  }

  @Test func `a handover replaces the old guardian in one step`() async throws {
    let house = try await House()
    let code = try await house.invite(
      .init(.guardian, categories: [], handsOver: true), of: "child", by: "ann")
    let other = try await house.invite(Self.some, of: "child", by: "ann", id: "other")
    try await house.accept(code, by: "bob")
    #expect(try await house.rights("ann")["child"]?.relationship == .guardian)
    try await house.confirm(of: "child", by: "ann")
    #expect(try await house.rights("ann")["child"] == nil)
    #expect(try await house.rights("bob")["child"]?.relationship == .guardian)
    // The old guardian's offers are withdrawn with their right to make them.
    await #expect(throws: GrantError.codeRefused) { try await house.accept(other, by: "eve") }
  }

  @Test func `erasing an account removes its pending acceptances`() async throws {
    let house = try await House()
    let code = try await house.invite(Self.some, of: "child", by: "ann")
    let other = try await house.invite(Self.some, of: "p-ann", by: "ann", id: "other")
    try await house.invite(Self.some, of: "child", by: "ann", id: "open")
    try await house.accept(code, by: "bob")
    try await house.accept(other, by: "eve")
    let (store, now) = (house.store, house.now)
    try await house.fixtures.database.write { writer in
      try store.erase("bob", at: now, by: "bob", in: writer)
    }
    let waiting = try await house.fixtures.database.read { reader in
      try ["child", "p-ann"].flatMap { patient in
        try store.invitations(of: PatientID(patient), at: now, in: reader)
      }
    }
    #expect(waiting.map(\.id) == ["open", "other"] && waiting.map(\.state) == [.open, .accepted])
    await #expect(throws: GrantError.notFound) { try await house.confirm(of: "child", by: "ann") }
  }

  @Test func `changes to sharing apply at once, and sharing ends on its end date`() async throws {
    var house = try await House()
    let ends = house.now.adding(milliseconds: 3_600_000)
    let code = try await house.invite(
      .init(.practitioner, categories: [.medicines], ends: ends), of: "p-ann", by: "ann")
    try await house.accept(code, by: "bob")
    try await house.confirm(of: "p-ann", by: "ann")
    let (store, now, ann, bob) = (
      house.store, house.now, try await house.actor("ann"), try await house.actor("bob")
    )
    try await house.fixtures.database.write { writer in
      try store.share(
        [.heartRate], of: "p-ann", with: "bob", as: .practitioner, by: ann, at: now, in: writer)
    }
    #expect(try await house.rights("bob")["p-ann"]?.categories == [.heartRate])
    await #expect(throws: GrantError.notFound) {
      try await house.fixtures.database.write { writer in
        try store.share(
          [.stock], of: "p-ann", with: "bob", as: .practitioner, by: bob, at: now, in: writer)
      }
    }
    await #expect(throws: GrantError.nothingShared) {
      try await house.fixtures.database.write { writer in
        try store.share(
          [], of: "p-ann", with: "bob", as: .practitioner, by: ann, at: now, in: writer)
      }
    }
    house.now = ends
    #expect(try await house.rights("bob")["p-ann"] == nil)
  }
}

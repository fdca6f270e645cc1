// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

@Suite("Devices")
struct PushSubscriptionTests {
  @Test func `the same endpoint keeps its id, another account takes it over`() async throws {
    let world = try await ReminderWorld(devices: [])
    let first = try await world.addDevice("phone")
    #expect(try await world.addDevice("phone") == first)
    #expect(try await world.devices().map(\.id) == [first])
    let taken = try await world.addDevice("phone", account: "other")
    #expect(taken != first)
    #expect(try await world.devices().isEmpty)
    let back = try await world.addDevice("phone")
    #expect(back != first && back != taken)
  }

  @Test func `stored data reveals neither the address nor the keys`() async throws {
    let world = try await ReminderWorld(devices: ["phone"])
    let rows = try await world.place.database.read {
      try $0.query("SELECT * FROM push_subscriptions")
    }
    let stored = rows.flatMap { row in (0..<row.count).map { row[$0] } }
    for secret in ["https://push.example/phone", "p-phone", "a-phone"] {
      let bytes = Array(secret.utf8)
      for value in stored {
        if case .text(let text) = value { #expect(!text.contains(secret)) }
        if case .blob(let blob) = value { #expect(!blob.contains(bytes)) }
      }
    }
    try await world.add("08:00")
    let push = try await world.send(at: "08:00").first?.push
    #expect(push?.endpoint == "https://push.example/phone")
    #expect(push?.p256dh == "p-phone" && push?.auth == "a-phone")
  }

  @Test func `a device is removed with its session, by hand or beyond the limit`() async throws {
    let world = try await ReminderWorld(devices: [])
    let now = world.now
    let kept = try await world.addDevice("kept", session: "s1")
    try await world.addDevice("gone", session: "s2")
    try await world.place.database.write { writer in
      try PushSubscriptions.removeOfSession(
        "s2", account: ReminderWorld.account, at: now, in: writer)
    }
    #expect(try await world.devices().map(\.id) == [kept])
    for (account, isRemoved) in [("other", false), (ReminderWorld.account, true)] {
      let removed = try await world.place.database.write { writer in
        try PushSubscriptions.remove(kept, account: account, at: now, in: writer)
      }
      #expect(removed == isRemoved)
    }
    #expect(try await world.devices().isEmpty)
    for index in 0..<25 {
      world.place.clock.advance(milliseconds: 1)
      try await world.addDevice("device-\(index)")
    }
    let left = try await world.devices()
    #expect(left.count == 20 && left.first?.label == "device-24")
  }

  /// The dose is due at 08:00, and deliveries planned then are claimed 90 seconds later.
  @Test(arguments: [("07:00", false), ("08:01", false), ("09:00", true)])
  func `a device gets nothing once the token that added it has expired`(
    end: String, isTold: Bool
  ) async throws {
    let world = try await ReminderWorld(devices: ["phone"])
    let token = try await world.addToken(until: end)
    let added = try await world.addDevice("program", session: token)
    try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    world.place.clock.advance(milliseconds: 90_000)
    let told = Set(try await world.claim().compactMap(\.push?.endpoint))
    let expected = ["https://push.example/phone"] + (isTold ? ["https://push.example/program"] : [])
    #expect(told == Set(expected))
    let left = try await world.devices().map(\.id)
    #expect(left.contains(added) == isTold)
  }

  @Test func `a device is removed with its expired token, others stay`() async throws {
    let world = try await ReminderWorld(devices: ["browser"])
    let (expired, valid) = (
      try await world.addToken(until: "07:00"), try await world.addToken(until: "09:00")
    )
    try await world.addDevice("expired", session: expired)
    try await world.addDevice("valid", session: valid)
    world.set("08:00")
    let now = world.now
    let gone = try await world.place.database.write { writer in
      try PushSubscriptions.removeOfExpiredTokens(at: now, in: writer)
    }
    #expect(gone == 1)
    let left = Set(try await world.devices().compactMap(\.label))
    #expect(left == ["browser", "valid"])
  }

  @Test func `a removed device receives no pending deliveries`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    let (id, now) = (try #require(try await world.devices().first?.id), world.now)
    _ = try await world.place.database.write { writer in
      try PushSubscriptions.remove(id, account: ReminderWorld.account, at: now, in: writer)
    }
    #expect(try await world.claim().isEmpty)
    #expect(try await world.deliveries().map(\.outcome) == [.stale])
  }

  @Test func `a test reaches one device, and a tap confirms it`() async throws {
    let world = try await ReminderWorld(devices: ["one", "two"])
    let context = world.context
    let one = try #require(try await world.devices().first { $0.label == "one" }).id
    let delivery = try await world.place.database.write { writer in
      try ReminderCommands.test(
        one.text, account: ReminderWorld.account, patient: ReminderWorld.ann, context, in: writer)
    }
    let sent = try await world.send()
    #expect(sent.map(\.delivery) == [delivery] && sent.map(\.kind) == [.test])
    #expect(sent.first?.push?.subscription == one.text && sent.first?.content.doses.isEmpty == true)
    await #expect(throws: ReminderError.notFound) {
      _ = try await world.place.database.write { writer in
        try ReminderCommands.test(
          one.text, account: "other", patient: ReminderWorld.ann, context, in: writer)
      }
    }
    let now = world.now
    try await world.place.database.write { writer in
      try ReminderCommands.confirm(one.text, account: ReminderWorld.account, at: now, in: writer)
    }
    #expect(try await world.devices().first { $0.id == one }?.confirmed == now)
    for (days, isConfirmed) in [(6, true), (8, false)] as [(Int64, Bool)] {
      let later = now.adding(milliseconds: days * 86_400_000)
      let has = try await world.place.database.read {
        try PatientSnapshot(
          of: ReminderWorld.ann, now: later, zones: world.place.zones, in: $0
        ).features(seenBy: ReminderWorld.account)?.confirmedDevice
      }
      #expect(has == isConfirmed)
    }
    world.place.clock.advance(minutes: 6)
    #expect(try await world.send().isEmpty)
  }

  @Test func `a secret is created once and kept`() async throws {
    let world = try await ReminderWorld(devices: [])
    let accounts = world.accounts
    let values = try await world.place.database.write { writer in
      try ["first", "second"].map {
        try StoredSecrets.value(
          StoredSecrets.vapidKey, orKeep: $0, accounts: accounts, in: writer)
      }
    }
    #expect(values == ["first", "first"])
  }
}

extension ReminderWorld {
  /// Creates a token of the account that expires at a time of 2 March 2026, and returns its id.
  fileprivate func addToken(until end: String) async throws -> SessionID {
    let (accounts, now) = (accounts, now)
    set(end)
    let expires = self.now
    place.clock.set("2026-03-02T06:00:00+01:00")
    let secret = Secret(text: "rgt_\(end)")
    try await place.database.write { writer in
      try accounts.createToken(
        secret, for: Self.account, scope: .user, expires: expires, at: now, in: writer)
    }
    return SessionID(secret)
  }
}

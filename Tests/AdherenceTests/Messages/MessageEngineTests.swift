// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import Plans
@testable import Reminders

/// A household in which others receive messages about Ann.
struct MessageWorld: Sendable {
  let world: ReminderWorld

  init() async throws {
    world = try await ReminderWorld(mail: false)
  }

  var now: Timestamp { world.now }

  /// Adds a person with a device, with whom data is shared.
  func join(
    _ account: AccountID, _ relationship: Relationship = .family,
    _ categories: Set<DataCategory> = Set(DataCategory.allCases)
  ) async throws {
    try await world.place.addPatient("\(account)-self", zone: "Europe/Berlin")
    try await world.addAccount(account, patient: "\(account)-self")
    try await world.addDevice("\(account)-phone", account: account)
    try await share(account, relationship, categories)
  }

  func share(
    _ account: AccountID, _ relationship: Relationship = .family, _ categories: Set<DataCategory>,
    isEnded: Bool = false
  ) async throws {
    let (accounts, now) = (world.accounts, now)
    try await world.place.database.write { writer in
      try accounts.grant(
        relationship, of: ReminderWorld.ann, to: account, from: now.adding(milliseconds: -1),
        categories: categories, until: isEnded ? now : nil, in: writer)
    }
  }

  func choose(
    _ account: AccountID, _ rules: [MessageRule], place: Int = 0, says: Bool = false,
    mayNudge: Bool = false, agrees: Bool = true
  ) async throws {
    let (accounts, now) = (world.accounts, now)
    var choice = MessageRecipient(account: account, right: nil, place: place, rules: rules)
    choice.says = says
    choice.mayNudge = mayNudge
    let kept = choice
    try await world.place.database.write { writer in
      _ = try MessageCommands.keep(
        kept, of: ReminderWorld.ann, by: ReminderWorld.account, accounts: accounts, at: now,
        in: writer)
      if agrees {
        _ = try MessageCommands.agree(
          to: ReminderWorld.ann, account: account, at: now, in: writer)
      }
    }
  }

  func withdraw(_ account: AccountID) async throws {
    let now = now
    try await world.place.database.write { writer in
      try MessageCommands.withdraw(
        account, of: ReminderWorld.ann, by: ReminderWorld.account, at: now, in: writer)
    }
  }

  /// Checks everyone whose time has come.
  func look() async throws {
    let context = world.context
    try await world.place.database.write { writer in
      for patient in try MessageEngine.waiting(context.now, limit: 100, in: writer) {
        _ = try MessageEngine.look(at: patient, context, in: writer)
      }
    }
  }

  /// Returns the messages that are sent now, by account.
  func send() async throws -> [ClaimedDelivery] {
    try await look()
    return try await world.send().filter { $0.kind == .news }
  }

  func told(_ account: AccountID) async throws -> [CareTeam.CaregiverMessage] {
    try await world.place.database.read { reader in
      try CaregiverMessageRows.told(to: account, limit: 100, in: reader)
    }
  }

  func setDay(_ text: String) { world.place.clock.set("2026-03-\(text):00+01:00") }
}

@Suite("Messages through the engine") struct MessageEngineTests {
  private static let refused = [MessageRule(.refused, .atOnce)]

  @Test func `a refusal is reported at once, in neutral words, once`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", Self.refused)
    let plan = try await home.world.add("08:00", name: "Bisoprolol")
    home.setDay("02T08:05")
    _ = try await home.send()
    #expect(try await home.told("bob").isEmpty)
    let dose = try await home.world.dose(of: plan)
    try await home.world.answer(dose?.id, .refused)
    let sent = try await home.send()
    #expect(sent.map(\.recipient) == ["bob"] && sent.map(\.channel) == [.push])
    let words = try #require(sent.first?.content.words)
    #expect(!"\(words)".contains("Bisoprolol") && !"\(words)".contains("refused"))
    #expect(sent.first?.content.path == "/caregiver-messages")
    #expect(try await home.send().isEmpty)
    let notice = try #require(try await home.told("bob").first)
    #expect(notice.topic == .refused && notice.detail.plan == plan.id && notice.detail.by == "Ann")
    let other = try await home.world.add("09:00", name: "Ramipril")
    home.setDay("02T09:01")
    try await home.world.answer(try await home.world.dose(of: other)?.id, .refused)
    #expect(try await home.send().isEmpty)
    #expect(try await home.told("bob").map(\.more) == [1])
  }

  @Test func `a notification includes the message only if the person chose so`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.join("doctor", .practitioner, [.adherence])
    try await home.choose("bob", Self.refused, says: true)
    try await home.choose("doctor", Self.refused, says: true)
    let plan = try await home.world.add("08:00", name: "Bisoprolol")
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    let bodies = Dictionary(
      uniqueKeysWithValues: try await home.send().map { ($0.recipient, $0.content.words.body) })
    #expect(bodies["bob"]?.contains("Bisoprolol (08:00) was refused") == true)
    // Recipients without shared medicines see none.
    #expect(bodies["doctor"]?.contains("A dose (08:00) was refused") == true)
  }

  @Test func `nothing is sent before the contact agrees, or about earlier events`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", Self.refused, agrees: false)
    let plan = try await home.world.add("08:00")
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    #expect(try await home.send().isEmpty)
    home.setDay("02T08:10")
    let now = home.now
    try await home.world.place.database.write { writer in
      _ = try MessageCommands.agree(
        to: ReminderWorld.ann, account: "bob", at: now, in: writer)
    }
    #expect(try await home.send().isEmpty)
    #expect(try await home.told("bob").isEmpty)
  }

  /// Random events, checks and deliveries; between planning and sending, people change their consent.
  @Test(arguments: UInt64(1)...12)
  func `nothing is sent after consent is withdrawn`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await MessageWorld()
    let accounts: [AccountID] = ["bob", "eve"]
    for account in accounts { try await home.join(account) }
    for hour in 7...20 {
      try await home.world.add("\(hour < 10 ? "0" : "")\(hour):00", name: "M\(hour)")
    }
    var allowed: [AccountID: Set<MessageTopic>] = [:]
    for step in 0..<60 {
      let comment: Comment = "seed \(seed), step \(step)"
      home.world.place.clock.advance(minutes: Int64.random(in: 5...90, using: &random))
      try await home.world.place.extendHorizon()
      if let dose = try await home.world.doses(hours: 10).filter({ $0.state == .due })
        .randomElement(using: &random)
      {
        try await home.world.answer(
          dose.id, [.refused, .taken].randomElement(using: &random) ?? .taken)
      }
      try await home.look()
      try await home.world.round()
      for account in accounts {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          try await home.withdraw(account)
          allowed[account] = []
        case 1:
          try await home.share(account, .family, [.medicines])
          allowed[account] = []
        case 2:
          try await home.share(account, .family, Set(DataCategory.allCases), isEnded: true)
          allowed[account] = []
        case 3:
          let rules = [MessageTopic.refused, .missed, .notRecorded, .morningDone]
            .filter { _ in Bool.random(using: &random) }
          try await home.share(account, .family, Set(DataCategory.allCases))
          try await home.choose(account, rules.map { MessageRule($0, .atOnce) })
          allowed[account] = Set(rules)
        default: break
        }
      }
      let claimed = try await home.world.claim().filter { $0.kind == .news }
      for delivery in claimed {
        let subject = delivery.subject
        let topics = try await home.world.place.database.read { reader in
          try reader.query(
            "SELECT topic FROM caregiver_messages WHERE subject = $1 AND account = $2",
            [.text(subject), .text(delivery.recipient)]
          ).map { try $0.text(0) }
        }
        let may = (allowed[delivery.recipient] ?? []).map(\.rawValue)
        #expect(!Set(topics).isDisjoint(with: may), comment)
      }
      try await home.world.complete(claimed)
    }
  }

  @Test func `one digest a day covers several people, even after restarts`() async throws {
    struct Killed: Error {}
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", [MessageRule(.refused, .digest), MessageRule(.missed, .digest)])
    let plan = try await home.world.add("08:00")
    try await home.world.add("09:00", name: "Ramipril")
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    #expect(try await home.send().isEmpty)
    home.setDay("02T22:00")
    #expect(try await home.send().isEmpty)
    home.setDay("03T07:59")
    #expect(try await home.send().isEmpty)
    home.setDay("03T08:00")
    let context = home.world.context
    // The node dies during its check, and nothing of it remains.
    await #expect(throws: Killed.self) {
      try await home.world.place.database.write { writer in
        _ = try MessageEngine.look(at: ReminderWorld.ann, context, in: writer)
        throw Killed()
      }
    }
    #expect(try await home.told("bob").isEmpty)
    try await home.look()
    // It dies again between planning and sending, and after sending: the same delivery, never another one.
    try await home.world.round()
    let first = try await home.world.claim().filter { $0.kind == .news }
    try await home.world.place.database.write { try ReminderEngine.releaseLeases(in: $0) }
    try await home.look()
    try await home.world.round()
    let second = try await home.world.claim().filter { $0.kind == .news }
    #expect(first.count == 1 && first.map(\.delivery) == second.map(\.delivery))
    try await home.world.complete(second)
    for minute in 1...30 {
      home.setDay("03T08:\(minute < 10 ? "0" : "")\(minute)")
      #expect(try await home.send().isEmpty)
    }
    #expect(Set(try await home.told("bob").map(\.topic)) == [.refused, .missed])
  }

  @Test func `two nodes that look at the same time send one message`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", Self.refused)
    let plan = try await home.world.add("08:00")
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    let context = home.world.context
    let database = home.world.place.database
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await database.write { writer in
            _ = try MessageEngine.look(at: ReminderWorld.ann, context, in: writer)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await home.send().count == 1)
    #expect(try await home.told("bob").count == 1)
  }

  @Test func `an acknowledgement stops the next contact's message`() async throws {
    let home = try await MessageWorld()
    for account in ["bob", "eve"] as [AccountID] { try await home.join(account) }
    try await home.choose("bob", Self.refused, place: 1)
    try await home.choose("eve", Self.refused, place: 2)
    let plan = try await home.world.add("08:00")
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    #expect(try await home.send().map(\.recipient) == ["bob"])
    let notice = try #require(try await home.told("bob").first)
    home.setDay("02T08:15")
    let now = home.now
    let rights = [ReminderWorld.ann: PatientRight(.family)]
    try await home.world.place.database.write { writer in
      // No one takes care in another person's name.
      #expect(
        try CaregiverMessageCommands.acknowledge(
          notice.id, account: "eve", rights: rights, at: now, in: writer) == nil)
      _ = try CaregiverMessageCommands.acknowledge(
        notice.id, account: "bob", rights: rights, at: now, in: writer)
    }
    home.setDay("02T08:40")
    #expect(try await home.send().isEmpty)
    #expect(try await home.told("eve").isEmpty)
    let caring = try await home.world.place.database.read { reader in
      try CaregiverMessageQueries.caring(for: ReminderWorld.ann, since: now, in: reader)
    }
    #expect(caring.map(\.name) == ["bob"])
  }

  @Test func `a nudge is one neutral reminder, at most twice a day`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", [], mayNudge: true)
    let plan = try await home.world.add("08:00", name: "Bisoprolol")
    func nudge(_ categories: Set<DataCategory> = [.adherence]) async -> NudgeError? {
      let context = home.world.place.context(
        Actor(
          accountID: "bob", kind: .session,
          rights: [ReminderWorld.ann: PatientRight(.family, categories: categories)],
          scope: .session))
      do {
        try await home.world.place.database.write { writer in
          try Nudges.send(to: ReminderWorld.ann, context, in: writer)
        }
        return nil
      } catch { return error as? NudgeError }
    }
    #expect(await nudge() == .nothingOpen)
    home.setDay("02T08:10")
    _ = try await home.world.send()
    #expect(await nudge([.medicines]) == .notAllowed)
    #expect(await nudge() == nil)
    let sent = try await home.world.send().filter { $0.kind == .nudge }
    #expect(sent.map(\.recipient) == [ReminderWorld.account])
    #expect(!"\(sent.map(\.content.words))".contains("Bisoprolol"))
    home.setDay("02T08:20")
    #expect(await nudge() == nil)
    // An answer before it is sent: no one is reminded.
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .taken)
    #expect(try await home.world.send().allSatisfy { $0.kind != .nudge })
    let other = try await home.world.add("09:00", name: "Ramipril")
    home.setDay("02T09:05")
    #expect(try await home.world.dose(of: other) != nil)
    #expect(await nudge() == .tooMany(maximum: 2))
    try await home.withdraw("bob")
    home.setDay("03T09:05")
    #expect(await nudge() == .notAllowed)
  }

  @Test func `sharing again resumes the messages`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", Self.refused)
    let plan = try await home.world.add("08:00")
    try await home.share("bob", .family, [.medicines])
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    #expect(try await home.send().isEmpty)
    #expect(try await home.told("bob").isEmpty)
    try await home.share("bob", .family, [.adherence])
    let other = try await home.world.add("09:00", name: "Ramipril")
    home.setDay("02T09:05")
    try await home.world.answer(try await home.world.dose(of: other)?.id, .refused)
    #expect(try await home.send().map(\.recipient) == ["bob"])
  }

  @Test func `muted contacts find messages in the inbox`() async throws {
    let home = try await MessageWorld()
    try await home.join("bob")
    try await home.choose("bob", Self.refused)
    var preferences = MessagePreferences()
    preferences.mutedUntil = Timestamp("2026-03-04T00:00:00Z")
    preferences.phone = "+47 22 00 00 00"
    let (kept, accounts, now) = (preferences, home.world.accounts, home.now)
    try await home.world.place.database.write { writer in
      try MessageCommands.keep(kept, of: "bob", accounts: accounts, at: now, in: writer)
    }
    let plan = try await home.world.add("08:00")
    home.setDay("02T08:05")
    try await home.world.answer(try await home.world.dose(of: plan)?.id, .refused)
    #expect(try await home.send().isEmpty)
    #expect(try await home.told("bob").count == 1)
    let read = try await home.world.place.database.read { reader in
      try MessageCommands.preferences(of: "bob", accounts: accounts, in: reader)
    }
    #expect(read == kept)
  }
}

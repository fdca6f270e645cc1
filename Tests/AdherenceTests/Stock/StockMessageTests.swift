// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import Plans
@testable import Reminders
@testable import Supply

/// Others are informed when something runs out: each time once, and only about shared data.
@Suite struct StockMessageTests {
  private static let rules = [MessageRule(.stockLow, .atOnce), MessageRule(.stockOut, .atOnce)]

  private struct Home {
    let messages: MessageWorld
    let stock: StockID

    init(leadDays: Int? = nil) async throws {
      messages = try await MessageWorld()
      let world = messages.world
      let plan = try await world.add("08:00", name: "Bisoprolol")
      let commands = StockCommands(owner: ReminderWorld.ann, context: world.place.context)
      stock = try await world.place.database.write { writer in
        try commands.create(
          StockDraft(
            name: "Bisoprolol", unit: StockUnit(unit: "tablet"), leadDays: leadDays),
          pack: StockPack(amount: StockMessageTests.tablets(60)),
          uses: [StockUse(patient: ReminderWorld.ann, medicine: plan.id.text)], in: writer)
      }
    }

    /// Checks the supply and the recipients, and returns those who are sent a message.
    func look(_ day: String) async throws -> [AccountID] {
      try await deliveries(day).map(\.recipient).sorted()
    }

    func deliveries(_ day: String) async throws -> [ClaimedDelivery] {
      messages.setDay(day)
      let context = messages.world.context
      try await messages.world.place.database.write { writer in
        try writer.execute("UPDATE stocks SET next_check = 0", [])
        _ = try StockNotices.look(
          at: ReminderWorld.ann, now: context.now, zones: context.zones,
          newIdentifier: context.newIdentifier, in: writer)
      }
      return try await messages.send()
    }

    /// Reduces the supply to a number of tablets, and returns the command for undoing that.
    @discardableResult
    func lose(to left: Int64) async throws -> String {
      let commands = StockCommands(
        owner: ReminderWorld.ann, context: messages.world.place.context)
      let id = stock
      return try await messages.world.place.database.write { writer in
        let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: writer))
        let lot = try #require(stock.lots.first { $0.left > .zero && !$0.isVoid })
        return try commands.remove(
          stock.total - StockMessageTests.tablets(left), .lost, from: lot.id, of: id, in: writer)
      }
    }

    func change(_ change: @escaping @Sendable (StockCommands, any SQLWriter) throws -> Void)
      async throws
    {
      let commands = StockCommands(
        owner: ReminderWorld.ann, context: messages.world.place.context)
      try await messages.world.place.database.write { try change(commands, $0) }
    }

    func told(_ account: AccountID) async throws -> [MessageTopic] {
      try await messages.told(account).map(\.topic).reversed()
    }
  }

  private static func tablets(_ count: Int64) -> StockQuantity {
    StockQuantity(millionths: count * 1_000_000)
  }

  @Test func `each time stock runs low or out, one notice is sent`() async throws {
    let home = try await Home(leadDays: 10)
    try await home.messages.join("bob")
    try await home.messages.choose("bob", Self.rules)
    #expect(try await home.look("02T10:00").isEmpty)
    let act = try await home.lose(to: 10)
    #expect(try await home.look("03T10:00") == ["bob"])
    #expect(try await home.told("bob") == [.stockLow])
    let first = try #require(try await home.messages.told("bob").first)
    #expect(first.detail.stock == home.stock && first.detail.due != nil)
    #expect(try await home.look("03T11:00").isEmpty)
    // After a mistake and its correction, it is still the same event.
    try await home.change { [id = home.stock] in try $0.undo(act, of: id, in: $1) }
    #expect(try await home.look("03T12:00").isEmpty)
    try await home.lose(to: 5)
    #expect(try await home.look("04T10:00").isEmpty)
    try await home.lose(to: 0)
    #expect(try await home.look("05T10:00") == ["bob"])
    #expect(try await home.told("bob") == [.stockLow, .stockOut])
    #expect(try await home.look("06T10:00").isEmpty)
    // There is more, and that runs out too: each is reported again.
    try await home.change { [id = home.stock] in
      _ = try $0.add(StockPack(amount: Self.tablets(60)), to: id, in: $1)
    }
    #expect(try await home.look("06T11:00").isEmpty)
    try await home.lose(to: 4)
    #expect(try await home.look("08T10:00") == ["bob"])
    try await home.lose(to: 0)
    #expect(try await home.look("09T10:00") == ["bob"])
    #expect(try await home.told("bob") == [.stockLow, .stockOut, .stockLow, .stockOut])
  }

  @Test func `a notice about stock names the strength`() async throws {
    let home = try await Home(leadDays: 10)
    try await home.messages.join("bob")
    try await home.messages.choose("bob", Self.rules, says: true)
    _ = try await home.look("02T10:00")
    try await home.change { _, writer in
      try writer.execute("UPDATE plans SET shown_name = 'Bisoprolol 5 mg'", [])
    }
    try await home.lose(to: 10)
    let sent = try await home.deliveries("03T10:00")
    let body = try #require(sent.first?.content.words.body)
    #expect(body.contains("Bisoprolol 5 mg"), "\(body)")
    let listed = try await home.messages.world.place.database.read {
      try CaregiverMessageQueries.sent(about: ReminderWorld.ann, in: $0)
    }
    #expect(listed.map(\.medicine) == ["Bisoprolol 5 mg"])
  }

  @Test func `no one hears of unshared or muted stock`() async throws {
    let home = try await Home()
    let partly: [(AccountID, Set<DataCategory>)] = [
      ("eve", [.medicines, .adherence]), ("max", [.stock]),
    ]
    for (account, categories) in partly {
      try await home.messages.join(account, .family, categories)
      try await home.messages.choose(account, Self.rules)
    }
    try await home.messages.join("doctor", .practitioner, [.medicines, .stock])
    try await home.messages.choose("doctor", Self.rules)
    try await home.messages.join("bob")
    try await home.messages.choose("bob", Self.rules)
    // Data that is no longer shared is no longer reported.
    try await home.messages.share("bob", .family, [.medicines])
    #expect(try await home.look("02T10:00").isEmpty)
    try await home.lose(to: 3)
    #expect(try await home.look("03T10:00") == ["doctor"])
    for account in ["eve", "max", "bob"] as [AccountID] {
      #expect(try await home.told(account).isEmpty)
    }
    try await home.change { [id = home.stock] commands, writer in
      let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: writer))
      var draft = StockDraft(stock)
      draft.isQuiet = true
      try commands.change(draft, of: id, in: writer)
    }
    try await home.lose(to: 0)
    #expect(try await home.look("04T10:00").isEmpty)
  }

  @Test func `a shortage during muting is reported once unmuted`() async throws {
    let home = try await Home()
    try await home.messages.join("bob")
    try await home.messages.choose("bob", Self.rules)
    func hush(_ isQuiet: Bool) async throws {
      try await home.change { [id = home.stock] commands, writer in
        let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: writer))
        var draft = StockDraft(stock)
        draft.isQuiet = isQuiet
        try commands.change(draft, of: id, in: writer)
      }
    }
    #expect(try await home.look("02T10:00").isEmpty)
    try await hush(true)
    try await home.lose(to: 5)
    #expect(try await home.look("03T10:00").isEmpty)
    try await hush(false)
    #expect(try await home.look("04T10:00") == ["bob"])
    #expect(try await home.told("bob") == [.stockLow])
    #expect(try await home.look("04T11:00").isEmpty)
  }

  @Test func `a shortage that was restocked in time is not reported`() async throws {
    let home = try await Home()
    try await home.messages.join("bob")
    try await home.messages.choose("bob", [MessageRule(.stockLow, .digest)])
    _ = try await home.look("02T10:00")
    try await home.lose(to: 3)
    #expect(try await home.look("02T11:00").isEmpty)
    try await home.change { [id = home.stock] in
      _ = try $0.add(StockPack(amount: Self.tablets(60)), to: id, in: $1)
    }
    #expect(try await home.look("02T12:00").isEmpty)
    #expect(try await home.look("03T08:05").isEmpty)
    #expect(try await home.told("bob").isEmpty)
  }

  @Test func `a stock notice reaches both guardians, once on each device`() async throws {
    let home = try await Home()
    let world = home.messages.world
    try await home.messages.join("second", .guardian)
    try await world.addDevice("second-tablet", account: "second")
    try await home.messages.join("eve", .family)
    _ = try await home.look("02T10:00")
    try await home.lose(to: 3)
    home.messages.setDay("03T10:00")
    let context = world.context
    try await world.place.database.write { writer in
      _ = try StockNotices.look(
        at: ReminderWorld.ann, now: context.now, zones: context.zones,
        newIdentifier: context.newIdentifier, in: writer)
    }
    let sent = try await world.send().filter { $0.kind == .stock }
    #expect(sent.map(\.recipient).sorted() == [ReminderWorld.account, "second", "second"])
    #expect(Set(sent.map(\.delivery)).count == 3)
    #expect(try await world.send().filter { $0.kind == .stock }.isEmpty)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Access
import Accounts
import CareTeam
import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage
import Supply
import Testing
import TestSupport

struct CarePanelTests {
  private static func entry(_ name: String, _ reasons: [CareReason]) -> CarePanelEntry {
    CarePanelEntry(
      patient: PatientID(name), name: name, categories: Set(DataCategory.allCases), reasons: reasons
    )
  }

  @Test func `patients are sorted by need in any input order`() {
    let silent = Timestamp(milliseconds: 5)
    let day = CivilDate(daysSinceEpoch: 20_000)
    let ordered = [
      Self.entry("1", [.missed(4), .refused(1)]), Self.entry("2", [.missed(9)]),
      Self.entry("3", [.missed(3)]), Self.entry("4", [.refused(2)]), Self.entry("5", [.refused(1)]),
      Self.entry("5b", [.outOfStock(2)]), Self.entry("5c", [.outOfStock(1), .runsOut(on: day)]),
      Self.entry("6", [.heartRate(days: 2), .unanswered]), Self.entry("7", [.heartRate(days: 3)]),
      Self.entry("8", [.silent(since: silent)]), Self.entry("9", [.fewMissed(2)]),
      Self.entry("A", [.fewMissed(1)]), Self.entry("A2", [.runsOut(on: day)]),
      Self.entry("B", [.waiting(1)]), Self.entry("C", []), Self.entry("D", []),
    ]
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let sorted = ordered.shuffled(using: &generator).sorted(by: CarePanelEntry.precedes)
      #expect(sorted.map(\.name) == ordered.map(\.name))
    }
    #expect(
      ordered.map(\.isPressing) == Array(repeating: true, count: 10)
        + Array(repeating: false, count: 6))
  }

  /// Ann with everything that a panel can show: missed and refused doses, a question, a silent device.
  private func furnished(sharing categories: Set<DataCategory>) async throws -> CareFixture {
    let care = try await CareFixture(
      at: "2026-03-01T06:00:00+01:00", sharing: categories)
    try await care.place.add(.tablet(["08:00", "20:00"]))
    care.place.clock.set("2026-03-04T12:00:00+01:00")
    try await care.place.extendHorizon()
    let day = try await care.place.listing(
      from: "2026-03-04T00:00:00+01:00", until: "2026-03-04T12:00:00+01:00")
    let context = care.place.context
    let (accounts, now) = (care.accounts, care.place.now)
    try await care.place.database.write { writer in
      for dose in day.doses {
        _ = try AnswerCommands.answer(
          dose.id, patient: TestPlace.patient, AnswerRequest(action: .refused), context: context,
          in: writer)
      }
      try writer.execute(
        """
        INSERT INTO heart_rate_warnings (patient, warning, kind, day, created, method, is_monitored,
          heart_rate, usual, boundary, doses_in_doubt)
        VALUES ($1, 'w', 'heart', '2026-03-03', $2, 'dynamic', 1, 74000, 61000, 68000, 0)
        """,
        [.text(TestPlace.patient), SQLValue(now.adding(milliseconds: -24 * 3_600_000))])
      try writer.addAccount("account", patient: TestPlace.patient)
      try accounts.grant(
        .self_, of: TestPlace.patient, to: "account", from: now.adding(milliseconds: -1),
        in: writer)
      try writer.execute(
        """
        INSERT INTO push_subscriptions (subscription, account, endpoint_sealed, endpoint_index,
          keys_sealed, host, created, handed_over, unshown, first_unshown)
        VALUES ('s', 'account', $1, $1, $1, 'h', 1, 9, 6, $2)
        """, [.blob([1]), SQLValue(now.adding(milliseconds: -48 * 3_600_000))])
    }
    return care
  }

  /// The reasons that each category adds.
  private static let told: [(Set<DataCategory>, [CareReason.Kind])] = [
    ([], []),
    ([.messages, .stock], []),
    ([.medicines], []),
    ([.adherence], [.missed, .refused]),
    ([.heartRate], [.heart]),
    ([.adherence, .heartRate], [.missed, .refused, .heart, .heart]),
    ([.adherence, .medicines], [.missed, .refused, .silent]),
    (Set(DataCategory.allCases), [.missed, .refused, .heart, .heart, .silent]),
  ]

  @Test(arguments: told)
  func `the panel uses only shared data`(
    categories: Set<DataCategory>, kinds: [CareReason.Kind]
  ) async throws {
    let care = try await furnished(sharing: categories)
    let panel = try await care.panel()
    #expect(panel.map(\.name) == ["Ann Example"])
    #expect(panel.first?.reasons.map(\.kind) == kinds)
    if kinds.contains(.missed) {
      #expect(panel.first?.reasons.first == .missed(6))
      #expect(panel.first?.reasons.dropFirst().first == .refused(1))
    }
    // With another device that works, the person is reachable.
    try await care.place.database.write { writer in
      try writer.execute(
        """
        INSERT INTO push_subscriptions (subscription, account, endpoint_sealed, endpoint_index,
          keys_sealed, host, created, handed_over, unshown)
        VALUES ('works', 'account', $1, $2, $1, 'h', 1, 9, 0)
        """, [.blob([1]), .blob([2])])
    }
    #expect(
      try await care.panel().first?.reasons.map(\.kind) == kinds.filter { $0 != .silent })
  }

  @Test func `low stock is shown only if medicines and stock are shared`() async throws {
    let care = try await CareFixture(sharing: [.medicines, .stock])
    let place = care.place
    let plan = try await place.add(.tablet(["08:00"]))
    let commands = StockCommands(owner: TestPlace.patient, context: place.context)
    let id = try await place.database.write { writer in
      try commands.create(
        StockDraft(name: "Metoprolol", unit: StockUnit(unit: "tablet")),
        pack: StockPack(amount: StockQuantity(millionths: 5_000_000)),
        uses: [StockUse(patient: TestPlace.patient, medicine: plan.id.text)], in: writer)
    }
    #expect(try await care.panel().first?.reasons == [])
    func look() async throws {
      let context = place.context
      try await place.database.write { writer in
        _ = try StockNotices.look(
          at: TestPlace.patient, now: context.now, zones: context.zones,
          newIdentifier: context.newIdentifier, in: writer)
      }
    }
    try await look()
    let day = try #require(CivilDate(text: "2026-03-06"))
    #expect(try await care.panel().first?.reasons == [.runsOut(on: day)])
    for categories: Set<DataCategory> in [[.stock], [.medicines, .adherence], []] {
      try await care.share(categories)
      let kinds = try await care.panel().first?.reasons.map(\.kind) ?? []
      #expect(!kinds.contains(.stock))
    }
    try await care.share([.medicines, .stock])
    let emptying = StockCommands(owner: TestPlace.patient, context: place.context)
    try await place.database.write { writer in
      let stock = try #require(
        try StockQueries.one(id, of: TestPlace.patient, in: writer))
      try emptying.count([stock.lots[0].id: .zero], of: id, in: writer)
    }
    try await look()
    #expect(try await care.panel().first?.reasons == [.outOfStock(1)])
    let filling = StockCommands(owner: TestPlace.patient, context: place.context)
    try await place.database.write { writer in
      _ = try filling.add(
        StockPack(amount: StockQuantity(millionths: 90_000_000)), to: id, in: writer)
    }
    try await look()
    #expect(try await care.panel().first?.reasons == [])
  }

  @Test func `a pending prescription is shown below urgent findings`() async throws {
    let care = try await CareFixture()
    try await care.prescribe(.tablet(["08:00"]))
    let first = try #require(try await care.panel().first)
    #expect(first.reasons == [.waiting(1)] && !first.isPressing)
    // Doses missed a week ago and before are history.
    try await care.place.add(.tablet(["20:00"]))
    care.place.clock.set("2026-03-20T12:00:00+01:00")
    #expect(try await care.panel().first?.reasons == [.waiting(1)])
  }
}

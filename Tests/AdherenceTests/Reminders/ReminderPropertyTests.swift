// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

/// Random plans, answers, edits, stops, crashes, outages and clock steps in any order: everything that may
/// ring reaches every device, and nothing is planned twice or sent after its answer.
@Suite("Reminders under random events")
struct ReminderPropertyTests {
  private static let minute: Int64 = 60_000

  @Test(arguments: UInt64(1)...20)
  func everyDoseIsNamed(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let world = try await ReminderWorld(devices: ["one", "two"], mail: seed % 2 == 0)
    var plans: [Plan] = []
    var held: [ClaimedDelivery] = []
    for step in 0..<70 {
      let comment: Comment = "seed \(seed), step \(step)"
      try await act(world, plans: &plans, &random)
      try await move(world, &random)
      if Int.random(in: 0..<8, using: &random) == 0 { continue }
      try await world.round(limit: [1, 3, 50].randomElement(using: &random) ?? 50)
      try await check(world, comment)
      if Int.random(in: 0..<6, using: &random) == 0 { continue }
      let claimed = try await world.claim(limit: Int.random(in: 1...40, using: &random))
      try await checkClaimed(claimed, world, comment)
      try await finish(claimed, held: &held, world, &random)
      try await checkDeliveries(world, comment)
    }
  }

  /// Performs one action of a person.
  private func act(
    _ world: ReminderWorld, plans: inout [Plan], _ random: inout SeededGenerator
  ) async throws {
    func time() -> String {
      let minutes = Int.random(in: 0..<288, using: &random) * 5
      return ClockTime(secondsOfDay: minutes * 60)?.text.prefix(5).description ?? "08:00"
    }
    let doses = try await world.doses(hours: 14)
    let dose = doses.filter { $0.due <= world.now.adding(milliseconds: 20 * Self.minute) }
      .randomElement(using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2 where plans.count < 9:
      plans.append(try await world.add(time(), name: "M\(plans.count)"))
    case 3:
      guard let plan = plans.randomElement(using: &random) else { return }
      try await world.place.edit(
        plan.id, .tablet([time(), time()], slots: [1], name: "M", start: "2026-03-02"))
    case 4 where plans.count > 4:
      try await world.place.stop(plans.removeLast().id)
    case 5...8:
      try await world.answer(dose?.id, [.taken, .skipped].randomElement(using: &random) ?? .taken)
    case 9, 10:
      try await world.answer(
        dose?.id, .later, minutes: [10, 30, 120].randomElement(using: &random))
    case 11, 12:
      try await world.answer(dose?.id, .undo)
    default: break
    }
  }

  /// Advances the time: usually a little, sometimes a long time without the program, or back a little.
  private func move(_ world: ReminderWorld, _ random: inout SeededGenerator) async throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: world.place.clock.advance(minutes: Int64.random(in: 30...300, using: &random))
    case 1:
      let back = Int64.random(in: 1...4, using: &random) * Self.minute
      world.place.clock.advance(milliseconds: -back)
      let context = world.context
      try await world.place.database.write { writer in
        try ReminderEngine.clockStepped(back: back, context, in: writer)
      }
    default:
      world.place.clock.advance(milliseconds: Int64.random(in: 0...900_000, using: &random))
    }
    try await world.place.extendHorizon()
  }

  /// Completes deliveries, with results that arrive, arrive too late, or never.
  private func finish(
    _ claimed: [ClaimedDelivery], held: inout [ClaimedDelivery], _ world: ReminderWorld,
    _ random: inout SeededGenerator
  ) async throws {
    let old = held
    held = []
    try await world.complete(old)
    for delivery in claimed {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: held.append(delivery)
      case 1: try await world.complete([delivery], .retry(afterSeconds: nil, trouble: "timeout"))
      case 2: try await world.complete([delivery], .failed(trouble: "http-403"))
      case 3: continue
      default: try await world.complete([delivery])
      }
    }
  }

  // MARK: Invariants

  private struct Standing {
    let id: String
    let ring: Timestamp
    let mayRing: Bool
    let isPlainlyMissed: Bool
    let reminder: String?
  }

  private func standings(_ world: ReminderWorld) async throws -> [Standing] {
    let now = world.now
    return try await world.place.database.read { reader in
      try reader.query(
        """
        SELECT d.plan, d.era, d.occurrence, COALESCE(d.later_until, d.due), d.late_until,
          d.reminder, d.state, p.status,
          (SELECT COUNT(*) FROM answers a WHERE a.patient = d.patient AND a.plan = d.plan
            AND a.era = d.era AND a.occurrence = d.occurrence)
        FROM doses d JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
        WHERE d.state = 'open' AND p.status = 'active'
        """
      ).map { row in
        let ring = try row.timestamp(3)
        let isOver = try row.timestamp(4) <= now
        return Standing(
          id: "\(try row.text(0))_\(try row.integer(1))_\(try row.text(2))", ring: ring,
          mayRing: ring <= now && !isOver,
          isPlainlyMissed: try isOver && row.integer(8) == 0,
          reminder: try row.optionalText(5))
      }
    }
  }

  /// Checks that after a round every dose that may ring, or was missed without notice, is named to each
  /// device.
  private func check(_ world: ReminderWorld, _ comment: Comment) async throws {
    let deliveries = try await world.deliveries()
    let devices = Set(try await world.devices().map(\.maskedAddress))
    #expect(devices.count == 2, comment)
    for dose in try await standings(world) where dose.mayRing || dose.isPlainlyMissed {
      #expect(dose.reminder != nil, comment)
      let from = dose.ring.adding(milliseconds: -15 * Self.minute)
      let told = Set(
        deliveries.filter { delivery in
          delivery.planned >= from && delivery.doses.contains { $0.text == dose.id }
        }.map(\.maskedAddress))
      #expect(devices.isSubset(of: told), comment)
    }
  }

  private func checkClaimed(
    _ claimed: [ClaimedDelivery], _ world: ReminderWorld, _ comment: Comment
  ) async throws {
    let open = Set(try await standings(world).map(\.id))
    for delivery in claimed {
      #expect(!delivery.content.doses.isEmpty && open.isSuperset(of: delivery.doseIDs), comment)
      #expect(delivery.content.doses.count <= 16 || delivery.kind == .summary, comment)
      #expect(delivery.content.tag == ReminderContent.tag(of: delivery.subject), comment)
      #expect(delivery.kind != .doses || delivery.expires > world.now, comment)
      let reminder = try await world.reminder(delivery.subject)
      #expect(reminder?.generation == delivery.generation && reminder?.outcome == nil, comment)
    }
    let named = claimed.filter { $0.kind == .doses }.flatMap { one in
      one.doseIDs.map { "\($0) \(one.push?.subscription ?? "mail")" }
    }
    // A dose never rings twice on a device at the same time.
    #expect(Set(named).count == named.count, comment)
  }

  private func checkDeliveries(_ world: ReminderWorld, _ comment: Comment) async throws {
    let deliveries = try await world.deliveries()
    let keys = deliveries.map {
      "\($0.subject) \($0.generation) \($0.step) \($0.maskedAddress) \($0.channel)"
    }
    #expect(Set(keys).count == keys.count, comment)
    let byGeneration = Dictionary(grouping: deliveries) { "\($0.subject) \($0.generation)" }
    for steps in byGeneration.values {
      let pushes = Dictionary(grouping: steps, by: \.maskedAddress).values.map(\.count).max() ?? 0
      #expect(pushes <= 4, comment)
    }
  }
}

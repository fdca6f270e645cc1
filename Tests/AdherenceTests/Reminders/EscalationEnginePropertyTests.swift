// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Plans
@testable import Reminders

/// Random policies, quiet hours, channels, answers, edits, failures and outages, through the engine and its
/// database.
@Suite("Escalation under random events")
struct EscalationEnginePropertyTests {
  private static let minute: Int64 = 60_000

  @Test(arguments: UInt64(1)...24)
  func `keys are unique, channels limited, quiet hours and answers respected`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let world = try await ReminderWorld(devices: ["one"], mail: seed % 3 != 0)
    for form in ChannelForm.allCases where Bool.random(using: &random) {
      try await Self.prove(form, world)
    }
    let quiet = QuietHours(from: 22 * 60, until: 7 * 60)
    try await Self.choose(escalation: Self.escalation(&random), quiet: quiet, world)
    var plans: [Plan] = []
    for name in ["A", "B", "C"] {
      plans.append(try await world.add(Self.time(&random), name: name))
    }
    let critical = Bool.random(using: &random) ? plans.first : nil
    if let critical { try await Self.keepCritical(critical.id, world) }
    for step in 0..<90 {
      let comment: Comment = "seed \(seed), step \(step)"
      try await Self.act(world, plans, &random)
      // Usually minutes, sometimes hours without the program.
      let minutes =
        Int.random(in: 0..<15, using: &random) == 0
        ? Int64.random(in: 60...300, using: &random) : Int64.random(in: 1...9, using: &random)
      world.place.clock.advance(minutes: minutes)
      try await world.place.extendHorizon()
      let began = world.now
      try await world.round()
      let claimed = try await world.claim()
      for delivery in claimed {
        let doses = try await world.doses(hours: 14)
        let named = doses.filter { delivery.doseIDs.contains($0.id.text) }
        #expect(named.allSatisfy { !$0.state.isAnswered }, comment)
        if delivery.step > 0, !Self.isCritical(delivery, critical), delivery.kind == .doses {
          #expect(!Self.isQuiet(began), comment)
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try await world.complete([delivery], .failed(trouble: "status-403"))
        case 1: try await world.complete([delivery], .gone)
        case 2:
          try await world.complete(
            [delivery],
            .retry(
              afterSeconds: Int.random(in: 1...3_600, using: &random), trouble: "timeout"))
        default: try await world.complete([delivery])
        }
      }
      try await Self.check(world, comment)
    }
    let handedOver = try await world.deliveries().filter { $0.handedOver != nil }
    #expect(handedOver.count >= 1, "nothing rang at all")
  }

  // MARK: Invariants

  private static func check(_ world: ReminderWorld, _ comment: Comment) async throws {
    let deliveries = try await world.deliveries()
    let keys = deliveries.map {
      "\($0.subject) \($0.generation) \($0.step) \($0.recipient) \($0.channel) \($0.maskedAddress)"
    }
    #expect(Set(keys).count == keys.count, comment)
    let ways = Dictionary(grouping: deliveries) {
      "\($0.subject) \($0.generation) \($0.recipient) \($0.channel) \($0.maskedAddress)"
    }
    for (way, all) in ways {
      #expect(all.count <= EscalationPolicy.mostOfChannel, "\(comment) \(way)")
    }
  }

  private static func isCritical(_ delivery: ClaimedDelivery, _ critical: Plan?) -> Bool {
    guard let critical else { return false }
    return delivery.content.doses.contains { $0.plan == critical.id }
  }

  private static func isQuiet(_ now: Timestamp) -> Bool {
    guard let zone = try? ZoneCatalog().zone("Europe/Berlin") else { return false }
    let minute = zone.local(at: Instant(now)).time.secondsOfDay / 60
    return minute >= 22 * 60 || minute < 7 * 60
  }

  // MARK: Events

  private static func escalation(_ random: inout SeededGenerator) -> EscalationPolicy? {
    var steps = [EscalationStep(0, .push)]
    for _ in 0..<Int.random(in: 0...10, using: &random) {
      steps.append(
        EscalationStep(
          Int.random(in: 0...90, using: &random),
          ReminderChannel.allCases.randomElement(using: &random) ?? .push))
    }
    return try? EscalationPolicy(steps)
  }

  private static func time(_ random: inout SeededGenerator) -> String {
    let minutes = Int.random(in: 0..<288, using: &random) * 5
    return ClockTime(secondsOfDay: minutes * 60)?.text.prefix(5).description ?? "08:00"
  }

  private static func act(
    _ world: ReminderWorld, _ plans: [Plan], _ random: inout SeededGenerator
  ) async throws {
    let soon = world.now.adding(milliseconds: 20 * minute)
    let dose = try await world.doses(hours: 14).filter { $0.due <= soon }
      .randomElement(using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: try await world.answer(dose?.id, .taken)
    case 1: try await world.answer(dose?.id, .later, minutes: 10)
    case 2: try await world.answer(dose?.id, .undo)
    case 3:
      try await choose(
        escalation: escalation(&random), quiet: QuietHours(from: 1320, until: 420), world)
    case 4:
      guard let plan = plans.randomElement(using: &random) else { return }
      try await world.place.edit(
        plan.id, .tablet([time(&random)], slots: [1], name: "M", start: "2026-03-02"))
    default: break
    }
  }

  private static func choose(
    escalation: EscalationPolicy?, quiet: QuietHours?, _ world: ReminderWorld
  )
    async throws
  {
    let now = world.now
    try await world.place.database.write { writer in
      try EscalationCommands.keep(
        escalation, of: ReminderWorld.ann, by: ReminderWorld.account, at: now, in: writer)
      try EscalationCommands.keep(
        quiet: quiet, namesMedicine: false, of: ReminderWorld.ann, by: ReminderWorld.account,
        at: now, in: writer)
    }
  }

  private static func keepCritical(_ plan: PlanID, _ world: ReminderWorld) async throws {
    let now = world.now
    var choice = PlanReminders()
    choice.isCritical = true
    try await world.place.database.write { [choice] writer in
      try EscalationCommands.keep(
        choice, of: plan, patient: ReminderWorld.ann, by: ReminderWorld.account, at: now,
        in: writer)
    }
  }

  private static func prove(_ form: ChannelForm, _ world: ReminderWorld) async throws {
    let context = world.context
    try await world.place.database.write { writer in
      let id = try ChannelAddresses.add(
        ChannelSettings(server: "https://\(form.rawValue).example", topic: "t"), form: form,
        host: "\(form.rawValue).example", account: ReminderWorld.account, context, in: writer)
      try ChannelAddresses.confirm(try #require(id), at: context.now, in: writer)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Adherence
@testable import Dosing
@testable import Plans
@testable import Prescriptions
@testable import Supply

/// Any order of intakes, undos, corrections, counts, packs and losses matches an independent model, and so
/// does a rebuild from the ledger.
@Suite("Stock in any order")
struct StockPropertyTests {
  /// The amount in hundredths of a tablet, without packs.
  struct Model {
    var total = 0
    var countedAt = 0
    /// The amount of each intake since the last count.
    var live: [String: Int] = [:]
    /// Packs and losses that can be undone.
    var acts: [String: Int] = [:]

    mutating func take(_ key: String, _ amount: Int, at minute: Int) {
      total += live.removeValue(forKey: key) ?? 0
      // Half a minute after its own.
      guard minute > countedAt else { return }
      live[key] = amount
      total -= amount
    }

    mutating func takeBack(_ key: String) { total += live.removeValue(forKey: key) ?? 0 }

    mutating func count(_ amount: Int, at minute: Int) {
      total = amount
      countedAt = minute
      live = [:]
      acts = [:]
    }
  }

  struct Taken: Equatable {
    var at: Int
    var amount: Int
  }

  static func quantity(_ hundredths: Int) -> StockQuantity {
    StockQuantity(millionths: Int64(hundredths) * 10_000)
  }

  static func time(_ minute: Int) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: Int64(minute) * AnswerWorld.minute)
  }

  /// Returns a time between two minutes, so that nothing is taken at the very moment of a count.
  static func counting(_ minute: Int) -> Timestamp { time(minute).adding(milliseconds: 30_000) }

  static func tablets(_ hundredths: Int) -> Amount? {
    Amount(value: "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)", unit: "tablet")
  }

  static func stock(_ world: AnswerWorld, _ id: StockID) async throws -> Stock {
    try #require(
      try await world.database.read { reader in
        try StockRows.one(id, owner: AnswerWorld.patient, in: reader)
      })
  }

  @Test(arguments: UInt64(1)...16)
  func theLedgerIsTheTruth(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let world = try await AnswerWorld()
    try await world.addPlan("m", gapHours: nil)
    // Without doses: its intakes are separate entries.
    try await world.addPlan("x", gapHours: nil)
    var doses: [DoseID] = []
    for number in 0..<5 {
      doses.append(try await world.addDose("m", Int64(number), dueMinutes: Int64(number) * 200))
    }
    let id = try await world.database.write { writer in
      try StockCommands(owner: AnswerWorld.patient, context: world.context(now: Self.counting(-1)))
        .create(
          StockDraft(name: "Metoprolol", unit: StockUnit(unit: "tablet")),
          pack: StockPack(amount: Self.quantity(600)),
          uses: ["m", "x"].map { StockUse(patient: AnswerWorld.patient, medicine: $0) }, in: writer)
    }
    var model = Model()
    model.count(600, at: -1)
    var taken: [Int: Taken] = [:]
    var extras: [String] = []
    var now = 0
    for step in 0..<60 {
      now += Int.random(in: 0...40, using: &random)
      let instant = Self.time(now)
      let context = world.context(now: instant)
      let commands = StockCommands(owner: AnswerWorld.patient, context: context)
      let past = max(-300, now - Int.random(in: 0...250, using: &random))
      let amount = [25, 50, 100, 150, 300].randomElement(using: &random) ?? 100
      switch Int.random(in: 0..<15, using: &random) {
      case 0...3:
        let index = Int.random(in: doses.indices, using: &random)
        let version = try #require(try await world.dose(doses[index], at: instant)?.version)
        if taken[index] != nil, Bool.random(using: &random) {
          let undo = AnswerRequest(action: .undo, corrects: version)
          #expect(try await world.answer(doses[index], undo, at: instant).accepted != nil)
          taken[index] = nil
          model.takeBack("dose \(index)")
        } else {
          let at = Bool.random(using: &random) ? past : nil
          let given = Bool.random(using: &random) ? amount : nil
          let before = taken[index]
          let outcome = try await world.answer(
            doses[index],
            AnswerRequest(
              action: .taken, at: at.map(Self.time), amount: given.flatMap(Self.tablets),
              corrects: before == nil ? nil : version, confirm: true), at: instant)
          #expect(outcome.accepted != nil, "\(outcome)")
          let result = Taken(
            at: at ?? before?.at ?? now, amount: given ?? before?.amount ?? 150)
          taken[index] = result
          if result != before { model.take("dose \(index)", result.amount, at: result.at) }
        }
      case 4:
        // Long after the plan's doses: only an extra intake.
        let outcome = try await world.administer(
          AdministrationRequest(
            patient: AnswerWorld.patient, medicine: "m", at: Self.time(-2_000), amount: nil,
            taken: true, confirm: true), at: instant)
        #expect(outcome.recorded != nil)
      case 5:
        let entry = try await world.outcome { writer in
          .recorded(
            try IntakeCommands.record(
              AdministrationRequest(
                patient: AnswerWorld.patient, medicine: "x", at: Self.time(past),
                amount: Self.tablets(amount), taken: true, confirm: true), context: context,
              in: writer))
        }
        let extra = try #require(entry.recorded).id
        extras.append(extra.text)
        model.take(extra.text, amount, at: past)
      case 6:
        guard let last = extras.popLast() else { continue }
        try await world.database.write { writer in
          try IntakeCommands.takeBack(
            AdministrationID(last), patient: AnswerWorld.patient, context: context, in: writer)
        }
        model.takeBack(last)
      case 7:
        let expires = [nil, "2026-03-20", "2027-01-31"].randomElement(using: &random) ?? nil
        let pack = StockPack(
          amount: Self.quantity(amount * 3), expires: expires.flatMap { CivilDate(text: $0) })
        let act = try await world.database.write { try commands.add(pack, to: id, in: $0) }
        model.acts[act] = amount * 3
        model.total += amount * 3
      case 8:
        let stock = try await Self.stock(world, id)
        let counted = Dictionary(
          uniqueKeysWithValues: stock.shownLots
            .map { ($0.id, Self.quantity(100)) })
        let counting = StockCommands(
          owner: AnswerWorld.patient, context: world.context(now: Self.counting(now)))
        try await world.database.write { try counting.count(counted, of: id, in: $0) }
        model.count(counted.count * 100, at: now)
      case 9:
        let stock = try await Self.stock(world, id)
        guard let lot = stock.lots.first(where: { $0.left >= Self.quantity(amount) && !$0.isVoid })
        else { continue }
        let act = try await world.database.write {
          try commands.remove(Self.quantity(amount), .lost, from: lot.id, of: id, in: $0)
        }
        model.acts[act] = -amount
        model.total -= amount
      case 10:
        guard let act = model.acts.keys.sorted().randomElement(using: &random) else { continue }
        try await world.database.write { try commands.undo(act, of: id, in: $0) }
        model.total -= model.acts.removeValue(forKey: act) ?? 0
        await #expect(throws: StockError.self) {
          try await world.database.write { try commands.undo(act, of: id, in: $0) }
        }
      case 12...14:
        // The same packs come again and again; each is decided once.
        let number = Int.random(in: 0..<8, using: &random)
        let sent = try Self.dispensed(number, isGone: Int.random(in: 0..<6, using: &random) == 0)
        let before = try await Self.offers(world, id)
        try await world.database.write { writer in
          _ = try DispenseCommands().take(
            sent, patient: AnswerWorld.patient, context: context, in: writer)
        }
        let offers = try await Self.offers(world, id)
        #expect(offers.count <= before.count + 1)
        guard let offer = offers.randomElement(using: &random) else { continue }
        let quantity = try #require(offer.quantity)
        if Int.random(in: 0..<4, using: &random) == 0 {
          try await world.database.write { writer in
            try commands.decline(
              offer.dispense.id, of: AnswerWorld.patient, from: id, in: writer)
          }
        } else {
          let act = try await world.database.write { writer in
            try commands.accept(
              offer.dispense.id, of: AnswerWorld.patient, seen: offer.version,
              as: StockPack(amount: quantity), to: id, in: writer)
          }
          let hundredths = Int(quantity.millionths / 10_000)
          model.acts[act] = hundredths
          model.total += hundredths
        }
        #expect(try await Self.offers(world, id).count == offers.count - 1)
      default:
        let before = try await Self.rows(world)
        try await Self.rebuild(world)
        #expect(try await Self.rows(world) == before)
      }
      let stock = try await Self.stock(world, id)
      #expect(stock.total == Self.quantity(model.total), "step \(step)")
      #expect(stock.lots.allSatisfy { $0.left >= .zero })
      #expect(try await Self.bookedTwice(world) == 0)
      let packs = stock.lots.reduce(StockQuantity.zero) { $0 + $1.left }
      #expect(stock.loose == .zero || packs == .zero || stock.loose > .zero)
      #expect(try await world.database.read { try ProjectionCheck.faults(in: $0) }.isEmpty)
    }
    let before = try await Self.rows(world)
    try await world.database.write { writer in
      try writer.execute("UPDATE stock_balances SET amount = amount + 1", [])
      try writer.execute("UPDATE stocks SET counted_number = 0", [])
    }
    let kinds = Set(
      try await world.database.read { try ProjectionCheck.faults(in: $0) }.map(\.kind))
    #expect(kinds == [.stockBalance, .stockCount])
    try await Self.rebuild(world)
    #expect(try await Self.rows(world) == before)
  }

  /// Returns a dispense, or its withdrawal.
  static func dispensed(_ number: Int, isGone: Bool) throws -> ImportDispense {
    var reading = ImportReading()
    reading.add(
      StreamedEntry(
        number: 1,
        resource: .success([
          "resourceType": "MedicationDispense",
          "status": .string(isGone ? "cancelled" : "completed"),
          "identifier": [["system": "urn:pharmacy", "value": .string("\(number)")]],
          "medicationCodeableConcept": ["text": "Metoprolol"],
          "subject": ["reference": .string("Patient/\(AnswerWorld.patient)")],
          "quantity": ["value": .number(JSONNumber(number + 1)), "unit": "tablet"],
        ])))
    return try #require(reading.result(hasFurtherPages: false).dispenses.first)
  }

  static func offers(_ world: AnswerWorld, _ id: StockID) async throws -> [DispenseOffer] {
    try await world.database.read { reader in
      let stock = try #require(
        try StockRows.one(id, owner: AnswerWorld.patient, in: reader))
      return try DispenseQueries.offers(for: stock, zones: ZoneCatalog(), in: reader)
    }
  }

  /// Returns the number of dispenses that are in the ledger as more than one pack.
  static func bookedTwice(_ world: AnswerWorld) async throws -> Int {
    try await world.database.read { reader in
      try reader.query(
        """
        SELECT e.dispense FROM stock_entries e
        JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
        WHERE e.dispense IS NOT NULL AND l.is_void = 0 GROUP BY e.dispense HAVING COUNT(*) > 1
        """
      ).count
    }
  }

  static func rebuild(_ world: AnswerWorld) async throws {
    _ = try await world.database.write { try StockProjection.rebuild(in: $0) }
  }

  static func rows(_ world: AnswerWorld) async throws -> [String] {
    try await world.database.read { reader in
      let balances = try reader.query(
        "SELECT patient, stock, lot, amount FROM stock_balances ORDER BY patient, stock, lot")
      let counts = try reader.query(
        "SELECT patient, stock, counted_at, counted_number FROM stocks ORDER BY patient, stock")
      return (balances + counts).map { row in "\((0..<row.count).map { row[$0] })" }
    }
  }
}

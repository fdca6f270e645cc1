// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Adherence
@testable import Dosing
@testable import Plans
@testable import Supply

/// One supply for several people, and the effect of erasing one of them.
@Suite struct StockHouseholdTests {
  private static let mali = PatientID("mali")

  private static func actor(_ patients: [PatientID]) -> Actor {
    Actor(
      accountID: "account-1", kind: .session,
      relationships: Dictionary(
        uniqueKeysWithValues: patients.map { ($0, $0 == AnswerWorld.patient ? .self_ : .guardian) }),
      scope: .session)
  }

  private static func world() async throws -> AnswerWorld {
    let world = try await AnswerWorld()
    try await world.addPlan("m", gapHours: nil)
    try await world.database.write { writer in
      try writer.execute(
        """
        INSERT INTO people (patient, display_name, zone, language)
        VALUES ('mali', 'Mali', 'Europe/Berlin', 'de')
        """, [])
      try writer.execute(
        """
        INSERT INTO plans (patient, plan, request_version, status, medicine_name, ingredients,
          policy, era, kind, anchor, anchor_date, active_from, planned_through, created, changed)
        SELECT 'mali', 'n', request_version, status, medicine_name, ingredients, policy, era, kind,
          anchor, anchor_date, active_from, planned_through, created, changed FROM plans
        """, [])
    }
    return world
  }

  private static func create(_ world: AnswerWorld, uses: [StockUse], by actor: Actor) async throws
    -> StockID
  {
    let commands = StockCommands(
      owner: AnswerWorld.patient,
      context: world.context(now: AnswerWorld.eight.adding(milliseconds: -60_000), actor: actor))
    return try await world.database.write { writer in
      try commands.create(
        StockDraft(name: "Metoprolol", unit: StockUnit(unit: "tablet")),
        pack: StockPack(amount: StockQuantity(millionths: 20_000_000)), uses: uses, in: writer)
    }
  }

  private static let both = [
    StockUse(patient: AnswerWorld.patient, medicine: "m"),
    StockUse(patient: mali, medicine: "n"),
  ]

  @Test func `doses of all come off the shared stock as separate entries`() async throws {
    let world = try await Self.world()
    let actor = Self.actor([AnswerWorld.patient, Self.mali])
    let id = try await Self.create(world, uses: Self.both, by: actor)
    for (patient, medicine) in [(AnswerWorld.patient, "m"), (Self.mali, "n")] {
      let outcome = try await world.administer(
        AdministrationRequest(
          patient: patient, medicine: medicine, at: AnswerWorld.eight,
          amount: Amount(value: "2", unit: "tablet"), taken: true, confirm: true), actor: actor)
      #expect(outcome.recorded != nil, "\(outcome)")
    }
    let stock = try await StockPropertyTests.stock(world, id)
    #expect(stock.total.text == "16")
    let entries = try await world.database.read { reader in
      try StockLedger.entries(of: stock, limit: 10, in: reader)
    }
    #expect(entries.map(\.patient) == [Self.mali, AnswerWorld.patient, AnswerWorld.patient])
    #expect(entries.map(\.kind) == [.taken, .taken, .counted])
    let seen = try await world.database.read { try StockQueries.all(of: Self.mali, in: $0) }
    #expect(seen.map(\.id) == [id])
    // Mali's data is erased: only a sum remains.
    try await world.database.write { writer in
      try StockErasure.erase(Self.mali, at: AnswerWorld.eight, in: writer)
    }
    #expect(try await StockPropertyTests.stock(world, id).total.text == "16")
    #expect(try await world.database.read { try ProjectionCheck.faults(in: $0) }.isEmpty)
    let left = try await world.database.read { reader in
      try StockLedger.entries(
        of: try #require(try StockRows.one(id, owner: AnswerWorld.patient, in: reader)), limit: 10,
        in: reader)
    }
    #expect(left.map(\.kind) == [.erased, .taken, .counted])
    #expect(left.allSatisfy { $0.patient == AnswerWorld.patient })
  }

  @Test func `stock can only be shared with people one represents`() async throws {
    let world = try await Self.world()
    await #expect(throws: StockError.notFound) {
      _ = try await Self.create(world, uses: Self.both, by: Self.actor([AnswerWorld.patient]))
    }
    await #expect(throws: StockError.notAuthorized) {
      _ = try await Self.create(world, uses: [], by: .family)
    }
    let actor = Self.actor([AnswerWorld.patient, Self.mali])
    let id = try await Self.create(world, uses: Self.both, by: actor)
    // An account that acts for only one of them cannot remove the other one from it.
    let commands = StockCommands(
      owner: AnswerWorld.patient, context: world.context(actor: Self.actor([AnswerWorld.patient])))
    try await world.database.write { try commands.share(id, uses: [], in: $0) }
    let stock = try await StockPropertyTests.stock(world, id)
    #expect(stock.uses.map(\.patient) == [Self.mali])
    await #expect(throws: StockError.invalid([.medicine])) {
      _ = try await Self.create(world, uses: [Self.both[1]], by: actor)
    }
  }

  @Test func `using an expired pack asks, and the answer is kept`() async throws {
    let world = try await Self.world()
    let id = try await Self.create(world, uses: [Self.both[0]], by: .itself)
    let commands = StockCommands(owner: AnswerWorld.patient, context: world.context())
    let old = StockPack(
      amount: StockQuantity(millionths: 5_000_000), expires: CivilDate(text: "2026-02-28"))
    await #expect(throws: StockError.invalid([.expired])) {
      try await world.database.write { _ = try commands.add(old, to: id, in: $0) }
    }
    var confirmed = old
    confirmed.isConfirmed = true
    try await world.database.write { [confirmed] in _ = try commands.add(confirmed, to: id, in: $0)
    }
    var stock = try await StockPropertyTests.stock(world, id)
    #expect(stock.lots.first?.isKept == true)
    let today = try #require(CivilDate(text: "2026-03-02"))
    #expect(stock.left(on: today).text == "25")
    // Another day is another question.
    let lot = try #require(stock.lots.first?.id)
    try await world.database.write { writer in
      try commands.change(
        lot, expires: CivilDate(text: "2026-02-27"), opened: nil, of: id, in: writer)
    }
    stock = try await StockPropertyTests.stock(world, id)
    #expect(stock.left(on: today).text == "20")
    #expect(stock.expired(on: today).map(\.id) == [lot])
    try await world.database.write { try commands.keep(lot, of: id, in: $0) }
    #expect(try await StockPropertyTests.stock(world, id).left(on: today).text == "25")
    let kinds = try await world.database.read { [stock] reader in
      try StockLedger.entries(of: stock, limit: 10, in: reader).map(\.kind)
    }
    #expect(kinds == [.kept, .kept, .added, .counted])
  }
}

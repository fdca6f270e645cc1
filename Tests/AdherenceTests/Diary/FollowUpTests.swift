// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Knowledge
import People
import Plans
import Reminders
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Diary

/// The question after an as-needed dose, from the answer that sets it to the Observation.
@Suite struct FollowUpTests {
  /// A place with an as-needed medicine.
  private struct World {
    let place: TestPlace
    let plan: PlanID

    init(_ name: String = "Sumatriptan", gapHours: Int? = nil) async throws {
      place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
      var draft = PlanDraft.tablet(["08:00"], name: name).with(.asNeeded(reason: nil))
      draft.limits = DraftLimits(gapHours: gapHours)
      plan = try await place.add(draft).id
    }

    @discardableResult
    func take(_ text: String? = nil) async throws -> AdministrationID {
      let (context, plan) = (place.context, plan)
      let at = text.map { Timestamp($0) } ?? place.now
      return try await place.database.write { writer in
        try IntakeCommands.record(
          AdministrationRequest(
            patient: TestPlace.patient, medicine: plan.text, at: at, confirm: true),
          context: context, in: writer
        ).id
      }
    }

    func answer(_ answer: FollowUpAnswer, _ administration: AdministrationID) async throws {
      let context = place.context
      try await place.database.write { writer in
        try FollowUpCommands.answer(
          answer, about: administration, patient: TestPlace.patient, context: context, in: writer)
      }
    }

    func open() async throws -> [AdministrationID] {
      let now = place.now
      return try await place.database.read { reader in
        try FollowUpQueries.open(patient: TestPlace.patient, at: now, in: reader)
          .map(\.question.administration)
      }
    }

    func facts() async throws -> FollowUpFacts {
      let (now, plan, zones) = (place.now, plan, place.zones)
      let zone = try zones.zone("Europe/Berlin")
      return try await place.database.read { reader in
        guard let known = try PlanQueries.plan(plan, patient: TestPlace.patient, in: reader),
          let facts = try FollowUpQueries.facts(
            of: [FollowUpMedicine(known)], patient: TestPlace.patient, now: now, zone: zone,
            in: reader
          ).first
        else { throw FollowUpError.notFound }
        return facts
      }
    }

    func observations() async throws -> [JSONValue] {
      let bodies = try await place.database.read { reader in
        try reader.query(
          "SELECT body FROM resources WHERE type = 'Observation' AND patient = $1 ORDER BY id",
          [.text(TestPlace.patient)]
        ).values(as: String.self)
      }
      return try bodies.map { try JSONValue(parsing: Array($0.utf8)) }
    }

    func alerts() async throws -> [Alert.State] {
      let now = place.now
      return try await place.database.read { reader in
        try AlertQueries.ending(after: now, patient: TestPlace.patient, in: reader)
          .filter { DiaryAlert(of: $0.id) == .followUp }.map(\.state)
      }
    }
  }

  @Test func `a dose is asked about after its time, and the answer is an Observation`()
    async throws
  {
    let world = try await World()
    let dose = try await world.take()
    #expect(try await world.open() == [])
    #expect(try await world.alerts() == [.open])
    world.place.clock.advance(minutes: 120)
    #expect(try await world.open() == [dose])
    try await world.answer(.little, dose)
    #expect(try await world.open() == [])
    #expect(try await world.alerts() == [.cancelled])
    let observation = try #require(try await world.observations().first)
    #expect(
      observation["partOf"]?[0]?["reference"]?.string == "MedicationAdministration/\(dose)")
    #expect(observation["effectiveDateTime"]?.string == "2026-03-01T08:00:00+01:00")
    #expect(observation["valueCodeableConcept"]?["coding"]?[0]?["code"]?.string == "little")
    #expect(try await world.facts().summary.helped == 1)
    // A later answer replaces it.
    try await world.answer(.no, dose)
    let changed = try await world.observations()
    #expect(changed.count == 1 && changed[0]["status"]?.string == "amended")
    #expect(try await world.facts().summary == FollowUpSummary([.no]))
    await world.place.database.close()
  }

  @Test func `too early to say asks once more`() async throws {
    let world = try await World(gapHours: 1)
    let dose = try await world.take()
    world.place.clock.advance(minutes: 60)
    #expect(try await world.open() == [dose])
    try await world.answer(.tooEarly, dose)
    #expect(try await world.open() == [])
    #expect(try await world.alerts().sorted { $0.rawValue < $1.rawValue } == [.cancelled, .open])
    world.place.clock.advance(minutes: 60)
    #expect(try await world.open() == [dose])
    #expect(try await world.observations().isEmpty)
    world.place.clock.advance(hours: 47)
    #expect(try await world.open() == [])
    await #expect(throws: FollowUpError.closed) { try await world.answer(.tooEarly, dose) }
    await world.place.database.close()
  }

  @Test func `a dose that is taken back takes its question and its answer with it`() async throws {
    let world = try await World()
    let first = try await world.take()
    let second = try await world.take("2026-03-01T05:00:00+01:00")
    world.place.clock.advance(minutes: 130)
    try await world.answer(.much, first)
    let context = world.place.context
    for dose in [first, second] {
      try await world.place.database.write { writer in
        try IntakeCommands.takeBack(
          dose, patient: TestPlace.patient, context: context, in: writer)
      }
    }
    #expect(try await world.open() == [])
    #expect(try await world.observations().first?["status"]?.string == "entered-in-error")
    #expect(try await world.facts().summary.answers.isEmpty)
    await #expect(throws: FollowUpError.notFound) { try await world.answer(.much, second) }
    await world.place.database.close()
  }

  @Test func `the question can be moved and turned off`() async throws {
    let world = try await World()
    let (context, plan) = (world.place.context, world.plan)
    func choose(_ choice: FollowUpChoice) async throws {
      try await world.place.database.write { writer in
        try FollowUpCommands.choose(
          choice, ofPlan: plan, patient: TestPlace.patient, context: context, in: writer)
      }
    }
    try await choose(FollowUpChoice(isAsked: true, minutes: 30, isForHeadache: false))
    let dose = try await world.take()
    world.place.clock.advance(minutes: 30)
    #expect(try await world.open() == [dose])
    try await choose(FollowUpChoice(isAsked: false, minutes: nil, isForHeadache: false))
    try await world.take()
    world.place.clock.advance(minutes: 130)
    #expect(try await world.open() == [dose])
    await #expect(throws: FollowUpError.minutes) {
      try await choose(FollowUpChoice(isAsked: true, minutes: 5, isForHeadache: false))
    }
    await world.place.database.close()
  }

  @Test func `a medicine with set times is never asked about`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let context = place.context
    try await place.database.write { writer in
      _ = try IntakeCommands.record(
        AdministrationRequest(
          patient: TestPlace.patient, medicine: plan.id.text, at: context.now, confirm: true),
        context: context, in: writer)
    }
    let count: Int? = try await place.database.read { reader in
      try reader.first("SELECT COUNT(*) FROM follow_ups", [])?.value()
    }
    #expect(count == 0)
    await place.database.close()
  }

  @Test func `a triptan on ten days is too much, a painkiller only if it is for headaches`()
    async throws
  {
    for (name, isForHeadache, limit) in [
      ("Sumatriptan", false, 10), ("Paracetamol", true, 15),
    ] {
      let world = try await World(name)
      let (context, plan) = (world.place.context, world.plan)
      #expect(try await world.facts().overuse == nil)
      for day in 10..<(9 + limit) {
        try await world.take("2026-02-\(day)T08:00:00+01:00")
      }
      if isForHeadache {
        // Taken for something else, no source states a limit.
        #expect(try await world.facts().overuse == nil)
        try await world.place.database.write { writer in
          try FollowUpCommands.choose(
            FollowUpChoice(isAsked: true, minutes: nil, isForHeadache: true), ofPlan: plan,
            patient: TestPlace.patient, context: context, in: writer)
        }
      }
      let before = try #require(try await world.facts().overuse)
      #expect(!before.isReached && before.daysWithNext == limit && before.limit == limit)
      try await world.take()
      #expect(try await world.facts().overuse?.isReached == true)
      await world.place.database.close()
    }
  }
}

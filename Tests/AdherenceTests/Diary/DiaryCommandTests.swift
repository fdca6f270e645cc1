// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Diary
@testable import Observations
@testable import Reminders

/// Entries, own trackers and reminders of the diary, by their commands.
@Suite struct DiaryCommandTests {
  private static let patient = TestPlace.patient

  private func commands(_ place: TestPlace) -> DiaryCommands {
    DiaryCommands(patient: Self.patient, context: place.context, source: "By hand")
  }

  @discardableResult
  private func add(
    _ place: TestPlace, _ value: DiaryValue, to tracker: TrackerID
  ) async throws -> DiaryEntry {
    let (commands, draft) = (commands(place), DiaryDraft(value, at: place.now))
    return try await place.database.write { try commands.add(draft, to: tracker, in: $0) }
  }

  private func entries(_ place: TestPlace, _ standard: StandardTracker) async throws
    -> [DiaryEntry]
  {
    let searching = try searching(place)
    return try await place.database.read { reader in
      let tracker = try #require(
        try TrackerStore.tracker(standard.id, of: Self.patient, in: reader))
      return try DiaryQueries.entries(
        of: tracker, Self.patient, limit: 10, searching, in: reader)
    }
  }

  private func searching(_ place: TestPlace) throws -> SearchAuthorization {
    let decision = decideSearch(
      actor: place.context.actor, resource: "Observation", patient: Self.patient, purpose: .care)
    guard case .allow(let authorization) = decision else { throw DiaryError.notFound }
    return authorization
  }

  @Test func `entries are listed, corrected with their history, and deleted`() async throws {
    let place = try await TestPlace()
    let first = try await add(place, .score(3), to: "pain")
    place.clock.advance(minutes: 60)
    let second = try await add(place, .score(5), to: "pain")
    try await add(place, .score(8), to: "mood")
    #expect(try await entries(place, .pain).map(\.id) == [second.id, first.id])
    #expect(first.offsetMinutes == 60)
    let commands = commands(place)
    let draft = DiaryDraft(.score(4), at: first.draft.at, note: "Less, I think")
    _ = try await place.database.write { try commands.change(first.id, to: draft, in: $0) }
    #expect(try await entries(place, .pain).last?.draft == draft)
    let versions = try await place.database.read { reader in
      try reader.query(
        "SELECT version FROM resource_versions WHERE id = $1", [.text(first.id)]
      ).count
    }
    #expect(versions == 1)
    let searching = try searching(place)
    let latest = try await place.database.read {
      try DiaryQueries.latest(Self.patient, limit: 2, searching, in: $0).map { $0.tracker.id }
    }
    #expect(Set(latest) == ["pain", "mood"])
    try await place.database.write { try commands.remove(first.id, in: $0) }
    #expect(try await entries(place, .pain).map(\.id) == [second.id])
    await #expect(throws: DiaryError.notFound) {
      try await place.database.write { try commands.remove(first.id, in: $0) }
    }
    await #expect(throws: DiaryError.notFound) {
      try await place.database.write { try commands.change("none", to: draft, in: $0) }
    }
  }

  @Test func `a weight also counts for the health profile`() async throws {
    let place = try await TestPlace()
    let entry = try await add(place, .measurement(160, .pounds), to: "weight")
    func weights() async throws -> [String] {
      try await place.database.read {
        try HealthProfileQueries.weights(Self.patient, in: $0).map(\.kilograms)
      }
    }
    #expect(try await weights() == ["72.575"])
    let found = try await entries(place, .weight)
    #expect(found.map(\.draft.value) == [.measurement(160, .pounds)])
    #expect(found.first?.isOwn == true)
    place.clock.advance(minutes: 5)
    let commands = commands(place)
    let draft = DiaryDraft(.measurement(72, .kilograms), at: entry.draft.at)
    _ = try await place.database.write { try commands.change(entry.id, to: draft, in: $0) }
    #expect(try await weights() == ["72"])
    #expect(try await entries(place, .weight).first?.draft == draft)
    try await place.database.write { try commands.remove(entry.id, in: $0) }
    #expect(try await weights() == [])
    #expect(try await entries(place, .weight) == [])
  }

  @Test func `a weight from elsewhere is listed and cannot be corrected`() async throws {
    let place = try await TestPlace()
    let context = place.context
    try await place.database.write { writer in
      try HealthProfileCommands.addWeight(
        "70.5", on: "2026-02-27", source: "Scale", zone: .utc, patient: Self.patient, context,
        in: writer)
    }
    let entry = try #require(try await entries(place, .weight).first)
    #expect(entry.draft.value == .measurement(70.5, .kilograms) && !entry.isOwn)
    let commands = commands(place)
    let draft = DiaryDraft(.measurement(71, .kilograms), at: entry.draft.at)
    await #expect(throws: DiaryError.foreign) {
      try await place.database.write { try commands.change(entry.id, to: draft, in: $0) }
    }
    try await place.database.write { try commands.remove(entry.id, in: $0) }
    #expect(try await entries(place, .weight) == [])
  }

  @Test func `trackers in use come first, with the unit used last`() async throws {
    let place = try await TestPlace()
    func trackers() async throws -> [Tracker] {
      try await place.database.read { try TrackerStore.all(of: Self.patient, in: $0) }
    }
    #expect(try await trackers().allSatisfy { !$0.isMine })
    try await add(place, .measurement(5.5, .millimolesPerLitre), to: "glucose")
    place.clock.advance(minutes: 1)
    try await add(place, .measurement(110, .milligramsPerDecilitre), to: "glucose")
    let context = place.context
    let own = try await place.database.write { writer in
      try TrackerCommands.add(
        " Water ", scale: .number, unit: "glasses", of: Self.patient, context, in: writer)
    }
    try await add(place, .number(6, unit: "glasses"), to: own.id)
    let listed = try await trackers()
    #expect(listed.prefix(2).map(\.id) == ["glucose", own.id])
    #expect(listed[0].unit == .milligramsPerDecilitre && listed[1].name == "Water")
    #expect(listed.count == StandardTracker.allCases.count + 1)
    let mistakes: [(name: String, error: DiaryError)] = [
      ("", .nameMissing), ("water", .nameTaken), (String(repeating: "a", count: 61), .nameTooLong),
    ]
    for (name, error) in mistakes {
      await #expect(throws: error) {
        try await place.database.write { writer in
          try TrackerCommands.add(
            name, scale: .score, unit: "", of: Self.patient, context, in: writer)
        }
      }
    }
    // Put away, its entries stay, and it takes no new ones.
    try await place.database.write {
      try TrackerCommands.end(own.id, of: Self.patient, context, in: $0)
    }
    #expect(try await trackers().map(\.id).contains(own.id) == false)
    await #expect(throws: DiaryError.notFound) {
      try await add(place, .number(1, unit: "glasses"), to: own.id)
    }
    try await place.database.write {
      try TrackerCommands.end("glucose", of: Self.patient, context, in: $0)
    }
    try await add(place, .measurement(5, .millimolesPerLitre), to: "glucose")
    #expect(try await trackers().first?.id == "glucose")
  }

  @Test func `family reads and writes nothing`() async throws {
    let place = try await TestPlace()
    let actor = Actor(
      accountID: "bob", kind: .session, relationships: [Self.patient: .family], scope: .session)
    let commands = DiaryCommands(
      patient: Self.patient, context: place.context(actor), source: "By hand")
    let draft = DiaryDraft(.score(3), at: place.now)
    await #expect(throws: PlanError.self) {
      try await place.database.write { try commands.add(draft, to: "pain", in: $0) }
    }
    #expect(try await entries(place, .pain) == [])
  }

  @Test func `a reminder ends when the value is entered`() async throws {
    let world = try await ReminderWorld()
    let actor = Actor(
      accountID: ReminderWorld.account, kind: .session,
      relationships: [ReminderWorld.ann: .self_], scope: .session)
    func context() -> CommandContext { world.place.context(actor) }
    let (now, time) = (context(), try #require(ClockTime(text: "08:00")))
    try await world.place.database.write { writer in
      _ = try DiaryReminders.add(
        "blood-pressure", label: "Blood pressure", at: time, of: ReminderWorld.ann, now,
        in: writer)
    }
    await #expect(throws: DiaryError.notFound) {
      try await world.place.database.write { writer in
        _ = try DiaryReminders.add(
          "note", label: "Note", at: time, of: ReminderWorld.ann, now, in: writer)
      }
    }
    #expect(try await world.send(at: "08:00").count == 1)
    let other = DiaryCommands(patient: ReminderWorld.ann, context: context(), source: "By hand")
    let pain = DiaryDraft(.score(1), at: world.now)
    _ = try await world.place.database.write { try other.add(pain, to: "pain", in: $0) }
    #expect(try await world.send(at: "08:05").count == 1)
    let commands = DiaryCommands(
      patient: ReminderWorld.ann, context: context(), source: "By hand")
    let draft = DiaryDraft(.pressure(systolic: 130, diastolic: 80), at: world.now)
    _ = try await world.place.database.write {
      try commands.add(draft, to: "blood-pressure", in: $0)
    }
    #expect(try await world.send(at: "08:10").isEmpty)
    #expect(try await world.send(at: "08:30").isEmpty)
  }
}

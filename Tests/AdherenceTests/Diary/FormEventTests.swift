// SPDX-License-Identifier: Apache-2.0

import Access
import Foundation
import Identifiers
import Localization
import People
import Records
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Diary

/// Forms that are sent more than once, by a page and by the queue of a device.
@Suite struct FormEventTests {
  private static let patient = TestPlace.patient
  private static let event = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

  private func event(isRenewable: Bool = false) throws -> FormEvent {
    try #require(FormEvent(Self.event, isRenewable: isRenewable))
  }

  @Test func `an event is one id of one patient`() throws {
    let event = try event()
    let lower = try #require(FormEvent(Self.event.lowercased()))
    #expect(event.id(for: "ann") == lower.id(for: "ann"))
    #expect(event.id(for: "ann") != event.id(for: "bob"))
    #expect(UUID(uuidString: event.id(for: "ann")) != nil)
    for wrong in ["", "soon", "3F2504E0-4F89-41D3-9A0C"] {
      #expect(FormEvent(wrong) == nil, "\(wrong)")
    }
  }

  // MARK: Diary

  /// Entries that are stored as records, and ones that are stored as measurements.
  static let entries: [(DiaryValue, TrackerID)] = [
    (.score(3), "pain"), (.measurement(70.5, .kilograms), "weight"),
    (.pressure(systolic: 131, diastolic: 82), "blood-pressure"),
    (.graded("Rash", strength: 4), "symptom"),
  ]

  private func add(
    _ place: TestPlace, _ value: DiaryValue, to tracker: TrackerID = "pain", at: Timestamp,
    _ event: FormEvent
  ) async throws -> DiaryEntry {
    let commands = DiaryCommands(
      patient: Self.patient, context: place.context, source: "By hand")
    let draft = DiaryDraft(value, at: at)
    return try await place.database.write {
      try commands.add(draft, to: tracker, event: event, in: $0)
    }
  }

  private func count(_ place: TestPlace) async throws -> Int {
    let decision = decideSearch(
      actor: place.context.actor, resource: "Observation", patient: Self.patient, purpose: .care)
    guard case .allow(let authorization) = decision else { throw DiaryError.notFound }
    return try await place.database.read {
      try DiaryQueries.latest(Self.patient, limit: 20, authorization, in: $0).count
    }
  }

  @Test(arguments: FormEventTests.entries)
  func `an entry sent twice is stored once, with its own time`(
    _ value: DiaryValue, _ tracker: TrackerID
  ) async throws {
    let place = try await TestPlace()
    let (event, at) = (try event(), place.now)
    place.clock.advance(minutes: 24 * 60)
    let first = try await add(place, value, to: tracker, at: at, event)
    place.clock.advance(minutes: 60)
    let again = try await add(place, value, to: tracker, at: at, event)
    #expect(first.id == again.id && again.draft.at == at)
    #expect(try await count(place) == 1)
  }

  @Test func `an event that made another entry is refused, or a new one on a page`() async throws {
    let place = try await TestPlace()
    let (event, at) = (try event(), place.now)
    _ = try await add(place, .score(3), at: at, event)
    await #expect(throws: DiaryError.eventUsed) {
      try await add(place, .score(4), at: at, event)
    }
    await #expect(throws: DiaryError.eventUsed) {
      try await add(place, .score(3), to: "mood", at: at, event)
    }
    let earlier = Timestamp(milliseconds: at.milliseconds - 60_000)
    await #expect(throws: DiaryError.eventUsed) {
      try await add(place, .score(3), at: earlier, event)
    }
    #expect(try await count(place) == 1)
    let page = try self.event(isRenewable: true)
    _ = try await add(place, .score(3), at: at, page)
    #expect(try await count(place) == 1)
    _ = try await add(place, .score(4), at: at, page)
    #expect(try await count(place) == 2)
  }

  @Test(arguments: FormEventTests.entries)
  func `a deleted entry does not come back`(
    _ value: DiaryValue, _ tracker: TrackerID
  ) async throws {
    let place = try await TestPlace()
    let (event, at) = (try event(), place.now)
    let made = try await add(place, value, to: tracker, at: at, event)
    let commands = DiaryCommands(
      patient: Self.patient, context: place.context, source: "By hand")
    try await place.database.write { try commands.remove(made.id, in: $0) }
    await #expect(throws: DiaryError.eventUsed) {
      try await add(place, value, to: tracker, at: at, event)
    }
    #expect(try await count(place) == 0)
  }

  @Test func `a refused entry uses up no event`() async throws {
    let place = try await TestPlace()
    let (event, at) = (try event(), place.now)
    await #expect(throws: DiaryError.unlikely) {
      try await add(place, .measurement(42.1, .celsius), to: "temperature", at: at, event)
    }
    _ = try await add(place, .measurement(40, .celsius), to: "temperature", at: at, event)
    #expect(try await count(place) == 1)
  }

  // MARK: Questionnaires

  private static let answers = [
    "simple": ["yes"], "reminded": ["yes"], "calm": ["yes"], "informed": ["yes"],
    "watch": ["false"],
  ]

  private func submit(
    _ place: TestPlace, answers: [String: [String]] = Self.answers,
    at: Timestamp? = nil, _ event: FormEvent
  ) async throws -> String {
    let form = try #require(QuestionnaireInstruments.all[.aims])
    let commands = QuestionnaireCommands(patient: Self.patient, context: place.context)
    let input = QuestionnaireInput(answers)
    return try await place.database.write {
      try commands.submit(input, to: form, in: .en, event: event, answered: at, $0)
    }
  }

  private func responses(_ place: TestPlace) async throws -> [AnsweredForm] {
    let form = try #require(QuestionnaireInstruments.all[.aims])
    let decision = decideSearch(
      actor: place.context.actor, resource: QuestionnaireCommands.resource,
      patient: Self.patient, purpose: .care)
    guard case .allow(let authorization) = decision else { throw QuestionnaireError.notFound }
    return try await place.database.read {
      try QuestionnaireQueries.history(of: form, authorization, in: $0)
    }
  }

  @Test func `answers sent twice are stored once, with their own time`() async throws {
    let place = try await TestPlace()
    let (event, at) = (try event(), place.now)
    place.clock.advance(minutes: 24 * 60)
    let first = try await submit(place, at: at, event)
    place.clock.advance(minutes: 60)
    #expect(try await submit(place, at: at, event) == first)
    let found = try await responses(place)
    #expect(found.map(\.response) == [first] && found.first?.authored == at)
    #expect(found.first?.score == 100)
  }

  @Test func `other answers with the same event are refused, or new ones on a page`() async throws {
    let place = try await TestPlace()
    let event = try event()
    _ = try await submit(place, event)
    let other = Self.answers.merging(["calm": ["no"]]) { $1 }
    await #expect(throws: QuestionnaireError.eventUsed) {
      try await submit(place, answers: other, event)
    }
    #expect(try await responses(place).count == 1)
    let page = try self.event(isRenewable: true)
    _ = try await submit(place, page)
    #expect(try await responses(place).count == 1)
    _ = try await submit(place, answers: other, page)
    #expect(try await responses(place).count == 2)
  }

  @Test(arguments: [300_000, -2_764_800_000] as [Int64])
  func `answers of the future or of long ago are refused`(_ shift: Int64) async throws {
    let place = try await TestPlace()
    let (event, at) = (try event(), Timestamp(milliseconds: place.now.milliseconds + shift))
    await #expect(throws: QuestionnaireError.time) { try await submit(place, at: at, event) }
    #expect(try await responses(place).isEmpty)
  }

  @Test func `answers close the occasion that was open when they were given`() async throws {
    let place = try await TestPlace()
    let (event, at, context) = (try event(), place.now, place.context)
    let form = try #require(QuestionnaireInstruments.all[.aims])
    let day = try #require(CivilDate(text: "2026-03-01"))
    let schedule = try #require(QuestionnaireSchedule(.weekly, starts: day))
    _ = try await place.database.write {
      try QuestionnaireAssignments.assign(
        form.url, on: schedule, as: .person, reminds: true, to: Self.patient, context, in: $0)
    }
    place.clock.advance(minutes: 8 * 24 * 60)
    let response = try await submit(place, at: at, event)
    let answered = try await place.database.read {
      try QuestionnaireAssignments.answered(of: Self.patient, in: $0)
    }
    #expect(answered.map(\.occasion) == [0])
    #expect(answered.map(\.response) == [response])
  }
}

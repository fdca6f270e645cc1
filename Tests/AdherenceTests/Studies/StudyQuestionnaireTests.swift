// SPDX-License-Identifier: Apache-2.0

import Diary
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Studies

/// Questionnaires of a study: the days on which they are asked, what ends them, and which scores are exported.
@Suite struct StudyQuestionnaireTests {
  private static let patient = PatientID("p")
  private static let share = #"["doses", "reminders", "questionnaires"]"#
  private static let url = QuestionnaireInstruments.Name.usability.url

  private func world(
    _ questionnaires: String = #"[{"id": "usability", "days": [0, 40]}]"#
  ) async throws -> StudyWorld {
    let world = try await StudyWorld(
      StudySample.file(share: Self.share, questionnaires: questionnaires))
    try await world.add(Self.patient)
    return world
  }

  /// Returns the questionnaires that can be answered on a day, with their last days.
  private func due(_ world: StudyWorld, _ day: String) async throws -> [String] {
    let day = try #require(CivilDate(text: day))
    return try await world.database.read { reader in
      try QuestionnaireAssignments.due(of: Self.patient, on: day, in: reader).map {
        "\($0.assignment.byName) \($0.occasion.lastDay.text)"
      }
    }
  }

  /// Answers every statement of the usability scale in the middle, days after joining.
  private func answer(_ world: StudyWorld, days: Int64) async throws {
    let form = try #require(QuestionnaireInstruments.all[.usability])
    let texts = Dictionary(
      uniqueKeysWithValues: form.allItems.filter(\.isQuestion).map { ($0.link, ["neutral"]) })
    let context = world.context(
      Self.patient, at: StudyWorld.start.adding(milliseconds: days * StudyWorld.day + 60_000))
    try await world.database.write { writer in
      _ = try QuestionnaireCommands(patient: Self.patient, context: context)
        .submit(QuestionnaireInput(texts), to: form, in: .de, writer)
    }
  }

  private func scores(_ world: StudyWorld, days: Int64 = 60) async throws -> [[String]]? {
    let end = StudyWorld.start.adding(milliseconds: days * StudyWorld.day)
    return try await world.export(at: end)["questionnaire-scores.csv"]?.studyRows
  }

  @Test func `questionnaires are asked on days counted from joining`() async throws {
    let world = try await self.world()
    try await world.join(Self.patient)
    let title = "Erinnerungen, die nachhaken"
    #expect(try await due(world, "2026-03-01").isEmpty)
    #expect(try await due(world, "2026-03-02") == ["\(title) 2026-03-15"])
    #expect(try await due(world, "2026-03-16").isEmpty)
    #expect(try await due(world, "2026-04-11") == ["\(title) 2026-04-24"])
  }

  @Test func `days are counted on the person's own clock`() async throws {
    let world = try await self.world()
    let patient = Self.patient
    try await world.database.write { writer in
      try writer.execute(
        "UPDATE people SET zone = 'Pacific/Auckland' WHERE patient = $1", [.text(patient)])
    }
    // 20:00 in Berlin is the next morning in Auckland.
    try await world.join(
      patient, at: StudyWorld.start.adding(milliseconds: 12 * StudyWorld.hour))
    #expect(try await due(world, "2026-03-02").isEmpty)
    #expect(try await due(world, "2026-03-03").count == 1)
  }

  @Test func `a quiet reminder is set up for each day, and a withdrawal ends everything`()
    async throws
  {
    let world = try await self.world()
    let patient = Self.patient
    try await world.join(patient)
    func open() async throws -> Int? {
      try await world.database.read { reader in
        try reader.first(
          "SELECT COUNT(*) FROM alerts WHERE patient = $1 AND state = 'open'", [.text(patient)])?
          .value(as: Int.self)
      }
    }
    #expect(try await planned(world) == [Self.url])
    #expect(try await open() == 2)
    try await world.withdraw(
      patient, erasing: false, at: StudyWorld.start.adding(milliseconds: StudyWorld.day))
    #expect(try await due(world, "2026-03-04").isEmpty)
    #expect(try await due(world, "2026-04-11").isEmpty)
    #expect(try await planned(world).isEmpty)
    #expect(try await open() == 0)
  }

  /// Returns the addresses of the questionnaires that the person sees as planned two days after joining.
  private func planned(_ world: StudyWorld) async throws -> [String] {
    let day = try #require(CivilDate(text: "2026-03-04"))
    return try await world.database.read { reader in
      try QuestionnaireAssignments.planned(of: Self.patient, on: day, in: reader)
        .map(\.questionnaire)
    }
  }

  @Test func `closing the study ends its questionnaires`() async throws {
    let world = try await self.world()
    try await world.join(Self.patient)
    try await world.close(at: StudyWorld.start.adding(milliseconds: StudyWorld.day))
    #expect(try await due(world, "2026-03-04").isEmpty)
  }

  @Test func `what a person is asked by others stays, and one answer counts for both`()
    async throws
  {
    let world = try await self.world()
    let (patient, context) = (Self.patient, world.context(Self.patient))
    let starts = try #require(CivilDate(text: "2026-03-02"))
    let own = try #require(QuestionnaireSchedule(.monthly, starts: starts))
    try await world.database.write { writer in
      _ = try QuestionnaireAssignments.assign(
        Self.url, on: own, as: .person, reminds: true, to: patient, context, in: writer)
    }
    try await world.join(patient)
    #expect(try await due(world, "2026-03-02").count == 2)
    try await answer(world, days: 0)
    #expect(try await due(world, "2026-03-02").isEmpty)
    try await world.withdraw(
      patient, erasing: false, at: StudyWorld.start.adding(milliseconds: StudyWorld.day))
    #expect(try await due(world, "2026-04-02") == ["Ann Example 2026-04-15"])
  }

  @Test func `scores are exported with their day, and only those the study asked for`()
    async throws
  {
    let world = try await self.world()
    try await world.join(Self.patient)
    try await answer(world, days: 3)
    // No occasion is open on this day: the answers are the person's own.
    try await answer(world, days: 25)
    try await answer(world, days: 41)
    let name = try #require(try await world.participant(Self.patient)).pseudonym.text
    #expect(
      try await scores(world) == [
        [name, "3", "usability", "usability", "50.0000"],
        [name, "41", "usability", "usability", "50.0000"],
      ])
    #expect(try await scores(world, days: 30)?.count == 1)
    try await world.withdraw(
      Self.patient, erasing: true, at: StudyWorld.start.adding(milliseconds: 59 * StudyWorld.day))
    #expect(try await scores(world) == [])
  }

  @Test func `someone who signed a version without questionnaires shares no score`() async throws {
    let world = try await StudyWorld()
    try await world.add(Self.patient)
    try await world.join(Self.patient)
    try await world.load(
      StudySample.file(
        version: 2, share: Self.share, questionnaires: #"[{"id": "usability", "days": [0]}]"#))
    try await answer(world, days: 0)
    #expect(try await scores(world) == [])
  }

  @Test func `weekly days are one schedule, others one for each day`() throws {
    let joined = try #require(CivilDate(text: "2026-03-02"))
    func spans(_ days: [Int]) -> [String] {
      StudyQuestionnaire(instrument: .aims, days: days).schedules(from: joined, studyDays: 30)
        .map { "\($0.kind.rawValue) \($0.starts.text) \($0.openDays) \($0.lastDay?.text ?? "-")" }
    }
    #expect(spans([1, 8, 15]) == ["weekly 2026-03-03 7 2026-03-17"])
    #expect(
      spans([0, 3, 29]) == [
        "once 2026-03-02 3 -", "once 2026-03-05 14 -", "once 2026-03-31 1 -",
      ])
    // The last week would go beyond the study.
    #expect(spans([20, 27]) == ["once 2026-03-22 7 -", "once 2026-03-29 3 -"])
  }
}

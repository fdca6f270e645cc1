// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Studies

/// The export: figures, pseudonyms, and nothing that leads back to a person.
@Suite struct StudyExportTests {
  private static let patient = PatientID("anna-whom-everyone-knows")
  private static let end = StudyWorld.start.adding(milliseconds: 10 * StudyWorld.day)

  /// Returns a world in which one person took four of five doses, the last of them two hours late.
  private func world() async throws -> StudyWorld {
    let world = try await StudyWorld()
    try await world.add(Self.patient)
    try await world.join(Self.patient)
    let delays: [Int64?] = [3, 1, nil, 5, 120]
    let doses = delays.enumerated().map { number, delay -> StudyWorld.LivedDose in
      let later = Int64(number) * StudyWorld.day + 60_000
      return (StudyWorld.start.adding(milliseconds: later), delay)
    }
    try await world.live(doses, of: Self.patient)
    return world
  }

  @Test func `doses, answers and outcomes are exported by relative days`() async throws {
    let world = try await self.world()
    let files = try await world.export(at: Self.end)
    let name = try #require(try await world.participant(Self.patient)).pseudonym.text
    #expect(
      files["doses.csv"]?.studyRows == [
        [name, "1", "0", "481", "taken", "3"], [name, "1", "1", "481", "taken", "1"],
        [name, "1", "2", "481", "missed", ""], [name, "1", "3", "481", "taken", "5"],
        [name, "1", "4", "481", "taken", "120"],
      ])
    #expect(files["ring-to-answer.csv"]?.studyRows.map { $0[4] } == ["3", "1", "5", "120"])
    #expect(files["answers.csv"]?.studyRows.first == [name, "1", "taken", "0", "484", "0"])
    #expect(files["outcomes.csv"]?.studyRows == [[name, "", "0.8000", "0.6000", "4.0000"]])
    #expect(files["participants.csv"]?.studyRows == [[name, "", "1", "10", "0"]])
    #expect(files["heart-rate-questions.csv"] == nil)
  }

  @Test func `no exported byte names the person, the medicine or a date`() async throws {
    let world = try await self.world()
    let files = try await world.export(at: Self.end)
    #expect(files.count == 9)
    for (name, text) in files {
      for secret in ["anna", "Ann", "Example", "Unmistakablol", "unmistakablol", "2026-0", "m-a"] {
        #expect(!text.contains(secret), "\(name) contains \(secret)")
      }
    }
  }

  @Test func `FHIR dates are shifted by whole weeks, the same for each resource`() async throws {
    let world = try await self.world()
    let files = try await world.export(at: Self.end)
    let lines = try #require(files["MedicationAdministration.ndjson"]).split(separator: "\n")
    #expect(lines.count == 4)
    let name = try #require(try await world.participant(Self.patient)).pseudonym
    let weeks = StudySeed(bytes: StudyWorld.seed).weeks(of: name)
    for (line, day) in zip(lines, [0, 1, 3, 4]) {
      let json = try JSONValue(parsing: String(line))
      #expect(json["subject"]?["reference"]?.string == "Patient/\(name)")
      let minutes: Int64 = [0: 4, 1: 2, 3: 6, 4: 121][day] ?? 0
      let at =
        StudyWorld.start.milliseconds
        + (Int64(day) - Int64(weeks) * 7) * StudyWorld.day + minutes * 60_000
      #expect(
        json["effectiveDateTime"]?.string
          == FHIRDateTime.instantText(milliseconds: at, offsetMinutes: 0))
    }
  }

  @Test func `the arm appears only after the study was closed`() async throws {
    let world = try await self.world()
    let arm = try #require(try await world.participant(Self.patient)).arm
    #expect(try await world.export(at: Self.end)["participants.csv"]?.contains(arm) == false)
    try await world.close(at: Self.end)
    let after = Self.end.adding(milliseconds: StudyWorld.day)
    #expect(try await world.export(at: after)["participants.csv"]?.studyRows.first?[1] == arm)
  }

  @Test func `a withdrawal ends the data, and at a person's wish removes it`() async throws {
    let world = try await self.world()
    let early = StudyWorld.start.adding(milliseconds: 2 * StudyWorld.day)
    try await world.withdraw(Self.patient, erasing: false, at: early)
    #expect(try await world.export(at: Self.end)["doses.csv"]?.studyRows.count == 2)
    try await world.withdraw(Self.patient, erasing: true, at: Self.end)
    for (name, text) in try await world.export(at: Self.end)
    where name != "dictionary.csv" && name != "summary.csv" {
      #expect(text.studyRows.isEmpty, "\(name)")
    }
  }

  @Test func `a dose counts once its window is over, whether it was taken or not`() async throws {
    let world = try await StudyWorld()
    try await world.add(Self.patient)
    try await world.join(Self.patient)
    try await world.live([(StudyWorld.start.adding(milliseconds: 60_000), 3)], of: Self.patient)
    let early = StudyWorld.start.adding(milliseconds: 2 * StudyWorld.hour)
    #expect(try await world.export(at: early)["doses.csv"]?.studyRows == [])
    let late = StudyWorld.start.adding(milliseconds: 5 * StudyWorld.hour)
    #expect(try await world.export(at: late)["doses.csv"]?.studyRows.count == 1)
  }

  @Test func `participants see each export, and it is in their access log`() async throws {
    let world = try await self.world()
    _ = try await world.export(at: Self.end)
    let (notes, logged) = try await world.database.read { reader in
      (
        try StudyQueries.exports(of: StudyWorld.study, since: StudyWorld.start, in: reader),
        try reader.first(
          "SELECT COUNT(*) FROM audit WHERE patient = $1 AND kind = 'export'",
          [.text(Self.patient)])?.value(as: Int.self)
      )
    }
    #expect(notes.map(\.participants) == [1] && notes.first?.made == Self.end)
    #expect(logged == 1)
  }

  @Test func `a later version does not share more of those who signed an earlier one`()
    async throws
  {
    let few = #"[{"id": "covered", "measure": "days-covered"}]"#
    let world = try await StudyWorld(
      StudySample.file(share: #"["doses"]"#, outcomes: few))
    try await world.add(Self.patient)
    try await world.join(Self.patient)
    try await world.live([(StudyWorld.start.adding(milliseconds: 60_000), 3)], of: Self.patient)
    try await world.load(StudySample.file(version: 2))
    let files = try await world.export(at: Self.end)
    #expect(files["doses.csv"]?.studyRows.count == 1)
    #expect(files["answers.csv"]?.studyRows == [])
    #expect(files["ring-to-answer.csv"]?.studyRows == [])
    #expect(files["MedicationAdministration.ndjson"] == "")
    let figures = files["outcomes.csv"]?.studyRows.first
    #expect(figures?.dropFirst(2) == ["1.0000", "1.0000", ""])
  }

  @Test func `small groups of the summary are marked`() async throws {
    let world = try await self.world()
    let rows = try await world.export(at: Self.end)["summary.csv"]?.studyRows
    #expect(rows?.first == ["all", "participants", "<5"])
    #expect(rows?.contains(["all", "covered mean", "suppressed"]) == true)
  }

  @Test func `the dictionary has every column of every table`() async throws {
    let world = try await self.world()
    let files = try await world.export(at: Self.end)
    let rows = try #require(files["dictionary.csv"]).studyRows
    for (name, text) in files where name.hasSuffix(".csv") {
      let header = text.split(separator: "\r\n").first.map(String.init) ?? ""
      #expect(
        rows.filter { $0[0] == name }.map { $0[1] }
          == header.split(separator: ",").map(String.init),
        "\(name)")
    }
  }

  @Test func `a researcher's token opens one study and no patient`() async throws {
    let world = try await self.world()
    let (commands, token) = (world.commands, Secret(text: "rgr_matrix"))
    try await world.database.write { writer in
      try commands.addResearcher(
        "r", name: "Dr. Example", to: StudyWorld.study, token: token, by: "operator",
        at: StudyWorld.start, in: writer)
    }
    let caller = try #require(
      try await world.database.read { try ResearcherCaller.find(token, in: $0) })
    #expect(try caller.authorize(.export).study == StudyWorld.study)
    #expect(throws: DenialReason.self) { try caller.authorize(.update) }
    let authorization = try caller.authorize(.read)
    let counts = try await world.database.read { try StudyCounts.read(authorization, in: $0) }
    #expect(counts.taking == "<5" && counts.withdrawn == "0" && counts.isOpen)
    let actor = authorization.actor
    for action in Access.Action.allCases {
      for resource in ["Patient", "Dose", "Study", "Observation"] {
        let decision = decide(
          actor: actor, action: action, patient: Self.patient, resource: resource, purpose: .care)
        #expect(decision == .deny(.noRelationship))
        let shared = decideShared(
          actor: actor, action: action, resource: resource, purpose: .care)
        #expect(shared == .deny(.scopeNotAllowed))
      }
      let other = decideStudy(actor: actor, action: action, study: "other")
      #expect(other == .deny(.scopeNotAllowed))
    }
    try await world.database.write { writer in
      try commands.revokeResearcher(
        "r", of: StudyWorld.study, by: "operator", at: Self.end, in: writer)
    }
    #expect(try await world.database.read { try ResearcherCaller.find(token, in: $0) } == nil)
  }
}

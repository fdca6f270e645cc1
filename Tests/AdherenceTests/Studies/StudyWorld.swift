// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Storage
import TestSupport
import TimeZones

@testable import Adherence
@testable import Studies

/// A database with a loaded study, and people who can join it.
struct StudyWorld: Sendable {
  static let study = StudyID("reminders-2026")
  static let hour: Int64 = 3_600_000
  static let day = 24 * hour
  /// 2026-03-02T08:00:00+01:00, a Monday.
  static let start = Timestamp(milliseconds: 1_772_434_800_000)
  static let seed = [UInt8](repeating: 5, count: 32)
  /// A person of the right age with a medicine.
  static let candidate = StudyCandidate(age: 44, hasMedicine: true)

  let database: Database
  let accounts: AccountStore
  private let identifiers = CountingIdentifiers(prefix: "id-")

  var commands: StudyCommands { StudyCommands(accounts: accounts) }

  init(_ text: String = StudySample.text) async throws {
    let keys = try KeyRing.generate { count in
      (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }
    database = try await TestDatabase.open(keys: keys)
    accounts = AccountStore(cipher: FieldCipher(keys: keys), consequences: [])
    try await load(text)
  }

  func load(_ text: String) async throws {
    let (file, commands) = (try StudyFile(Array(text.utf8)), commands)
    try await database.write { writer in
      try commands.load(file, seed: Self.seed, by: "operator", at: Self.start, in: writer)
    }
  }

  func actor(_ patient: PatientID, as right: Relationship = .self_) -> Actor {
    Actor(
      accountID: AccountID("account-\(patient)"), kind: .session, relationships: [patient: right],
      scope: .session)
  }

  func context(_ patient: PatientID, at now: Timestamp = start, as right: Relationship = .self_)
    -> CommandContext
  {
    CommandContext(
      actor: actor(patient, as: right), byName: "Ann Example", now: now,
      newIdentifier: { [identifiers] in identifiers.next() }, zones: ZoneCatalog(),
      consequences: .all)
  }

  /// Adds a person in Berlin with the medicine `m-<patient>`.
  func add(_ patient: PatientID) async throws {
    try await database.write { writer in
      try writer.addPerson(patient)
      try writer.execute(
        """
        INSERT INTO plans (patient, plan, request_version, status, medicine_name, ingredients,
          policy, era, kind, anchor, anchor_date, active_from, minimum_gap, planned_through,
          created, changed)
        VALUES ($1, $2, 1, 'active', 'Unmistakablol', 'name:unmistakablol', 'follow', 1,
          'calendar', 0, '2026-03-01', 0, NULL, $3, 0, 0)
        """, [.text(patient), .text(Self.plan(of: patient)), .integer(.max)])
    }
  }

  static func plan(of patient: PatientID) -> PlanID { PlanID("m-\(patient)") }

  @discardableResult
  func join(
    _ patient: PatientID, at now: Timestamp = start, version: Int = 1, language: Language = .de,
    answers: [String: Bool] = ["phone": true], understanding: [String: String] = ["leave": "yes"],
    name: String = "Ann Example", candidate: StudyCandidate = candidate,
    as right: Relationship = .self_
  ) async throws -> StudyParticipant {
    let (commands, context) = (commands, context(patient, at: now, as: right))
    let request = StudyCommands.Request(
      version: version, language: language, answers: answers, understanding: understanding,
      name: name)
    return try await database.write { writer in
      try commands.join(
        Self.study, patient, request, candidate: candidate, context, in: writer)
    }
  }

  func withdraw(_ patient: PatientID, erasing: Bool, at now: Timestamp) async throws {
    let (commands, context) = (commands, context(patient, at: now))
    try await database.write { writer in
      try commands.withdraw(patient, from: Self.study, erasing: erasing, context, in: writer)
    }
  }

  func close(at now: Timestamp) async throws {
    let commands = commands
    let context = CommandContext(
      actor: .host(accountID: .hostOperator), byName: "", now: now,
      newIdentifier: { [identifiers] in identifiers.next() }, zones: ZoneCatalog(),
      consequences: .all)
    try await database.write { writer in
      try commands.close(Self.study, by: .hostOperator, at: now, in: writer)
      var last: StudyPseudonym? = StudyPseudonym("")
      while let after = last {
        last = try commands.end(Self.study, after: after, limit: 2, context, in: writer)
      }
    }
  }

  func participant(_ patient: PatientID) async throws -> StudyParticipant? {
    try await database.read { reader in
      try StudyQueries.participant(patient, in: Self.study, reader: reader)
    }
  }

  /// A dose that rang at its time, and the minutes after which it was answered; nil without an answer.
  typealias LivedDose = (due: Timestamp, minutes: Int64?)

  /// Adds the doses of a person, and answers them in the way of everyone.
  func live(_ doses: [LivedDose], of patient: PatientID) async throws {
    let contexts = doses.map { dose in
      context(patient, at: dose.due.adding(milliseconds: (dose.minutes ?? 0) * 60_000))
    }
    let plan = Self.plan(of: patient)
    try await database.write { writer in
      for (number, dose) in doses.enumerated() {
        let id = DoseID(plan: plan, era: 1, occurrence: .running(Int64(number)))
        let ring = "ring-\(patient)-\(number)"
        try Self.insert(id, ringing: ring, at: dose.due, of: patient, in: writer)
        guard dose.minutes != nil else { continue }
        _ = try AnswerCommands.answer(
          id, patient: patient, AnswerRequest(action: .taken, confirm: true),
          context: contexts[number], in: writer)
      }
    }
  }

  private static func insert(
    _ id: DoseID, ringing ring: String, at due: Timestamp, of patient: PatientID,
    in writer: any SQLWriter
  ) throws {
    try writer.execute(
      """
      INSERT INTO reminders (patient, subject, kind, generation, started, step, next_at, due,
        ends, fresh_until, handed_over, state, outcome, opened, closed)
      VALUES ($1, $2, 'doses', 1, $3, 1, $3, $3, $3, $3, $3, 'closed', 'expired', $3, $3)
      """, [.text(patient), .text(ring), SQLValue(due)])
    try writer.execute(
      """
      INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until,
        state, version, reminder)
      VALUES ($1, $2, 1, $3, $4, $5, $6, 'open', 1, $7)
      """,
      [
        .text(patient), .text(id.plan), .text(id.occurrence.text), SQLValue(due),
        SQLValue(due.adding(milliseconds: hour)),
        SQLValue(due.adding(milliseconds: 4 * hour)), .text(ring),
      ])
  }

  /// Exports the study as the operator, and returns the text of each file.
  func export(at now: Timestamp) async throws -> [String: String] {
    let decision = decideStudy(
      actor: .host(accountID: .hostOperator), action: .export, study: Self.study)
    guard case .allow(let authorization) = decision else { return [:] }
    let export = try await StudyExport.begin(
      authorization, files: nil, byName: "", id: identifiers.next(), accounts: accounts,
      zones: ZoneCatalog(), at: now, database: database)
    var files: [String: [UInt8]] = [:]
    try await export.write(from: database) { file, bytes in
      files[file.rawValue, default: []] += bytes
    }
    return files.mapValues { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  /// The lines of a table without its header, as cells.
  var studyRows: [[String]] {
    split(separator: "\r\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

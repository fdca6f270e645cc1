// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage
import TestSupport
import TimeZones

@testable import Adherence
@testable import Dosing
@testable import People
@testable import Plans

/// A database with one patient in Berlin, for plans and doses inserted as rows.
struct AnswerWorld: Sendable {
  static let patient = PatientID("anna")
  static let hour: Int64 = 3_600_000
  static let minute: Int64 = 60_000
  /// 2026-03-02T08:00:00+01:00, a Monday.
  static let eight = Timestamp(milliseconds: 1_772_434_800_000)

  let database: Database
  private let identifiers = CountingIdentifiers(prefix: "id-")

  init() async throws {
    let keys = try KeyRing.generate { count in
      (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }
    database = try await TestDatabase.open(keys: keys)
    try await database.write { writer in
      try writer.execute(
        "INSERT INTO people (patient, display_name, zone, language) VALUES ($1, $2, $3, $4)",
        [.text(Self.patient), "Anna", "Europe/Berlin", "de"])
    }
  }

  func context(
    now: Timestamp = eight, by name: String = "Ann", actor: Actor = .itself
  ) -> CommandContext {
    CommandContext(
      actor: actor, byName: name, now: now, newIdentifier: { [identifiers] in identifiers.next() },
      zones: ZoneCatalog(), consequences: .all)
  }

  /// Adds a plan as the planner leaves it; `gap` in hours.
  func addPlan(
    _ plan: PlanID, name: String = "Metoprolol", codes: [String] = [], gapHours: Int64? = 6,
    status: String = "active"
  ) async throws {
    let keys = [Ingredient.key(name: name)] + codes.map { "code:\($0)" }
    try await database.write { writer in
      try writer.execute(
        """
        INSERT INTO plans (patient, plan, request_version, status, medicine_name, ingredients,
          policy, era, kind, anchor, anchor_date, active_from, minimum_gap, planned_through,
          created, changed)
        VALUES ($1, $2, 1, $3, $4, $5, 'follow', 1, 'calendar', 0, '2026-03-01', 0, $6, $7, 0, 0)
        """,
        [
          .text(Self.patient), .text(plan), .text(status), .text(name),
          .text(Ingredient.column(keys)), SQLValue(gapHours.map { $0 * Self.hour }),
          .integer(.max),
        ])
    }
  }

  /// Adds a dose due some minutes after eight, on time for an hour and late for four.
  @discardableResult
  func addDose(
    _ plan: PlanID, _ number: Int64 = 0, dueMinutes: Int64 = 0, nextMinutes: Int64? = 720,
    state: DoseState.Stored = .open, reason: DoseStateReason? = nil, amount: Bool = true
  ) async throws -> DoseID {
    let id = DoseID(plan: plan, era: 1, occurrence: .running(number))
    let due = Self.eight.adding(milliseconds: dueMinutes * Self.minute)
    try await database.write { writer in
      try writer.execute(
        """
        INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until,
          next_due, amount_value, amount_unit, state, state_reason, version)
        VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1)
        """,
        [
          .text(Self.patient), .text(plan), .text(id.occurrence.text), SQLValue(due),
          SQLValue(due.adding(milliseconds: Self.hour)),
          SQLValue(due.adding(milliseconds: 4 * Self.hour)),
          SQLValue(nextMinutes.map { Self.eight.adding(milliseconds: $0 * Self.minute) }),
          amount ? "1.50" : .null, amount ? "tablet" : .null, .text(state.rawValue),
          SQLValue(reason?.rawValue),
        ])
    }
    return id
  }

  func answer(
    _ dose: DoseID, _ request: AnswerRequest, at now: Timestamp = eight, by name: String = "Ann",
    actor: Actor = .itself, patient: PatientID = patient
  ) async throws -> AnswerOutcome {
    let context = context(now: now, by: name, actor: actor)
    return try await outcome { writer in
      .dose(
        try AnswerCommands.answer(
          dose, patient: patient, request, context: context, in: writer))
    }
  }

  func administer(
    _ request: AdministrationRequest, at now: Timestamp = eight, by name: String = "Ann",
    actor: Actor = .itself
  ) async throws -> AnswerOutcome {
    let context = context(now: now, by: name, actor: actor)
    return try await outcome { writer in
      .recorded(try IntakeCommands.record(request, context: context, in: writer))
    }
  }

  func outcome(
    _ body: @escaping @Sendable (any SQLWriter) throws -> AnswerOutcome
  ) async throws -> AnswerOutcome {
    do {
      return try await database.write(body)
    } catch let error as AnswerError {
      return AnswerOutcome(error)
    }
  }

  /// Returns the dose as the module's queries read it.
  func dose(_ id: DoseID, at now: Timestamp = eight) async throws -> Dose? {
    try await database.read { reader in
      try DoseQueries.dose(id, patient: Self.patient, now: now, in: reader)
    }
  }

  func intakes() async throws -> [Intake] {
    try await database.read { reader in
      try IntakeQueries.recent(
        patient: Self.patient, from: Timestamp(milliseconds: .min),
        until: Timestamp(milliseconds: .max), in: reader)
    }
  }
}

extension Actor {
  /// The patient's own account.
  static let itself = Actor(
    accountID: "account-1", kind: .session, relationships: [AnswerWorld.patient: .self_],
    scope: .session)
  static let guardian = Actor(
    accountID: "account-2", kind: .session, relationships: [AnswerWorld.patient: .guardian],
    scope: .session)
  static let family = Actor(
    accountID: "account-3", kind: .session, relationships: [AnswerWorld.patient: .family],
    scope: .session)
  static let stranger = Actor(
    accountID: "account-4", kind: .session, relationships: ["otto": .self_], scope: .session)
}

/// The result of a command, in a form that tests compare.
enum AnswerOutcome: Sendable {
  case dose(Dose)
  case recorded(RecordedAdministration)
  case refused(Refusal, Dose?)
  case asked(IntakeQuestion)
  case failed(any Error)

  enum Refusal: Sendable, Hashable {
    case notFound, answered, stale, cancelled, notAuthorized
    case invalid(AnswerIssue)
  }

  init(_ error: AnswerError) {
    self =
      switch error {
      case .notFound: .refused(.notFound, nil)
      case .answered(let dose): .refused(.answered, dose)
      case .stale(let dose): .refused(.stale, dose)
      case .cancelled(let dose): .refused(.cancelled, dose)
      case .notAuthorized: .refused(.notAuthorized, nil)
      case .invalid(let issue): .refused(.invalid(issue), nil)
      case .confirm(let question): .asked(question)
      case .records, .storage: .failed(error)
      }
  }

  var dose: Dose? {
    switch self {
    case .dose(let dose): dose
    case .recorded(let recorded): recorded.dose
    case .refused(_, let dose): dose
    case .asked, .failed: nil
    }
  }

  /// The dose of an accepted answer.
  var accepted: Dose? {
    if case .dose(let dose) = self { dose } else { nil }
  }

  var recorded: RecordedAdministration? {
    if case .recorded(let recorded) = self { recorded } else { nil }
  }

  var refusal: Refusal? {
    if case .refused(let refusal, _) = self { refusal } else { nil }
  }

  var question: IntakeQuestion? {
    if case .asked(let question) = self { question } else { nil }
  }

  var asked: [Intake]? {
    question?.intakes
  }
}

/// Returns the event with a number, as a UUID.
func event(_ number: Int) -> String {
  let digits = String(number)
  return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

// SPDX-License-Identifier: Apache-2.0
import Access
import Adherence
import Dosing
import FHIR
import Identifiers
import Localization
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones

/// A database with one patient, an account that may act for them, a clock and counted ids.
package struct TestPlace: Sendable {
  /// The patient that every place has.
  package static let patient = PatientID("ann")

  /// An empty database apart from the patient.
  package let database: Database
  /// The clock, which stands still until a test moves it.
  package let clock: FixedClock
  /// The source of new identifiers: `id1`, `id2` and so on.
  package let identifiers: CountingIdentifiers
  /// The time zones of the system.
  package let zones: ZoneCatalog

  /// Creates a place at an instant, with the patient living in a zone.
  package init(
    at start: String = "2026-03-01T06:00:00+01:00", zone: String = "Europe/Berlin",
    rhythm: DailyRhythm = .standard
  ) async throws {
    clock = FixedClock(start)
    identifiers = CountingIdentifiers()
    zones = ZoneCatalog()
    let keys = try KeyRing.generate { count in [UInt8](repeating: 7, count: count) }
    database = try await TestDatabase.open(keys: keys)
    try await addPatient(Self.patient, zone: zone, rhythm: rhythm)
  }

  /// The instant at which the clock stands.
  package var now: Timestamp { clock.now }

  /// The context of a command by the patient's own account, signed in.
  package var context: CommandContext { context(patients: [Self.patient]) }

  /// Returns the context of an account that is each patient's own, with every consequence.
  package func context(patients: [PatientID], kind: Actor.Kind = .session) -> CommandContext {
    let relationships = Dictionary(uniqueKeysWithValues: patients.map { ($0, Relationship.self_) })
    return context(
      Actor(accountID: "account", kind: kind, relationships: relationships, scope: .session))
  }

  /// Returns the context of an actor, with every consequence.
  package func context(_ actor: Actor) -> CommandContext {
    CommandContext(
      actor: actor, byName: "Ann", now: clock.now, newIdentifier: identifiers.next, zones: zones,
      consequences: .all)
  }

  /// Adds a patient called Ann Example, who speaks English, through the program's own command.
  package func addPatient(_ id: PatientID, zone: String, rhythm: DailyRhythm = .standard)
    async throws
  {
    let details = PatientDetails(
      givenName: "Ann", familyName: "Example", language: .en, zone: zone, rhythm: rhythm)
    let context = context(patients: [id])
    try await database.write { writer in
      try PeopleCommands.create(details, patient: id, context: context, in: writer)
    }
  }

  /// Adds a medicine through the form's own command.
  @discardableResult
  package func add(_ draft: PlanDraft) async throws -> Plan {
    let context = context
    return try await database.write { writer in
      try PlanCommands.add(draft, patient: Self.patient, context: context, in: writer)
    }
  }

  /// Edits a plan through the form's own command, whatever its version.
  @discardableResult
  package func edit(_ plan: PlanID, _ draft: PlanDraft) async throws -> Plan {
    let context = context
    return try await database.write { writer in
      try PlanCommands.edit(plan, draft, ifVersion: nil, context: context, in: writer)
    }
  }

  /// Stops a plan through the form's own command.
  @discardableResult
  package func stop(_ plan: PlanID, reason: String = "Finished") async throws -> Plan {
    let context = context
    return try await database.write { writer in
      try PlanCommands.stop(plan, reason: reason, context: context, in: writer)
    }
  }

  /// Posts a request (`id` nil) or puts it; returns the plan that it became.
  @discardableResult
  package func receive(_ resource: JSONValue, id: PlanID? = nil, ifVersion: Int64? = nil)
    async throws -> Plan
  {
    let context = context
    return try await database.write { writer in
      let record = try PlanCommands.receive(
        resource, id: id, ifVersion: ifVersion, context: context, in: writer
      ).record
      guard
        let plan = try PlanQueries.plan(PlanID(record.id), patient: record.patient, in: writer)
      else { throw PlanError.notFound }
      return plan
    }
  }

  /// Changes the patient's details through the form's own command.
  package func change(_ change: @escaping @Sendable (inout PatientDetails) -> Void) async throws {
    let context = context
    try await database.write { writer in
      guard var details = try PeopleQueries.details(Self.patient, in: writer)?.details else {
        throw PeopleError.notFound
      }
      change(&details)
      try PeopleCommands.change(details, patient: Self.patient, context: context, in: writer)
    }
  }

  /// Moves the patient to a time zone such as "Europe/Berlin".
  package func move(to zone: String) async throws {
    try await change { $0.zone = zone }
  }

  /// Extends the doses ahead of at most 1,000 plans, and returns the number of plans extended.
  @discardableResult
  package func extendHorizon() async throws -> Int {
    let (now, zones) = (clock.now, zones)
    return try await database.write { writer in
      try PlanCommands.extendHorizon(now: now, limit: 1_000, zones: zones, in: writer)
    }
  }

  /// Returns the patient's doses between two instants such as "2026-03-01T08:00:00+01:00".
  package func listing(from: String, until: String) async throws -> DoseListing {
    try await listing(from: Timestamp(from), until: Timestamp(until))
  }

  /// Returns the patient's doses from an instant until another, excluded.
  package func listing(from: Timestamp, until: Timestamp) async throws -> DoseListing {
    let (now, zones) = (clock.now, zones)
    return try await database.read { reader in
      try DoseQueries.listing(
        patient: Self.patient, from: from, until: until, now: now, zones: zones, in: reader)
    }
  }
}

extension DoseListing {
  /// The due times on the patient's clock with their states, such as "2026-03-01T08:00:00+01:00
  /// due".
  package var lines: [String] {
    doses.map { dose in
      let offset = zone.offsetSeconds(at: Instant(milliseconds: dose.due.milliseconds)) / 60
      let text = FHIRDateTime.instantText(
        milliseconds: dose.due.milliseconds, offsetMinutes: offset)
      return "\(text) \(dose.state.rawValue)"
    }
  }
}

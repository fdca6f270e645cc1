// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones

/// A reason why a command on a patient's details changed nothing.
package enum PeopleError: Error, Sendable {
  /// There is no such patient, or the actor may not know of them.
  case notFound
  case invalid([PatientDetailsIssue])
  /// The details have changed in the meantime; carries their current version.
  case versionConflict(current: Int64)
  case notAuthorized
  /// The plans could not be adjusted to the new details.
  case plans(PlanError)
}

/// Changes patients' own details.
package enum PeopleCommands {
  /// Creates a patient with the given identifier.
  @discardableResult
  package static func create(
    _ details: PatientDetails, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PeopleError) -> StoredRecord {
    let authorization = try authorize(.create, patient, context)
    try check(details, context)
    return try people {
      try PeopleRows.save(details.person, patient: patient, in: writer)
      return try RecordStore().create(
        details.resource(replacing: nil), type: "Patient", id: patient.text,
        authorization: authorization, at: context.now, in: writer)
    }
  }

  /// Saves changed details as a new version of the Patient.
  ///
  /// A new zone opens an era of the plans that follow the patient; new times of waking, meals and sleep move
  /// the doses tied to them that are not yet due.
  ///
  /// - Parameter ifVersion: the version that the change is based on; nil to skip the check.
  @discardableResult
  package static func change(
    _ details: PatientDetails, patient: PatientID, ifVersion: Int64? = nil,
    context: CommandContext, in writer: any SQLWriter
  ) throws(PeopleError) -> StoredRecord {
    let authorization = try authorize(.update, patient, context)
    return try people {
      guard let before = try PeopleRows.load(patient, in: writer) else {
        throw PeopleError.notFound
      }
      try check(details, context)
      let stored = try RecordStore().read(
        "Patient", patient.text, authorization: try reading(patient, context), in: writer)
      let record = try RecordStore().update(
        details.resource(replacing: try stored.json()), type: "Patient", id: patient.text,
        ifVersion: ifVersion, authorization: authorization, at: context.now, in: writer)
      try follow(details.person, after: before, patient, context, in: writer)
      return record
    }
  }

  /// Erases a patient with everything that the foreign keys reach: records with their versions, plans,
  /// answers, settings, grants, and the accounts of the patient.
  package static func erase(_ patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try PeopleRows.erase(patient, in: writer)
  }

  /// Saves the row of a person whose record has changed, and brings names and plans in line with it.
  static func follow(
    _ after: Person, after before: Person, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    try PeopleRows.save(after, patient: patient, in: writer)
    if before.language != after.language {
      try ShownNames.renew(
        of: patient, in: after.language, consequences: context.consequences, writer: writer)
    }
    if before.zone != after.zone || before.rhythm != after.rhythm {
      try bringInLine(patient, from: before, to: after, context, in: writer)
    }
    if before.zone != after.zone {
      for consequence in context.consequences[ZoneConsequence.self] {
        try consequence.carryOut(patient, context, writer)
      }
    }
  }

  private static func bringInLine(
    _ patient: PatientID, from before: Person, to after: Person, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let change = PlanCommands.change(context, writer)
    let reason: DoseStateReason = before.zone == after.zone ? .edit : .zoneChange
    for row in try PlanStore.all(patient: patient, in: writer)
    where row.isRinging && (row.kind == .calendar || row.kind == .elapsed) {
      var snapshot = try PlanSnapshot.load(row, in: writer)
      let moves = before.zone != after.zone && PlanChange.follows(row, to: after.zone)
      let isTiedToEvents = snapshot.slots.contains { slot in
        if case .event = slot.time { true } else { false }
      }
      guard moves || (isTiedToEvents && before.rhythm != after.rhythm) else { continue }
      try change.settle(&snapshot, rhythm: before.rhythm)
      try change.follow(snapshot, person: after, reason: reason)
    }
  }

  private static func check(_ details: PatientDetails, _ context: CommandContext)
    throws(PeopleError)
  {
    let zone = (try? context.zones.zone(details.zone)) ?? .utc
    let issues = details.issues(
      today: zone.date(at: Instant(context.now)), zones: context.zones)
    if !issues.isEmpty { throw .invalid(issues) }
  }

  static func authorize(
    _ action: Action, _ patient: PatientID, _ context: CommandContext
  ) throws(PeopleError) -> Authorization {
    switch decide(
      actor: context.actor, action: action, patient: patient, resource: "Patient",
      purpose: context.purpose)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason.concealsExistence ? .notFound : .notAuthorized
    }
  }

  private static func reading(_ patient: PatientID, _ context: CommandContext)
    throws(PeopleError) -> Authorization
  {
    try authorize(.read, patient, context)
  }

  static func people<T>(_ steps: () throws -> T) throws(PeopleError) -> T {
    do {
      return try planning {
        do {
          return Result<T, PeopleError>.success(try steps())
        } catch let error as PeopleError {
          return .failure(error)
        }
      }.get()
    } catch let error as PlanError {
      switch error {
      case .notFound: throw .notFound
      case .versionConflict(let current): throw .versionConflict(current: current)
      case .notAuthorized: throw .notAuthorized
      default: throw .plans(error)
      }
    } catch let error as PeopleError {
      throw error
    } catch {
      throw .plans(.unreadableRecord)
    }
  }
}

extension PatientDetails {
  var person: Person {
    Person(
      displayName: displayName, zone: zone, language: language, rhythm: rhythm, label: label)
  }
}

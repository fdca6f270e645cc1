// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import People
import Records
import Scheduling
import Storage
import TimeZones

/// Commands that change plans.
///
/// Each writes record, plan, slots, doses and audit in the given transaction. If it throws, the
/// caller must roll the transaction back.
package enum PlanCommands {
  /// Adds a medicine that the person entered; it is active at once.
  package static func add(
    _ draft: PlanDraft, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      let authorization = try authorize(.create, patient: patient, context)
      let person = try person(patient, in: writer)
      let zone = try context.zones.zone(person.zone)
      try check(draft, person: person, zone: zone, context)
      let resource = draft.medicationRequest(
        patient: patient, authoredOn: context.now, zone: zone, replacing: nil)
      try checkFrequency(
        resource, confirmed: draft.confirmations, patient: patient, person: person, context,
        in: writer)
      let record = try RecordStore().create(
        resource, type: "MedicationRequest", id: context.newIdentifier(),
        authorization: authorization, at: context.now, in: writer)
      try PlanConfirmations.save(
        draft.confirmations, of: record.id, authorization, context, in: writer)
      return try change(context, writer).begin(record, person: person, policy: draft.policy).plan
    }
  }

  /// Changes a plan as the person entered it; doses keep their identity.
  ///
  /// Elements that the form does not know stay as they are.
  ///
  /// - Parameter ifVersion: the version that the person saw; nil to skip the check.
  package static func edit(
    _ plan: PlanID, _ draft: PlanDraft, ifVersion: Int64?, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      var before = try existing(plan, in: writer)
      let patient = before.row.patient
      let authorization = try authorize(.update, patient: patient, context)
      let person = try person(patient, in: writer)
      guard !hasEnded(before.row.status) else { throw PlanError.alreadyStopped }
      let zone = try context.zones.zone(person.zone)
      try check(draft, person: person, zone: zone, context)
      let resource = draft.medicationRequest(
        patient: patient, authoredOn: nil, zone: zone, replacing: before.request.json)
      try checkFrequency(
        resource, subjects: [plan.text], confirmed: draft.confirmations, patient: patient,
        person: person, context, in: writer)
      try PlanConfirmations.save(
        draft.confirmations, of: plan.text, authorization, context, in: writer)
      let change = change(context, writer)
      try change.settle(&before, rhythm: person.rhythm)
      let record = try RecordStore().update(
        resource, type: "MedicationRequest", id: plan.text, ifVersion: ifVersion,
        authorization: authorization, at: context.now, in: writer)
      return try change.take(
        record, into: before, person: person, policy: draft.policy, named: draft.namedSlots,
        pairsInOrder: false
      ).plan
    }
  }

  /// Stops a plan at once: future doses are cancelled, and the reason is stored in the request.
  ///
  /// - Parameter reason: 1 to 500 characters.
  package static func stop(
    _ plan: PlanID, reason: String, ifVersion: Int64? = nil, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      let before = try existing(plan, in: writer)
      _ = try authorize(.update, patient: before.row.patient, context)
      guard !hasEnded(before.row.status) else { throw PlanError.alreadyStopped }
      let words = DraftText.trimmed(reason)
      guard (1...500).contains(words.count) else { throw PlanError.reasonMissing }
      return try changeStatus(
        of: before, to: "stopped", reason: ["text": .string(words)], ifVersion: ifVersion, context,
        in: writer)
    }
  }

  /// Adds the dose rows of up to `limit` plans that lack some within the next 48 hours.
  ///
  /// A plan that can no longer be read becomes unplanned with its reason and does not stop the
  /// others.
  ///
  /// - Returns: the number of plans.
  package static func extendHorizon(
    now: Timestamp, limit: Int, zones: ZoneCatalog, in writer: any SQLWriter
  ) throws(PlanError) -> Int {
    try planning {
      let horizon = now.adding(milliseconds: DoseProjection.horizonMilliseconds)
      let behind = try PlanStore.behind(horizon, limit: limit, in: writer)
      for key in behind {
        guard
          var snapshot = try PlanSnapshot.load(key.plan, patient: key.patient, in: writer)
        else { continue }
        let rhythm = try PeopleRows.rhythm(key.patient, in: writer)
        do {
          let found = try snapshot.timeline(zones: zones, rhythm: rhythm)
          if let timeline = found.timeline {
            try DoseProjection(patient: key.patient, plan: key.plan, now: now)
              .extend(&snapshot.row, timeline, in: writer)
          } else {
            snapshot.row.unplanned = found.reason ?? .nothingToExpand
          }
        } catch is ZoneError {
          snapshot.row.unplanned = .unknownZone
        }
        try PlanStore.update(snapshot.row, in: writer)
      }
      return behind.count
    }
  }

  /// Returns true if every plan has the dose rows of the time before an instant.
  package static func isPlanned(
    through instant: Timestamp, in reader: any SQLReader
  ) throws(PlanError) -> Bool {
    try planning { try PlanStore.behind(instant, limit: 1, in: reader).isEmpty }
  }

  /// Returns a change with the clock, zones and consequences of a command.
  package static func change(_ context: CommandContext, _ writer: any SQLWriter) -> PlanChange {
    PlanChange(
      now: context.now, zones: context.zones, consequences: context.consequences, writer: writer)
  }

  /// Decides access to the patient's MedicationRequests.
  ///
  /// - Throws: `notFound` if the actor may not know of the patient, else `notAuthorized`.
  package static func authorize(_ action: Action, patient: PatientID, _ context: CommandContext)
    throws(PlanError) -> Authorization
  {
    switch decide(
      actor: context.actor, action: action, patient: patient, resource: "MedicationRequest",
      purpose: context.purpose)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason.concealsExistence ? .notFound : .notAuthorized
    }
  }

  /// Returns a patient's name, zone, language and daily rhythm.
  ///
  /// - Throws: `PlanError.foreignSubject` if there is no such patient.
  package static func person(_ patient: PatientID, in reader: any SQLReader) throws -> Person {
    guard let person = try PeopleRows.load(patient, in: reader) else {
      throw PlanError.foreignSubject
    }
    return person
  }

  /// Returns true for the status of a request that has ended: stopped, completed, cancelled or
  /// entered in error.
  package static func hasEnded(_ status: String) -> Bool {
    switch status {
    case "stopped", "completed", "cancelled", "entered-in-error": true
    default: false
    }
  }

  /// Returns a plan before access is decided: the caller must reveal nothing of it yet.
  ///
  /// - Throws: `PlanError.notFound` if there is none of that id.
  package static func existing(_ plan: PlanID, in reader: any SQLReader) throws -> PlanSnapshot {
    guard
      let patient = try RecordStore().patient(of: "MedicationRequest", id: plan.text, in: reader),
      let found = try PlanSnapshot.load(plan, patient: patient, in: reader)
    else { throw PlanError.notFound }
    return found
  }

  private static func check(
    _ draft: PlanDraft, person: Person, zone: Zone, _ context: CommandContext
  ) throws(PlanError) {
    let issues = draft.issues(
      today: zone.date(at: Instant(context.now)), zone: zone, rhythm: person.rhythm)
    if !issues.isEmpty { throw .invalid(issues) }
  }
}

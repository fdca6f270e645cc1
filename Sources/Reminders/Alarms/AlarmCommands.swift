// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Scheduling
import Storage
import TimeZones

/// A reason why a command on alarms failed.
package enum AlarmError: Error, Sendable {
  /// The patient has no such alarm.
  case notFound
  case invalid([AlarmIssue])
  case tooMany(maximum: Int)
  /// The alarm has changed since; `current` is its version now.
  case versionConflict(current: Int64)
  case storage(StorageError)
}

/// The commands that add and change alarms; the caller has decided that the account may act for the
/// patient.
package struct AlarmCommands: Sendable {
  /// The maximum number of alarms of a patient.
  package static let most = 100
  /// The time for which a removed alarm can be restored, in milliseconds.
  static let removedMilliseconds: Int64 = 30 * 24 * 3_600_000
  private static let resource = "Alarm"

  /// The patient whose alarms are changed.
  package let patient: PatientID
  /// The account that changes them, for the audit trail.
  package let account: AccountID
  /// The current time.
  package let now: Timestamp
  /// The time zones.
  package let zones: ZoneCatalog

  /// Creates the commands of an account on the alarms of a patient.
  package init(patient: PatientID, account: AccountID, now: Timestamp, zones: ZoneCatalog) {
    self.patient = patient
    self.account = account
    self.now = now
    self.zones = zones
  }

  /// Adds an alarm.
  ///
  /// - Throws: ``AlarmError/invalid(_:)`` for a draft with problems, or
  ///   ``AlarmError/tooMany(maximum:)``.
  @discardableResult
  package func create(_ draft: AlarmDraft, id: AlarmID, in writer: any SQLWriter)
    throws(AlarmError) -> Alarm
  {
    try alarming { () throws -> Alarm in
      let zone = try zone(in: writer)
      try check(draft, zone, in: writer)
      try AlarmStore.forget(
        patient: patient, before: now.adding(milliseconds: -Self.removedMilliseconds), in: writer)
      guard try AlarmStore.all(patient: patient, in: writer).count < Self.most else {
        throw AlarmError.tooMany(maximum: Self.most)
      }
      let alarm = Alarm(
        patient: patient, id: id, draft: draft, era: 1, next: next(draft, zone), version: 1)
      try AlarmStore.insert(alarm, at: now, in: writer)
      audit(.create, alarm, in: writer)
      return alarm
    }
  }

  /// Changes an alarm; alerts that already ring for the old time are cancelled.
  @discardableResult
  package func change(
    _ id: AlarmID, to draft: AlarmDraft, ifVersion: Int64? = nil, in writer: any SQLWriter
  ) throws(AlarmError) -> Alarm {
    try alarming { () throws -> Alarm in
      let before = try known(id, in: writer)
      if let ifVersion, ifVersion != before.version {
        throw AlarmError.versionConflict(current: before.version)
      }
      let zone = try zone(in: writer)
      try check(draft, zone, in: writer)
      return try keep(draft, over: before, zone, in: writer)
    }
  }

  /// Turns an alarm on or off; an alarm that is off does not ring but stays in the list.
  @discardableResult
  package func turn(_ id: AlarmID, on isOn: Bool, in writer: any SQLWriter) throws(AlarmError)
    -> Alarm
  {
    try alarming { () throws -> Alarm in
      let before = try known(id, in: writer)
      guard before.draft.isOn != isOn else { return before }
      let zone = try zone(in: writer)
      var draft = before.draft
      draft.isOn = isOn
      if isOn, draft.times.next(after: now, in: zone) == nil { throw AlarmError.invalid([.over]) }
      return try keep(draft, over: before, zone, in: writer)
    }
  }

  /// Removes an alarm; it can be restored for 30 days.
  package func remove(_ id: AlarmID, in writer: any SQLWriter) throws(AlarmError) {
    try alarming {
      let before = try known(id, in: writer)
      let alarm = Alarm(
        patient: patient, id: id, draft: before.draft, era: before.era, next: nil,
        version: before.version + 1)
      try AlarmStore.update(alarm, isRemoved: true, at: now, in: writer)
      try AlertCommands.cancel(
        source: id.text, kind: .alarm, patient: patient, at: now, in: writer)
      try AlertCommands.cancel(
        source: id.text, kind: .lead, patient: patient, at: now, in: writer)
      audit(.delete, alarm, in: writer)
    }
  }

  /// Restores a removed alarm; one that was not removed stays as it is.
  @discardableResult
  package func restore(_ id: AlarmID, in writer: any SQLWriter) throws(AlarmError) -> Alarm {
    try alarming { () throws -> Alarm in
      guard let (before, isRemoved) = try AlarmStore.one(id, patient: patient, in: writer) else {
        throw AlarmError.notFound
      }
      guard isRemoved else { return before }
      return try keep(before.draft, over: before, try zone(in: writer), in: writer)
    }
  }

  /// Recalculates the next times of the patient's alarms after a move to another zone or a change to the
  /// zone's rules.
  package func followZone(in writer: any SQLWriter) throws(StorageError) {
    guard let person = try PeopleRows.load(patient, in: writer) else { return }
    let zone = (try? zones.zone(person.zone)) ?? .utc
    // After an outage, an alarm whose time has come but that has not been processed is left to the next
    // round.
    for alarm in try AlarmStore.all(patient: patient, in: writer)
    where alarm.draft.isOn && alarm.next.map({ $0 > now }) ?? true {
      let moved = Alarm(
        patient: patient, id: alarm.id, draft: alarm.draft, era: alarm.era + 1,
        next: next(alarm.draft, zone), version: alarm.version)
      guard moved.next != alarm.next else { continue }
      try AlertCommands.cancel(
        source: alarm.id.text, kind: .lead, patient: patient, at: now, in: writer)
      try AlarmStore.update(moved, at: now, in: writer)
    }
  }

  // MARK: Parts

  private func keep(
    _ draft: AlarmDraft, over before: Alarm, _ zone: Zone, in writer: any SQLWriter
  ) throws -> Alarm {
    let isMoved = draft.times != before.draft.times
    if isMoved || !draft.isOn {
      try AlertCommands.cancel(
        source: before.id.text, kind: .alarm, patient: patient, at: now, in: writer)
    }
    if isMoved || !draft.isOn || draft.lead != before.draft.lead {
      try AlertCommands.cancel(
        source: before.id.text, kind: .lead, patient: patient, at: now, in: writer)
    }
    // Keep a time that has come but has not been processed yet.
    let isKept = !isMoved && draft.isOn && before.next != nil
    let alarm = Alarm(
      patient: patient, id: before.id, draft: draft, era: before.era + (isMoved ? 1 : 0),
      next: isKept ? before.next : next(draft, zone), version: before.version + 1)
    try AlarmStore.update(alarm, at: now, in: writer)
    audit(.update, alarm, in: writer)
    return alarm
  }

  private func next(_ draft: AlarmDraft, _ zone: Zone) -> Timestamp? {
    draft.isOn ? draft.times.next(after: now, in: zone)?.instant : nil
  }

  private func known(_ id: AlarmID, in reader: any SQLReader) throws -> Alarm {
    guard let (alarm, isRemoved) = try AlarmStore.one(id, patient: patient, in: reader),
      !isRemoved
    else { throw AlarmError.notFound }
    return alarm
  }

  private func zone(in reader: any SQLReader) throws -> Zone {
    guard let person = try PeopleRows.load(patient, in: reader) else { throw AlarmError.notFound }
    return (try? zones.zone(person.zone)) ?? .utc
  }

  private func check(_ draft: AlarmDraft, _ zone: Zone, in reader: any SQLReader) throws {
    let sounds = try OwnSounds.identifiers(of: patient, in: reader)
    let issues = draft.issues(sounds: sounds, now: now, zone: zone)
    if !issues.isEmpty { throw AlarmError.invalid(issues) }
  }

  private func audit(_ kind: AuditEntry.Kind, _ alarm: Alarm, in writer: any SQLWriter) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: Self.resource,
        resourceID: alarm.id.text, version: alarm.version, purpose: "care", outcome: .success))
  }

  private func alarming<T>(_ work: () throws -> T) throws(AlarmError) -> T {
    do {
      return try work()
    } catch let error as AlarmError {
      throw error
    } catch let error as StorageError {
      throw .storage(error)
    } catch {
      throw .notFound
    }
  }
}

/// Queries for alarms; the caller has decided that access is allowed.
package enum AlarmQueries {
  /// Returns the alarms of a patient that were not removed, by time of day.
  package static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [Alarm]
  {
    try AlarmStore.all(patient: patient, in: reader)
  }

  /// Returns an alarm of the patient; nil if there is none or it was removed.
  package static func alarm(_ id: AlarmID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Alarm?
  {
    guard let (alarm, isRemoved) = try AlarmStore.one(id, patient: patient, in: reader),
      !isRemoved
    else { return nil }
    return alarm
  }
}

extension ZoneConsequence {
  /// Recalculates the times of alarms after a patient's zone has changed.
  package static let alarms = ZoneConsequence(
    "alarms"
  ) { (patient, context, writer) throws(StorageError) in
    try AlarmCommands(
      patient: patient, account: context.actor.accountID, now: context.now, zones: context.zones
    ).followZone(in: writer)
  }
}

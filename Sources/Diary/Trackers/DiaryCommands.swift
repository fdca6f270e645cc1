// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Observations
import People
import Plans
import Records
import Scheduling
import Storage

/// Commands that add, correct and delete entries of the diary.
package struct DiaryCommands: Sendable {
  /// The person whose diary it is.
  private let patient: PatientID
  /// The context of the commands.
  private let context: CommandContext
  /// The name under which weights and pulses are listed among the sources of measurements.
  private let source: String

  /// Creates the commands.
  ///
  /// - Parameter source: the name under which weights and pulses are listed among the sources of measurements.
  package init(patient: PatientID, context: CommandContext, source: String) {
    self.patient = patient
    self.context = context
    self.source = source
  }

  /// Adds an entry, lists its tracker among the person's own, and ends the reminders to enter it.
  ///
  /// - Parameter event: the event of the form; sent again, it returns the entry that it made.
  /// - Throws: ``DiaryError`` for an entry that is not valid, and an error if the actor may not write.
  package func add(
    _ draft: DiaryDraft, to id: TrackerID, event: FormEvent? = nil, in writer: any SQLWriter
  ) throws -> DiaryEntry {
    let authorization = try VitalCommands.authorize(.create, patient: patient, context)
    let state = try state(of: event, draft, id, in: writer)
    if case .repeated(let earlier) = state { return earlier }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    guard let tracker = try TrackerStore.tracker(id, of: patient, in: writer),
      tracker.isMine || tracker.standard != nil
    else { throw DiaryError.notFound }
    try DiaryCheck.check(draft, for: tracker, now: context.now)
    var entryID = context.newIdentifier()
    if case .new(let derived) = state { entryID = derived }
    let entry = entry(entryID, draft, tracker, zone)
    let resource = DiaryObservation.resource(entry, tracker, of: patient, source: source)
    if let metric = tracker.standard?.metric {
      let sample = try sample(entry, metric)
      _ = try VitalCommands.take(
        VitalBatch([sample]), patient: patient, isSaid: true, context: context, in: writer)
      try ObservationRows.keep(
        SentObservation(
          id: entry.id, body: stamped(resource, entry.id, version: 1), created: context.now),
        sample, patient: patient, context: context, in: writer)
    } else {
      _ = try RecordStore().create(
        resource, type: VitalCommands.resource, id: entry.id, authorization: authorization,
        at: context.now, in: writer)
    }
    try TrackerCommands.use(
      tracker, unit: draft.value.unit, of: patient, at: context.now, in: writer)
    try DiaryReminders.end(tracker.id, of: patient, context, in: writer)
    return entry
  }

  /// Corrects an entry; the earlier version stays in its history.
  ///
  /// - Throws: ``DiaryError`` for an entry that is not valid or that came from elsewhere, and an error if the actor
  ///   may not write.
  package func change(
    _ id: String, to draft: DiaryDraft, in writer: any SQLWriter
  ) throws -> DiaryEntry {
    let authorization = try VitalCommands.authorize(.update, patient: patient, context)
    let (known, tracker) = try present(id, in: writer)
    guard known.isOwn else { throw DiaryError.foreign }
    try DiaryCheck.check(draft, for: tracker, now: context.now)
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let entry = entry(id, draft, tracker, zone)
    let resource = DiaryObservation.resource(entry, tracker, of: patient, source: source)
    if tracker.standard?.metric != nil {
      _ = try observations(tracker).update(
        id, ifVersion: nil, to: { stamped(resource, id, version: $0) }, in: writer)
    } else {
      _ = try RecordStore().update(
        resource, type: VitalCommands.resource, id: id, ifVersion: nil,
        authorization: authorization, at: context.now, in: writer)
    }
    return entry
  }

  /// Deletes an entry and its photos.
  package func remove(_ id: String, in writer: any SQLWriter) throws {
    let authorization = try VitalCommands.authorize(.delete, patient: patient, context)
    let (_, tracker) = try present(id, in: writer)
    if tracker.standard?.metric != nil {
      try observations(tracker).delete(id, ifVersion: nil, in: writer)
    } else {
      _ = try RecordStore().delete(
        VitalCommands.resource, id, ifVersion: nil, authorization: authorization,
        at: context.now, in: writer)
    }
    try DiaryPhotos.remove(ofEntry: id, patient, in: writer)
  }

  // MARK: Parts

  /// The event of a form before its entry is added.
  private enum EventState {
    /// No event that counts: the entry gets an id of its own.
    case absent
    /// A new event, with the id of its entry.
    case new(String)
    case repeated(DiaryEntry)
  }

  private func state(
    of event: FormEvent?, _ draft: DiaryDraft, _ tracker: TrackerID, in reader: any SQLReader
  ) throws -> EventState {
    guard let event else { return .absent }
    let id = event.id(for: patient)
    let owner =
      try ObservationRows.patient(of: id, in: reader)
      ?? ObservationVersions.patient(ofDeleted: id, in: reader)
      ?? RecordStore().patient(of: VitalCommands.resource, id: id, in: reader)
    guard owner != nil else { return .new(id) }
    let reading = try VitalCommands.authorize(.read, patient: patient, context)
    if let found = try DiaryQueries.entry(id, reading, in: reader), found.tracker.id == tracker,
      found.entry.draft.value == draft.value,
      found.entry.draft.at.milliseconds / 1_000 == draft.at.milliseconds / 1_000
    {
      return .repeated(found.entry)
    }
    guard event.isRenewable else { throw DiaryError.eventUsed }
    return .absent
  }

  private func present(
    _ id: String, in reader: any SQLReader
  ) throws -> (entry: DiaryEntry, tracker: Tracker) {
    let reading = try VitalCommands.authorize(.read, patient: patient, context)
    guard let found = try DiaryQueries.entry(id, reading, in: reader) else {
      throw DiaryError.notFound
    }
    return found
  }

  private func entry(
    _ id: String, _ draft: DiaryDraft, _ tracker: Tracker, _ zone: Zone
  ) -> DiaryEntry {
    let offset = zone.offsetSeconds(at: Instant(milliseconds: draft.at.milliseconds))
    return DiaryEntry(id: id, tracker: tracker.id, draft: draft, offsetMinutes: offset / 60)
  }

  private func observations(_ tracker: Tracker) -> ObservationCommands {
    let commands = self
    return ObservationCommands(patient: patient, context: context) { body in
      guard let resource = try? JSONValue(parsing: Array(body.utf8)),
        let entry = DiaryObservation.entry(resource, id: "", tracker),
        let metric = tracker.standard?.metric
      else { return nil }
      return try? commands.sample(entry, metric)
    }
  }

  /// Returns the measurement for the health profile or the heart rate.
  private func sample(_ entry: DiaryEntry, _ metric: VitalMetric) throws -> VitalSample {
    guard let number = entry.draft.value.number else { throw DiaryError.value }
    let thousandths = DiaryUnit.rounded(number * 1_000, decimals: 0)
    let (day, second) = entry.localDay
    return VitalSample(
      metric: metric, day: day.text, second: metric.isSampled ? second : 0,
      at: entry.draft.at.milliseconds / 1_000, zoneOffset: entry.offsetMinutes * 60,
      stamp: context.now.milliseconds / 1_000,
      thousandths: NSDecimalNumber(decimal: thousandths).int64Value, source: source)
  }

  /// Returns the text of an Observation with the server's own elements.
  private func stamped(_ resource: JSONValue, _ id: String, version: Int64) -> String {
    var resource = resource
    resource["id"] = .string(id)
    resource["meta"] = [
      "versionId": .string(String(version)),
      "lastUpdated": .string(
        FHIRDateTime.instantText(milliseconds: context.now.milliseconds, offsetMinutes: 0)),
    ]
    return resource.text
  }
}

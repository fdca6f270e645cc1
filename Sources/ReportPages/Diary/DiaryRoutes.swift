// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import Records
import Scheduling
import SiteMap
import Storage
import Web

/// The pages of the diary: the trackers, one tracker with its entries, and one entry.
package enum DiaryRoutes {
  /// The routes of the pages.
  package static let all: [Route] =
    [
      .page(.get, Address.diary, overview),
      .form(trackersPath, addTracker),
      .page(.get, "\(trackersPath)/:tracker", tracker),
      .form("\(trackersPath)/:tracker", addEntry),
      .form("\(trackersPath)/:tracker/end", endTracker),
      .form("\(trackersPath)/:tracker/reminders", addReminder),
    ] + DiaryEntryRoutes.all

  static let trackersPath = "\(Address.diary)/trackers"

  static func address(of tracker: TrackerID) -> String { "\(trackersPath)/\(tracker)" }

  // MARK: Overview

  private static func overview(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await overview(call, signedIn, input: OwnTrackerInput())
  }

  private static func overview(
    _ call: Call, _ signedIn: SignedIn, input: OwnTrackerInput
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let searching = try searching(call, signedIn, patient)
    let (environment, localizer) = (call.environment, call.localizer)
    let page = try await environment.database.read { reader in
      DiaryPage(
        trackers: try TrackerStore.all(of: patient, in: reader),
        ended: try TrackerStore.ended(of: patient, in: reader),
        latest: try DiaryQueries.latest(patient, limit: 20, searching, in: reader),
        words: DiaryFormatter(
          clock: MedicineClock(
            zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
            localizer: localizer)), input: input)
    }
    try await note(searching, patient, count: page.latest.count, call)
    return page.response(call)
  }

  private static func addTracker(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, VitalCommands.resource, part: .diary)
    var input = OwnTrackerInput(form)
    let patient = form.patient
    do {
      guard let scale = OwnScale(rawValue: input.scale) else { throw DiaryError.scale }
      let (name, unit) = (input.name, input.unit)
      let made = try await form.run { context, writer in
        try TrackerCommands.add(
          name, scale: scale, unit: unit, of: patient, context, in: writer)
      }
      return form.redirect(to: "\(address(of: made.id))?done=tracker")
    } catch let mistake as DiaryError {
      input.mistake = mistake
      return try await overview(form.call, form.signedIn, input: input)
    }
  }

  // MARK: One tracker

  private static func tracker(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await tracker(call, signedIn, input: nil, mistake: nil)
  }

  private static func tracker(
    _ call: Call, _ signedIn: SignedIn, input: DiaryInput?, mistake: DiaryError?
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let id = TrackerID(try call.parameter("tracker"))
    let searching = try searching(call, signedIn, patient)
    let isCopy = OfflineCopies.isAsked(by: call)
    let hasAlarms = !isCopy && (try? call.authorize(.read, "Alarm", of: patient)) != nil
    let (environment, localizer, now) = (call.environment, call.localizer, call.now)
    let (words, known, entries, alarms) = try await environment.database.read { reader in
      guard let known = try TrackerStore.tracker(id, of: patient, in: reader) else {
        throw Failure.notFound
      }
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      return (
        DiaryFormatter(clock: MedicineClock(zone: zone, localizer: localizer)), known,
        try isCopy
          ? []
          : DiaryQueries.entries(
            of: known, patient, limit: TrackerPage.most, searching, in: reader),
        try hasAlarms ? DiaryReminders.alarms(of: id, patient, in: reader) : []
      )
    }
    if !isCopy { try await note(searching, patient, count: entries.count, call) }
    return TrackerPage(
      tracker: known, entries: entries, alarms: alarms, words: words,
      input: input
        ?? DiaryInput(unit: words.unit(of: known), now: now, zone: words.clock.zone),
      mistake: mistake, today: words.clock.day(of: now), isCopy: isCopy
    ).response(call)
  }

  private static func addEntry(_ form: PostedForm) async throws -> Response {
    let (tracker, zone) = try await found(form)
    _ = try form.authorize(.create, VitalCommands.resource, part: .diary)
    let input = DiaryInput(form)
    let patient = form.patient
    let source = form.localizer.text("heart-rate.by-hand")
    let event = input.event.flatMap { FormEvent($0, isRenewable: true) }
    do {
      let draft = try input.draft(for: tracker, zone: zone, now: form.call.now)
      try await form.run { context, writer in
        _ = try DiaryCommands(patient: patient, context: context, source: source)
          .add(draft, to: tracker.id, event: event, in: writer)
      }
    } catch let mistake as DiaryError {
      return try await self.tracker(form.call, form.signedIn, input: input, mistake: mistake)
    }
    // A reminder may have ended.
    form.call.environment.live.changed(patient)
    return form.redirect(to: "\(address(of: tracker.id))?done=saved")
  }

  private static func endTracker(_ form: PostedForm) async throws -> Response {
    let (tracker, _) = try await found(form)
    _ = try form.authorize(.update, VitalCommands.resource, part: .diary)
    let patient = form.patient
    try await form.run { context, writer in
      try TrackerCommands.end(tracker.id, of: patient, context, in: writer)
    }
    return form.redirect(to: "\(Address.diary)?done=ended")
  }

  private static func addReminder(_ form: PostedForm) async throws -> Response {
    let (tracker, zone) = try await found(form)
    _ = try form.authorize(.create, "Alarm")
    guard let time = form.text("reminder").flatMap({ ClockTime(text: $0) }) else {
      return try await self.tracker(form.call, form.signedIn, input: nil, mistake: .time)
    }
    let patient = form.patient
    let words = DiaryFormatter(clock: MedicineClock(zone: zone, localizer: form.localizer))
    let label = form.localizer.text(
      "diary.reminder-label", ["tracker": .text(words.name(tracker))])
    try await form.run { context, writer in
      _ = try DiaryReminders.add(
        tracker.id, label: label, at: time, of: patient, context, in: writer)
    }
    form.call.environment.live.changed(patient)
    return form.redirect(to: "\(address(of: tracker.id))?done=reminder#reminders")
  }

  // MARK: Parts

  /// Returns the tracker that the address names, and the person's zone.
  ///
  /// - Throws: "Not found" for a tracker that the person does not have, and for one that the account may not see.
  private static func found(_ form: PostedForm) async throws -> (tracker: Tracker, zone: Zone) {
    _ = try form.authorize(.read, VitalCommands.resource, part: .diary)
    let id = TrackerID(try form.parameter("tracker"))
    let (patient, zones) = (form.patient, form.call.environment.zones)
    return try await form.call.environment.database.read { reader in
      guard let tracker = try TrackerStore.tracker(id, of: patient, in: reader) else {
        throw Failure.notFound
      }
      return (tracker, try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
  }

  private static func searching(
    _ call: Call, _ signedIn: SignedIn, _ patient: PatientID
  ) throws -> SearchAuthorization {
    switch decideSearch(
      actor: signedIn.actor, resource: VitalCommands.resource, patient: patient,
      purpose: signedIn.actor.purpose(with: patient), part: .diary)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }

  private static func note(
    _ authorization: SearchAuthorization, _ patient: PatientID, count: Int, _ call: Call
  ) async throws {
    try await call.environment.readAudit.note(
      authorization, patients: [patient], count: max(1, count), at: call.now,
      in: call.environment.database)
  }
}

/// The form of an own tracker as typed.
struct OwnTrackerInput: Sendable, Hashable {
  var name = ""
  var scale = ""
  var unit = ""
  var mistake: DiaryError?

  init() {}

  init(_ form: PostedForm) {
    name = form.text("name") ?? ""
    scale = form.text("scale") ?? ""
    unit = form.text("unit") ?? ""
  }

  /// The field that has the mistake.
  var field: String? {
    mistake.map { $0 == .scale ? "scale" : "name" }
  }
}

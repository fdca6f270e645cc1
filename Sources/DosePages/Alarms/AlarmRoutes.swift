// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Reminders
import Scheduling
import Storage
import Web

/// A person's own alarms: the list, adding, editing, turning on and off, removing and restoring.
package enum AlarmRoutes {
  /// The routes of the alarms.
  package static let all: [Route] = [
    .page(.get, "/alarms", list),
    .form("/alarms", create),
    .page(.get, "/alarms/new", blank),
    .page(.get, "/alarms/:alarm", form),
    .form("/alarms/:alarm", change),
    .form("/alarms/:alarm/turn", turn),
    .form("/alarms/:alarm/remove", remove),
    .form("/alarms/:alarm/restore", restore),
  ]

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "Alarm", of: patient)
    let page = try await AlarmListPage.read(call, patient: patient)
    try await call.environment.audit(
      authorization, count: page.alarms.count + page.medicines.count, at: call.now)
    return page.response(call)
  }

  private static func blank(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "Alarm", of: patient)
    let place = try await AlarmPlace.read(call, patient: patient)
    return AlarmForm(
      input: AlarmInput(today: place.today), ownSounds: place.ownSounds
    ).response(call)
  }

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.read, "Alarm", of: patient)
    let place = try await AlarmPlace.read(call, patient: patient)
    guard let alarm = place.alarm else { throw Failure.notFound }
    return AlarmForm(
      input: AlarmInput(alarm.draft), alarm: alarm, ownSounds: place.ownSounds
    ).response(call)
  }

  private static func create(_ form: PostedForm) async throws -> Response {
    let (call, commands) = (form.call, try commands(form, to: .create))
    let place = try await AlarmPlace.read(call, patient: commands.patient)
    let input = AlarmInput(form.fields, isOn: true)
    let (draft, mistakes) = place.read(input, at: call.now)
    guard let draft else {
      return AlarmForm(
        input: input, mistakes: mistakes, ownSounds: place.ownSounds
      ).response(call)
    }
    let id: AlarmID = call.environment.newID()
    do {
      try await form.run { _, writer in
        _ = try commands.create(draft, id: id, in: writer)
      }
    } catch AlarmError.tooMany {
      return AlarmForm(input: input, isFull: true, ownSounds: place.ownSounds).response(call)
    }
    return saved(form)
  }

  private static func change(_ form: PostedForm) async throws -> Response {
    let (call, commands) = (form.call, try commands(form, to: .update))
    let place = try await AlarmPlace.read(call, patient: commands.patient)
    guard let alarm = place.alarm else { throw Failure.notFound }
    let input = AlarmInput(form.fields, isOn: alarm.draft.isOn)
    let (draft, mistakes) = place.read(input, at: call.now)
    guard let draft else {
      return AlarmForm(
        input: input, mistakes: mistakes, alarm: alarm, ownSounds: place.ownSounds
      ).response(call)
    }
    let version = form.text("version").flatMap { Int64($0) }
    try await form.run { _, writer in
      _ = try commands.change(alarm.id, to: draft, ifVersion: version, in: writer)
    }
    return saved(form)
  }

  private static func turn(_ form: PostedForm) async throws -> Response {
    let commands = try commands(form, to: .update)
    let id = try form.parameter("alarm")
    let isOn = form.text("to") == "on"
    do {
      try await form.run { _, writer in
        _ = try commands.turn(AlarmID(id), on: isOn, in: writer)
      }
    } catch AlarmError.invalid {
      // The last day of the alarm has passed, so its page asks for a new one.
      return form.redirect(to: "/alarms/\(id)")
    }
    return changed(form, thenOpen: "/alarms")
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    let commands = try commands(form, to: .delete)
    let id = try form.parameter("alarm")
    try await form.run { _, writer in
      try commands.remove(AlarmID(id), in: writer)
    }
    return changed(form, thenOpen: "/alarms?done=removed&alarm=\(id)")
  }

  private static func restore(_ form: PostedForm) async throws -> Response {
    let commands = try commands(form, to: .update)
    let id = try form.parameter("alarm")
    try await form.run { _, writer in
      _ = try commands.restore(AlarmID(id), in: writer)
    }
    return saved(form)
  }

  // MARK: Steps

  private static func saved(_ form: PostedForm) -> Response {
    changed(form, thenOpen: "/alarms?done=saved")
  }

  private static func changed(_ form: PostedForm, thenOpen path: String) -> Response {
    form.call.environment.live.changed(form.patient)
    return form.redirect(to: path)
  }

  private static func commands(
    _ form: PostedForm, to action: Access.Action
  ) throws -> AlarmCommands {
    _ = try form.authorize(action, "Alarm")
    return AlarmCommands(
      patient: form.patient, account: form.signedIn.account.id, now: form.call.now,
      zones: form.call.environment.zones)
  }
}

/// The data for the form of an alarm.
struct AlarmPlace: Sendable {
  let zone: Zone
  let today: CivilDate
  let alarm: Alarm?
  let ownSounds: [String: String]

  /// Reads the data, with the alarm in the address if there is one.
  static func read(_ call: Call, patient: PatientID) async throws -> AlarmPlace {
    let id = (try? call.parameter("alarm")).map(AlarmID.init)
    let (zones, now) = (call.environment.zones, call.now)
    return try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      return AlarmPlace(
        zone: zone, today: zone.date(at: Instant(milliseconds: now.milliseconds)),
        alarm: try id.flatMap { try AlarmQueries.alarm($0, patient: patient, in: reader) },
        ownSounds: try OwnSounds.names(of: patient, in: reader))
    }
  }

  func read(_ input: AlarmInput, at now: Timestamp) -> (AlarmDraft?, [AlarmInput.Mistake]) {
    input.read(today: today, sounds: Set(ownSounds.keys), now: now, zone: zone)
  }
}

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

/// A person's own alarms: the list, one of them, on and off, gone and back.
package enum AlarmRoutes {
  package static let all: [Route] = [
    .page(.get, "/alarms", list),
    .page(.post, "/alarms", create),
    .page(.get, "/alarms/new", blank),
    .page(.get, "/alarms/:alarm", form),
    .page(.post, "/alarms/:alarm", change),
    .page(.post, "/alarms/:alarm/turn", turn),
    .page(.post, "/alarms/:alarm/remove", remove),
    .page(.post, "/alarms/:alarm/restore", restore),
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

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (typed, commands) = try await opened(call, signedIn, to: .create)
    let place = try await AlarmPlace.read(call, patient: commands.patient)
    let input = AlarmInput(typed, isOn: true)
    let (draft, mistakes) = place.read(input, at: call.now)
    guard let draft else {
      return AlarmForm(
        input: input, mistakes: mistakes, ownSounds: place.ownSounds
      ).response(call)
    }
    let id = call.environment.newIdentifier()
    do {
      try await call.environment.database.write { writer in
        _ = try commands.create(draft, id: AlarmID(id), in: writer)
      }
    } catch AlarmError.tooMany {
      return AlarmForm(input: input, isFull: true, ownSounds: place.ownSounds).response(call)
    }
    return saved(call, commands)
  }

  private static func change(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (typed, commands) = try await opened(call, signedIn, to: .update)
    let place = try await AlarmPlace.read(call, patient: commands.patient)
    guard let alarm = place.alarm else { throw Failure.notFound }
    let input = AlarmInput(typed, isOn: alarm.draft.isOn)
    let (draft, mistakes) = place.read(input, at: call.now)
    guard let draft else {
      return AlarmForm(
        input: input, mistakes: mistakes, alarm: alarm, ownSounds: place.ownSounds
      ).response(call)
    }
    let version = typed.text("version").flatMap { Int64($0) }
    try await call.environment.database.write { writer in
      _ = try commands.change(alarm.id, to: draft, ifVersion: version, in: writer)
    }
    return saved(call, commands)
  }

  private static func turn(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (typed, commands) = try await opened(call, signedIn, to: .update)
    let id = try call.parameter("alarm")
    let isOn = typed.text("to") == "on"
    do {
      try await call.environment.database.write { writer in
        _ = try commands.turn(AlarmID(id), on: isOn, in: writer)
      }
    } catch AlarmError.invalid {
      // Its last day is over: what is to be changed first is on its page.
      return call.redirect(to: "/alarms/\(id)")
    }
    call.environment.live.changed(commands.patient)
    return call.redirect(to: "/alarms")
  }

  private static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (_, commands) = try await opened(call, signedIn, to: .delete)
    let id = try call.parameter("alarm")
    try await call.environment.database.write { writer in
      try commands.remove(AlarmID(id), in: writer)
    }
    call.environment.live.changed(commands.patient)
    return call.redirect(to: "/alarms?done=removed&alarm=\(id)")
  }

  private static func restore(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (_, commands) = try await opened(call, signedIn, to: .update)
    let id = try call.parameter("alarm")
    try await call.environment.database.write { writer in
      _ = try commands.restore(AlarmID(id), in: writer)
    }
    return saved(call, commands)
  }

  // MARK: Steps

  private static func saved(_ call: Call, _ commands: AlarmCommands) -> Response {
    call.environment.live.changed(commands.patient)
    return call.redirect(to: "/alarms?done=saved")
  }

  private static func opened(
    _ call: Call, _ signedIn: SignedIn, to action: Access.Action
  ) async throws -> (FormBody, AlarmCommands) {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(action, "Alarm", of: patient)
    return (
      form,
      AlarmCommands(
        patient: patient, account: signedIn.account.id, now: call.now,
        zones: call.environment.zones)
    )
  }
}

/// What the form of an alarm needs to know.
struct AlarmPlace: Sendable {
  let zone: Zone
  let today: CivilDate
  let alarm: Alarm?
  let ownSounds: [String: String]

  /// With the alarm that the address names, if it names one.
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

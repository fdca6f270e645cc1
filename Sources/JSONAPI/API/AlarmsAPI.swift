// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import People
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// `/api/v1/alarms`: a person's own alarms, the alerts that ask for an answer, and the answers.
package enum AlarmsAPI {
  /// The routes that list, create, change and remove alarms, and the one that answers an alert.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.post, path, create),
    .api(.put, "\(path)/:alarm", change),
    .api(.delete, "\(path)/:alarm", remove),
    .api(.post, "\(path)/occasions/:occasion/answers", answer),
  ]

  static let path = "/api/v1/alarms"

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, "Alarm", of: patient)
    let (zones, now) = (call.environment.zones, call.now)
    let (alarms, alerts, zone) = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return (
        try AlarmQueries.all(patient: patient, in: reader),
        try AlertQueries.ending(after: now, patient: patient, in: reader),
        try PeopleQueries.zone(patient, zones: zones, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: alarms.count, at: now)
    let writer = DoseJSON(zone: zone)
    let open = alerts.filter { $0.kind != .lead && $0.state == .open }
    return JSONResponse.make([
      "alarms": .array(alarms.map(writer.json)), "occasions": .array(open.map(writer.json)),
    ])
  }

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes, commands) = try await opened(call, signedIn, to: .create)
    let zone = try await zone(of: commands.patient, call)
    let draft = try AlarmBody(body).draft(
      today: zone.date(at: Instant(milliseconds: call.now.milliseconds)))
    let id = call.environment.newIdentifier()
    let writer = DoseJSON(zone: zone)
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { storage in
      let alarm = try commands.create(draft, id: AlarmID(id), in: storage)
      return WrittenAnswer(status: 201, json: writer.json(alarm))
    }
    call.environment.live.changed(commands.patient)
    return response
  }

  private static func change(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes, commands) = try await opened(call, signedIn, to: .update)
    let zone = try await zone(of: commands.patient, call)
    let draft = try AlarmBody(body).draft(
      today: zone.date(at: Instant(milliseconds: call.now.milliseconds)))
    let id = try call.parameter("alarm")
    let version = try body.integer("version").map { Int64($0) }
    let writer = DoseJSON(zone: zone)
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { storage in
      let alarm = try commands.change(AlarmID(id), to: draft, ifVersion: version, in: storage)
      return WrittenAnswer(status: 200, json: writer.json(alarm))
    }
    call.environment.live.changed(commands.patient)
    return response
  }

  private static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    _ = try call.authorize(.delete, "Alarm", of: patient)
    let commands = AlarmCommands(
      patient: patient, account: signedIn.account.id, now: call.now,
      zones: call.environment.zones)
    let id = try call.parameter("alarm")
    let response = try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      try commands.remove(AlarmID(id), in: writer)
      return .nothing
    }
    call.environment.live.changed(patient)
    return response
  }

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes, commands) = try await opened(call, signedIn, to: .update)
    guard let action = AlertAnswer.Action(rawValue: try body.required("action")) else {
      throw Failure.wrong("action", "must be done, declined, later or undo")
    }
    let answer = AlertAnswer(
      action, minutes: try body.integer("minutes"), event: try body.text("event"))
    let alert = AlertID(try call.parameter("occasion"))
    let (account, now) = (signedIn.account, call.now)
    let writer = DoseJSON(zone: try await zone(of: commands.patient, call))
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { storage in
      do {
        let answered = try AlertCommands.answer(
          alert, patient: commands.patient, answer, account: account.id,
          byName: account.displayName, at: now, in: storage)
        return WrittenAnswer(status: 200, json: writer.json(answered))
      } catch let error as AlertError {
        // Throws the failure itself, so that a conflict is kept as the answer for the key.
        throw error.failure
      }
    }
    call.environment.live.changed(commands.patient)
    return response
  }

  // MARK: Steps

  private static func zone(of patient: PatientID, _ call: Call) async throws -> Zone {
    let zones = call.environment.zones
    return try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try PeopleQueries.zone(patient, zones: zones, in: reader)
    }
  }

  /// Returns the body, and the commands for the patient that it names.
  private static func opened(
    _ call: Call, _ signedIn: SignedIn, to action: Access.Action
  ) async throws -> (JSONBody, [UInt8], AlarmCommands) {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    _ = try call.authorize(action, "Alarm", of: patient)
    return (
      body, bytes,
      AlarmCommands(
        patient: patient, account: signedIn.account.id, now: call.now,
        zones: call.environment.zones)
    )
  }
}

/// An alarm as a client writes it.
struct AlarmBody {
  private let body: JSONBody

  init(_ body: JSONBody) {
    self.body = body
  }

  func draft(today: CivilDate) throws -> AlarmDraft {
    guard let kind = AlarmKind(rawValue: try body.text("kind") ?? AlarmKind.own.rawValue) else {
      throw Failure.wrong("kind", "must be water, pulse, appointment or own")
    }
    guard let time = ClockTime(text: try body.required("time")) else {
      throw Failure.wrong("time", "must be a time of day, such as 08:00")
    }
    var days: Set<Weekday> = []
    for code in try body.texts("weekdays") ?? [] {
      guard let day = Weekday(code: code) else {
        throw Failure.wrong("weekdays", "must be a list of mon to sun, empty for once")
      }
      days.insert(day)
    }
    return AlarmDraft(
      kind: kind, label: try body.text("label") ?? "",
      times: AlarmTimes(
        time: time, days: days, starts: try date("starts") ?? today, ends: try date("ends")),
      sound: try body.text("sound") ?? AlarmSound.standard.rawValue,
      snooze: try body.integer("snooze") ?? Alert.standardSnooze,
      lead: try body.integer("lead"), isOn: try body.flag("on") ?? true)
  }

  private func date(_ name: String) throws -> CivilDate? {
    guard let text = try body.text(name) else { return nil }
    guard let date = CivilDate(text: text) else {
      throw Failure.wrong(name, "must be a date, such as 2026-03-01")
    }
    return date
  }
}

extension DoseJSON {
  func json(_ alarm: Alarm) -> JSONValue {
    let draft = alarm.draft
    var object = JSONObject()
    object["id"] = .string(alarm.id.text)
    object["patient"] = .string(alarm.patient.text)
    object["kind"] = .string(draft.kind.rawValue)
    object["label"] = .string(draft.label)
    object["time"] = .string(String(draft.times.time.text.prefix(5)))
    object["weekdays"] = .array(
      Weekday.allCases.filter(draft.times.days.contains).map { .string($0.code) })
    object["starts"] = .string(draft.times.starts.text)
    object["ends"] = draft.times.ends.map { .string($0.text) }
    object["sound"] = .string(draft.sound)
    object["snooze"] = .number(JSONNumber(draft.snooze))
    object["lead"] = draft.lead.map { .number(JSONNumber($0)) }
    object["on"] = .bool(draft.isOn)
    object["next"] = alarm.next.map { .string(text($0)) }
    object["version"] = .number(JSONNumber(alarm.version))
    return .object(object)
  }
}

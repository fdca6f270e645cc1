// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import FHIR
import Foundation
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Records
import ReportPages
import Storage
import Web

/// `/api/v1/diary` and below: the trackers of a patient, and their entries.
package enum DiaryAPI {
  /// The routes that list trackers and entries, and that add, correct and delete an entry.
  package static let all: [Route] = [
    .api(.get, "\(path)/trackers", trackers),
    .api(.get, "\(path)/entries", list),
    .api(.post, "\(path)/entries", add),
    .api(.put, "\(path)/entries/:entry", change),
    .api(.delete, "\(path)/entries/:entry", remove),
  ]

  private static let path = "/api/v1/diary"

  // MARK: Reading

  private static func trackers(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient, part: .diary)
    let found = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try TrackerStore.all(of: patient, in: reader)
    }
    try await call.environment.audit(authorization, count: found.count, at: call.now)
    return JSONResponse.make(["trackers": .array(found.map(DiaryJSON.json))])
  }

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let searching: SearchAuthorization
    switch decideSearch(
      actor: signedIn.actor, resource: VitalCommands.resource, patient: patient,
      purpose: signedIn.actor.purpose(with: patient), part: .diary)
    {
    case .allow(let authorization): searching = authorization
    case .deny(let reason): throw reason
    }
    let name = call.queryValue("tracker").map { TrackerID($0) }
    guard let limit = Int(call.queryValue("limit") ?? "100"),
      (1...DiaryQueries.most).contains(limit)
    else { throw Failure.wrong("limit", "must be a number from 1 to \(DiaryQueries.most)") }
    let entries = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      guard let name else {
        return try DiaryQueries.latest(patient, limit: limit, searching, in: reader)
          .map { $0.entry }
      }
      guard let tracker = try TrackerStore.tracker(name, of: patient, in: reader) else {
        throw Failure.notFound
      }
      return try DiaryQueries.entries(
        of: tracker, patient, limit: limit, searching, in: reader)
    }
    try await call.environment.readAudit.note(
      searching, patients: [patient], count: max(1, entries.count), at: call.now,
      in: call.environment.database)
    return JSONResponse.make(["entries": .array(entries.map(DiaryJSON.json))])
  }

  // MARK: Writing

  private static func add(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes) = try await read(call)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    _ = try call.authorize(.read, VitalCommands.resource, of: patient, part: .diary)
    _ = try call.authorize(.create, VitalCommands.resource, of: patient, part: .diary)
    let id = TrackerID(try body.required("tracker"))
    let event = try FormEvent(in: body)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let (now, source) = (call.now, call.localizer.text("heart-rate.by-hand"))
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard try PeopleQueries.exists(patient, in: writer),
        let tracker = try TrackerStore.tracker(id, of: patient, in: writer)
      else { throw Failure.notFound }
      let draft = try DiaryJSON.draft(body, for: tracker, now: now)
      let entry = try DiaryCommands(patient: patient, context: context, source: source)
        .add(draft, to: id, event: event, in: writer)
      return WrittenAnswer(status: 201, json: DiaryJSON.json(entry))
    }
    // A reminder may have ended.
    call.environment.live.changed(patient)
    return response
  }

  private static func change(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (body, bytes) = try await read(call)
    let (id, patient) = try await owner(call)
    let reading = try call.authorize(.read, VitalCommands.resource, of: patient, part: .diary)
    _ = try call.authorize(.update, VitalCommands.resource, of: patient, part: .diary)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let (now, source) = (call.now, call.localizer.text("heart-rate.by-hand"))
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard let (known, tracker) = try DiaryQueries.entry(id, reading, in: writer) else {
        throw Failure.notFound
      }
      let draft = try DiaryJSON.draft(body, for: tracker, now: known.draft.at)
      guard draft.at <= now || draft.at == known.draft.at else { throw DiaryError.future }
      let entry = try DiaryCommands(patient: patient, context: context, source: source)
        .change(id, to: draft, in: writer)
      return WrittenAnswer(status: 200, json: DiaryJSON.json(entry))
    }
  }

  private static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (id, patient) = try await owner(call)
    _ = try call.authorize(.delete, VitalCommands.resource, of: patient, part: .diary)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let source = call.localizer.text("heart-rate.by-hand")
    return try await IdempotentWrite.perform(call, signedIn, body: Array(id.utf8)) { writer in
      try DiaryCommands(patient: patient, context: context, source: source)
        .remove(id, in: writer)
      return WrittenAnswer(status: 200, json: ["id": .string(id)])
    }
  }

  private static func read(_ call: Call) async throws -> (body: JSONBody, bytes: [UInt8]) {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    return (try JSONBody(parsing: bytes), bytes)
  }

  /// Returns the entry that the address names, with its patient; reveals nothing before access is decided.
  private static func owner(_ call: Call) async throws -> (id: String, patient: PatientID) {
    let id = try call.parameter("entry")
    let patient = try await call.environment.database.read { reader in
      try ObservationRows.patient(of: id, in: reader)
        ?? RecordStore().patient(of: VitalCommands.resource, id: id, in: reader)
    }
    guard let patient else { throw Failure.notFound }
    return (id, patient)
  }
}

extension FormEvent {
  /// Reads the event of a form; nil if the request has none.
  ///
  /// With an event, the time must be stated, so that the repeated request is the same.
  init?(in body: JSONBody) throws {
    guard let text = try body.text("event") else { return nil }
    guard try body.text("at") != nil else {
      throw Failure.wrong("at", "is required with an event")
    }
    guard let event = FormEvent(text) else { throw Failure.wrong("event", "must be a UUID") }
    self = event
  }
}

/// Trackers and entries of the diary in the JSON API.
enum DiaryJSON {
  static func json(_ tracker: Tracker) -> JSONValue {
    var json: JSONValue = [
      "id": .string(tracker.id.text), "kind": .string(tracker.shape.kind),
      "units": .array(tracker.units.map { .string($0.code) }), "inUse": .bool(tracker.isMine),
    ]
    if !tracker.name.isEmpty { json["name"] = .string(tracker.name) }
    if case .number(let unit) = tracker.shape, !unit.isEmpty {
      json["units"] = [.string(unit)]
    }
    return json
  }

  static func json(_ entry: DiaryEntry) -> JSONValue {
    var json: JSONValue = [
      "id": .string(entry.id), "tracker": .string(entry.tracker.text),
      "at": .string(
        FHIRDateTime.instantText(
          milliseconds: entry.draft.at.milliseconds, offsetMinutes: entry.offsetMinutes)),
      "own": .bool(entry.isOwn),
    ]
    switch entry.draft.value {
    case .score(let score): json["value"] = .number(JSONNumber(score))
    case .answer(let answer): json["value"] = .bool(answer)
    case .measurement(let number, let unit):
      json["value"] = DiaryObservation.json(number)
      json["unit"] = .string(unit.code)
    case .number(let number, let unit):
      json["value"] = DiaryObservation.json(number)
      if !unit.isEmpty { json["unit"] = .string(unit) }
    case .pressure(let systolic, let diastolic):
      json["systolic"] = .number(JSONNumber(systolic))
      json["diastolic"] = .number(JSONNumber(diastolic))
    case .text(let text): json["value"] = .string(text)
    case .graded(let text, let strength):
      json["value"] = .string(text)
      json["strength"] = .number(JSONNumber(strength))
    }
    if !entry.draft.note.isEmpty { json["note"] = .string(entry.draft.note) }
    if !entry.draft.reason.isEmpty { json["reason"] = .string(entry.draft.reason) }
    return json
  }

  /// Reads an entry.
  ///
  /// - Parameter now: the time of an entry that states none.
  static func draft(
    _ body: JSONBody, for tracker: Tracker, now: Timestamp
  ) throws -> DiaryDraft {
    DiaryDraft(
      try value(body, for: tracker.shape), at: try body.instant("at") ?? now,
      note: DraftText.trimmed(try body.text("note") ?? ""),
      reason: DraftText.trimmed(try body.text("reason") ?? ""))
  }

  private static func value(_ body: JSONBody, for shape: TrackerShape) throws -> DiaryValue {
    switch shape {
    case .score: return .score(try whole(body, "value"))
    case .yesNo:
      guard let answer = try body.flag("value") else {
        throw Failure.wrong("value", "must be true or false")
      }
      return .answer(answer)
    case .measurement(let units):
      let code = try body.text("unit")
      let only = units.count == 1 ? units.first : nil
      guard let unit = code.map({ DiaryUnit.of(code: $0) }) ?? only, units.contains(unit)
      else {
        throw Failure.wrong(
          "unit", "must be one of \(units.map(\.code).joined(separator: ", "))")
      }
      return .measurement(try number(body), unit)
    case .number(let unit): return .number(try number(body), unit: unit)
    case .pressure:
      return .pressure(
        systolic: try whole(body, "systolic"), diastolic: try whole(body, "diastolic"))
    case .text: return .text(DraftText.trimmed(try body.required("value")))
    case .gradedText:
      return .graded(
        DraftText.trimmed(try body.required("value")), strength: try whole(body, "strength"))
    }
  }

  private static func whole(_ body: JSONBody, _ name: String) throws -> Int {
    guard let number = try body.integer(name) else {
      throw Failure.wrong(name, "must be a whole number")
    }
    return number
  }

  private static func number(_ body: JSONBody) throws -> Decimal {
    guard let number = body.value("value")?.number?.decimal else {
      throw Failure.wrong("value", "must be a number")
    }
    return number
  }
}

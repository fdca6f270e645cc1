// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import FHIR
import Hummingbird
import Identifiers
import People
import Scheduling
import Storage
import Web

/// `/api/v1/notices`: the caregiver messages to the account, and the reply "I'll take care of it".
package enum CaregiverMessagesAPI {
  /// The routes that list caregiver messages and acknowledge one.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.post, "\(path)/:notice/acknowledge", acknowledge),
  ]

  static let path = "/api/v1/notices"

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.queryValue("patient").map {
      PatientID($0.replacing("Patient/", with: ""))
    }
    if let patient, signedIn.actor.rights[patient] == nil { throw Failure.notFound }
    let environment = call.environment
    let (account, rights, now) = (signedIn.account.id, signedIn.actor.rights, call.now)
    let localizer = call.localizer
    let (found, patients) = try await environment.database.read {
      reader -> ([JSONValue], [PatientID: Int]) in
      let shown = try CaregiverMessageQueries.inbox(of: account, rights: rights, in: reader)
        .filter { patient == nil || $0.notice.patient == patient }
      var zones: [PatientID: Zone] = [:]
      for patient in Set(shown.map(\.notice.patient)) {
        zones[patient] = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      }
      let json = shown.map { one in
        let words = CaregiverMessageText(
          localizer: localizer, zone: zones[one.notice.patient] ?? .utc, now: now)
        return CaregiverMessageJSON.json(one, words)
      }
      return (json, Dictionary(grouping: shown, by: \.notice.patient).mapValues(\.count))
    }
    for (patient, count) in patients.sorted(by: { $0.key < $1.key }) {
      let authorization = try call.authorize(.read, "Patient", of: patient)
      try await environment.audit(authorization, count: count, at: now)
    }
    return JSONResponse.make(["notices": .array(found)])
  }

  private static func acknowledge(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("notice")
    let body = try await BodyReader.bytes(of: call)
    let (account, rights, now) = (signedIn.account.id, signedIn.actor.rights, call.now)
    let response = try await IdempotentWrite.perform(call, signedIn, body: body) { writer in
      let notice = try CaregiverMessageCommands.acknowledge(
        id, account: account, rights: rights, at: now, in: writer)
      guard let notice else { throw Failure.notFound }
      var json: JSONValue = ["id": .string(notice.id), "patient": .string(notice.patient.text)]
      json["acknowledged"] = notice.acknowledged.map { CaregiverMessageJSON.instant($0, .utc) }
      return WrittenAnswer(status: 200, json: json)
    }
    call.environment.live.wakeStreams(of: Set(rights.keys))
    return response
  }
}

/// A message in the JSON API.
enum CaregiverMessageJSON {
  static func json(_ shown: ShownCaregiverMessage, _ words: CaregiverMessageText) -> JSONValue {
    let notice = shown.notice
    var json: JSONValue = [
      "id": .string(notice.id), "patient": .string(notice.patient.text),
      "topic": .string(notice.topic.rawValue), "text": .string(words.text(shown)),
      "happened": instant(notice.happened, words.zone),
      "told": instant(notice.told ?? notice.tellAt, words.zone),
      "more": .number(JSONNumber(notice.more)),
    ]
    json["seen"] = notice.seen.map { instant($0, words.zone) }
    json["acknowledged"] = notice.acknowledged.map { instant($0, words.zone) }
    if !shown.taken.isEmpty {
      json["taken"] = .array(
        shown.taken.map { ["name": .string($0.name), "at": instant($0.at, words.zone)] })
    }
    return json
  }

  static func instant(_ instant: Timestamp, _ zone: Zone) -> JSONValue {
    .string(
      FHIRDateTime.instantText(
        milliseconds: instant.milliseconds,
        offsetMinutes: zone.offsetSeconds(at: Instant(milliseconds: instant.milliseconds)) / 60))
  }
}

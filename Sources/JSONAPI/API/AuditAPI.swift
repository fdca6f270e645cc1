// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import People
import Presentation
import Storage
import Web

/// `GET /api/v1/audit`: the access log of a patient, with everyone who read or changed the data.
package enum AuditAPI {
  /// The route that reads the access log.
  package static let all: [Route] = [.api(.get, path, events)]

  static let path = "/api/v1/audit"
  private static let linesAtOnce = 500

  private static func events(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let window = try QueryWindow(call)
    let authorization = try call.authorize(.read, "AuditEvent", of: patient)
    var query = AuditQuery(patient: patient)
    query.stretches = [
      AuditQuery.Stretch(
        atLeast: window.from.milliseconds, before: window.until.milliseconds)
    ]
    if let text = call.queryValue("before") {
      guard let place = AccessLogPlace.parse(text) else {
        throw Failure.unprocessable("value", "before must be next from an earlier answer.")
      }
      query.after = place
    }
    let environment = call.environment
    let wanted = query
    let (part, zone) = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return (
        try AccessLogPart.read(
          wanted, limit: linesAtOnce, accounts: environment.accounts, in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    try await environment.audit(authorization, count: part.events.count, at: call.now)
    let writer = DoseJSON(zone: zone)
    var answer = JSONObject()
    answer["events"] = .array(part.events.map { json($0, part, writer) })
    answer["next"] = part.next.map { .string(AccessLogPlace.text($0)) }
    return JSONResponse.make(.object(answer))
  }

  private static func json(
    _ event: AuditEvent, _ part: AccessLogPart, _ writer: DoseJSON
  ) -> JSONValue {
    let entry = event.entry
    var by = JSONObject()
    by["account"] = .string(entry.actor.text)
    by["name"] = part.names[entry.actor].map(JSONValue.string)
    by["app"] = entry.app.map { app -> JSONValue in
      var named = JSONObject()
      named["id"] = .string(app.text)
      named["name"] = part.apps[app].map(JSONValue.string)
      return .object(named)
    }
    var object = JSONObject()
    object["id"] = .string(event.id)
    object["at"] = .string(writer.text(entry.at))
    object["by"] = .object(by)
    object["kind"] = .string(entry.kind.rawValue)
    object["resource"] = .string(entry.resource)
    object["resourceId"] = entry.resourceID.map(JSONValue.string)
    object["version"] = entry.version.map { .number(JSONNumber(Int($0))) }
    object["purpose"] = .string(entry.purpose)
    object["outcome"] = .string(entry.outcome.rawValue)
    object["count"] = .number(JSONNumber(entry.count))
    return .object(object)
  }
}

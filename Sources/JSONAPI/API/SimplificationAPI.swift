// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import People
import Prescriptions
import Presentation
import Scheduling
import Storage
import Web

/// `GET /api/v1/intake-times`: the fewest times of day that keep plans, meals and the intervals of the
/// interaction list; it changes nothing.
package enum SimplificationAPI {
  /// The route that proposes times.
  package static let all: [Route] = [.api(.get, "/api/v1/intake-times", propose)]

  private static func propose(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    // As on the page: only for those who may apply it.
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    let environment = call.environment
    let (list, now) = (environment.interactions.list, call.now)
    let basis = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try IntakeReading.read(
        list, patient: patient, now: now, zones: environment.zones, in: reader)
    }
    // Computed outside of the read, so that nothing waits for it.
    let proposal = SimplificationPlanner.propose(basis.situation)
    try await environment.audit(
      authorization, count: basis.situation.medicines.count, at: now)
    let words = SimplificationText(proposal: proposal, list: list, localizer: call.localizer)
    return JSONResponse.make([
      "patient": .string(patient.text), "before": texts(proposal.timesBefore),
      "after": texts(proposal.timesAfter), "exhaustive": .bool(proposal.isExhaustive),
      "medicines": .array(
        zip(proposal.before.medicines, proposal.after.medicines).map { json($0, $1) }),
      "unkept": .array(proposal.findings.map { json($0, proposal, words) }),
    ])
  }

  private static func json(_ now: IntakeMedicine, _ proposed: IntakeMedicine) -> JSONValue {
    var json: JSONValue = [
      "plan": .string(now.id.text), "medicine": .string(now.name), "times": texts(now.minutes),
      "proposed": texts(proposed.minutes),
    ]
    if let why = proposed.kept { json["kept"] = .string(why.rawValue) }
    return json
  }

  /// Returns the hours of the list that the current times do not keep.
  private static func json(
    _ finding: IntakeFinding, _ proposal: IntakeProposal, _ words: SimplificationText
  ) -> JSONValue {
    [
      "medicines": .array(proposal.medicines(of: finding).map(JSONValue.string)),
      "text": .string(words.sentence(finding.rule)),
      "distance": .number(JSONNumber(finding.distance)), "mended": .bool(finding.isMended),
    ]
  }

  /// Returns minutes as `08:00`; they may be on the day before or after.
  private static func texts(_ minutes: [Int]) -> JSONValue {
    .array(
      minutes.map { minute in
        let ofDay = ((minute % 1_440) + 1_440) % 1_440
        return .string(
          ClockTime(secondsOfDay: ofDay * 60).map { String($0.text.prefix(5)) } ?? "")
      })
  }
}

/// The operation in the OpenAPI document.
enum OpenAPISimplification {
  private typealias Parts = OpenAPIDescription

  static let proposal: JSONValue = [
    "operationId": "intakeTimes",
    "summary":
      "Proposes the fewest times of day that keep plans, meals and gaps between medicines. Not medical advice.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response(
        "Current and proposed times of day; distance is in minutes.", "IntakeTimes"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]
}

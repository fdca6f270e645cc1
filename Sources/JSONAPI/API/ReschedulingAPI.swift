// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Records
import Scheduling
import Storage
import Web

/// `/api/v1/doses/{id}/replan`: the options for a late or missed dose, rule by rule, and the
/// decision about moving the doses after one that was taken late.
package enum ReschedulingAPI {
  /// The routes that read the options and record the decision.
  package static let all: [Route] = [
    .api(.get, "/api/v1/doses/:dose/replan", rescheduling),
    .api(.post, "/api/v1/doses/:dose/replan", decide),
  ]

  private static func rescheduling(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let id = DoseID(text: try call.parameter("dose")) else { throw Failure.notFound }
    let found = try await DoseSurroundings.read(id, call)
    return JSONResponse.make(
      json(found.dose, found.rescheduling, found.shift, zone: found.zone, call))
  }

  /// Records a person's decision about a proposal: the dose is taken late, and `to` is the proposed
  /// time.
  private static func decide(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let id = DoseID(text: try call.parameter("dose")) else { throw Failure.notFound }
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    guard let decision = ReschedulingDecision(rawValue: try body.required("decision")) else {
      throw Failure.wrong("decision", "must be moved or left")
    }
    let expecting = try body.instant("to")
    if decision == .moved, expecting == nil {
      throw Failure.wrong("to", "must be the time of the next dose")
    }
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    let list = environment.interactions.list
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard
        let patient = try environment.records.patient(
          of: "MedicationRequest", id: id.plan.text, in: writer)
      else { throw Failure.notFound }
      // The answer contains doses, which may not be shared with everyone who changes plans.
      _ = try call.authorize(.read, "Dose", of: patient)
      do {
        try DoseRescheduler.decide(
          decision, for: id, patient: patient, expecting: expecting, list: list, context: context,
          in: writer)
      } catch PlanError.notMovable {
        throw Failure(
          .conflict, code: "stale",
          detail: "This is no longer proposed. Read the proposal again.")
      }
      guard
        let dose = try DoseQueries.known(
          id, patient: patient, now: call.now, zones: environment.zones, in: writer)
      else { throw Failure.notFound }
      let shift = try DoseRescheduler.proposal(
        for: dose, list: list, now: call.now, zones: environment.zones, in: writer)
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: writer)
      return WrittenAnswer(status: 200, json: json(dose, nil, shift, zone: zone, call))
    }
  }

  private static func json(
    _ dose: Dose, _ open: Rescheduling?, _ shift: DoseRescheduler.Proposal?, zone: Zone,
    _ call: Call
  ) -> JSONValue {
    let time = DoseJSON(zone: zone)
    let words = ReschedulingText(
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: call.now),
      list: call.environment.interactions.list)
    let rescheduling = open ?? shift?.rescheduling
    func list(_ moves: [RescheduledDose]) -> JSONValue {
      .array(
        moves.map { move in
          [
            "dose": .string(move.dose.text), "from": .string(time.text(move.from)),
            "to": .string(time.text(move.to)),
          ]
        })
    }
    var members: [(String, JSONValue)] = [
      ("dose", .string(dose.id.text)), ("due", .string(time.text(dose.due))),
      ("verdict", .string(verdict(rescheduling))),
    ]
    if case .take(let until)? = rescheduling?.verdict {
      members.append(("until", .string(time.text(until))))
    }
    members.append(("moves", list(rescheduling?.moves ?? [])))
    if let shift, let decision = shift.decision {
      members.append(("decision", .string(decision.rawValue)))
      members.append(("made", list(shift.made)))
    }
    members.append(
      (
        "rules",
        .array(
          (rescheduling?.rules ?? []).map { rule in
            ["against": .bool(rule.isAgainst), "text": .string(words.text(rule))]
          })
      ))
    return .object(JSONObject(members))
  }

  /// Returns the verdict; `none` for a dose that is neither late nor missed nor was taken late.
  private static func verdict(_ rescheduling: Rescheduling?) -> String {
    switch rescheduling?.verdict {
    case .take: "take"
    case .takeNow: "take-now"
    case .takeAndMove: "take-and-move"
    case .leaveOut: "leave-out"
    case .ask: "ask"
    case nil: "none"
    }
  }
}

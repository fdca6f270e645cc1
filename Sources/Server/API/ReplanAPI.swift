// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import FHIR
import Hummingbird
import Scheduling
import Storage

/// `GET /api/v1/doses/{id}/replan`: what may be done with a late or forgotten dose, rule by rule.
package enum ReplanAPI {
  package static let all: [Route] = [.api(.get, "/api/v1/doses/:dose/replan", replan)]

  private static func replan(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let id = DoseID(text: try call.parameter("dose")) else { throw Failure.notFound }
    let found = try await DoseSurroundings.read(id, call)
    let time = DoseJSON(zone: found.zone)
    let words = ReplanWords(
      words: DoseWords(localizer: call.localizer, zone: found.zone, now: call.now),
      list: call.environment.interactions.list)
    let replanning = found.replanning ?? found.shift?.replanning
    var members: [(String, JSONValue)] = [
      ("dose", .string(id.text)), ("due", .string(time.text(found.dose.due))),
      ("verdict", .string(verdict(replanning))),
    ]
    if case .take(let until)? = replanning?.verdict {
      members.append(("until", .string(time.text(until))))
    }
    let moves = replanning?.moves ?? []
    members.append(
      (
        "moves",
        .array(
          moves.map { move in
            [
              "dose": .string(move.dose.text), "from": .string(time.text(move.from)),
              "to": .string(time.text(move.to)),
            ]
          })
      ))
    members.append(
      (
        "rules",
        .array(
          (replanning?.rules ?? []).map { rule in
            ["against": .bool(rule.isAgainst), "text": .string(words.text(rule))]
          })
      ))
    return JSONResponse.make(.object(JSONObject(members)))
  }

  /// `none` for a dose that is neither late nor missed nor was taken late.
  private static func verdict(_ replanning: Replanning?) -> String {
    switch replanning?.verdict {
    case .take: "take"
    case .takeNow: "take-now"
    case .takeAndMove: "take-and-move"
    case .leaveOut: "leave-out"
    case .ask: "ask"
    case nil: "none"
    }
  }
}

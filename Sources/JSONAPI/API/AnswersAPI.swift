// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import FHIR
import Hummingbird
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// `POST /api/v1/doses/{id}/answers`: records or corrects the answer to a dose.
package enum AnswersAPI {
  /// The route that answers a dose.
  package static let all: [Route] = [.api(.post, "/api/v1/doses/:dose/answers", answer)]

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let id = DoseID(text: try call.parameter("dose")) else { throw Failure.notFound }
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let request = try request(from: JSONBody(parsing: bytes))
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard let named = try OwnedDose.find(id, for: request, zones: environment.zones, in: writer)
      else { throw Failure.notFound }
      try MadeFor.check(named.patient, of: call)
      do throws(AnswerError) {
        let dose = try AnswerCommands.answer(named, request, context: context, in: writer)
        return WrittenAnswer(status: 200, json: DoseJSON(zone: named.zone).json(dose))
      } catch {
        throw Failure(answer: error, zone: named.zone)
      }
    }
  }

  private static func request(from body: JSONBody) throws -> AnswerRequest {
    guard let action = AnswerAction(rawValue: try body.required("action")) else {
      let known = AnswerAction.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.unprocessable("value", "action must be one of \(known).")
    }
    return AnswerRequest(
      action: action, event: try body.text("event"), at: try body.instant("at"),
      reason: try body.text("reason"), minutes: try body.integer("minutes"),
      amount: try body.amount("amount"), corrects: try body.integer("corrects").map(Int64.init),
      confirm: try body.flag("confirm") ?? false)
  }
}

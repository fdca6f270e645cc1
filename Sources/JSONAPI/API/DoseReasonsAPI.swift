// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Hummingbird
import Plans
import Presentation
import Scheduling
import Web

/// `GET /api/v1/doses/{id}/reasons`: the rules that put a dose at its time.
package enum DoseReasonsAPI {
  /// The route that explains the time of a dose.
  package static let all: [Route] = [.api(.get, "/api/v1/doses/:dose/reasons", reasons)]

  private static func reasons(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let id = DoseID(text: try call.parameter("dose")) else { throw Failure.notFound }
    let found = try await DoseSurroundings.read(id, call)
    let words = DoseReasonText(localizer: call.localizer)
    return JSONResponse.make([
      "dose": .string(id.text), "due": .string(DoseJSON(zone: found.zone).text(found.dose.due)),
      "reasons": .array(
        found.reasons.map { reason in
          [
            "rule": .number(JSONNumber(reason.rule)), "moved": .bool(reason.isMove),
            "text": .string(words.text(reason)),
          ]
        }),
    ])
  }
}

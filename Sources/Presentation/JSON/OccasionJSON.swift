// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Reminders

extension DoseJSON {
  /// What rings besides doses, without the words of it.
  package func json(_ occasion: Occasion) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(occasion.id)
    object["patient"] = .string(occasion.patient.text)
    object["kind"] = .string(occasion.kind.rawValue)
    object["source"] = .string(occasion.source)
    object["subject"] = .string(occasion.subject)
    object["due"] = .string(text(occasion.due))
    object["ringsFrom"] = .string(text(occasion.ringsFrom))
    object["ends"] = .string(text(occasion.ends))
    object["state"] = .string(occasion.state.rawValue)
    object["version"] = .number(JSONNumber(occasion.version))
    object["answered"] = occasion.answered.map { .string(text($0)) }
    object["by"] = occasion.answeredBy.map(JSONValue.string)
    return .object(object)
  }
}

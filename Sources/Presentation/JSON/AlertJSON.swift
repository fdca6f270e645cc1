// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Reminders

extension DoseJSON {
  /// Returns the JSON of an alert that is not a dose, without its text.
  package func json(_ alert: Alert) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(alert.id.text)
    object["patient"] = .string(alert.patient.text)
    object["kind"] = .string(alert.kind.rawValue)
    object["source"] = .string(alert.source)
    object["subject"] = .string(alert.subject.text)
    object["due"] = .string(text(alert.due))
    object["ringsFrom"] = .string(text(alert.ringsFrom))
    object["ends"] = .string(text(alert.ends))
    object["state"] = .string(alert.state.rawValue)
    object["version"] = .number(JSONNumber(alert.version))
    object["answered"] = alert.answered.map { .string(text($0)) }
    object["by"] = alert.answeredBy.map(JSONValue.string)
    return .object(object)
  }
}

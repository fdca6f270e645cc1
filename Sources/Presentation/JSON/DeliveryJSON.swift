// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Reminders

extension DoseJSON {
  /// Returns the JSON of a delivery with the times that prove it; the address is masked.
  package func json(_ delivery: Delivery) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(delivery.id.text)
    object["patient"] = .string(delivery.patient.text)
    object["subject"] = .string(delivery.subject.text)
    object["doses"] = .array(delivery.doses.map { .string($0.text) })
    object["due"] = .string(text(delivery.due))
    object["generation"] = .number(JSONNumber(delivery.generation))
    object["rung"] = .number(JSONNumber(delivery.step))
    object["channel"] = .string(delivery.channel.rawValue)
    object["address"] = .string(delivery.maskedAddress)
    object["attempts"] = .number(JSONNumber(delivery.attempts))
    object["planned"] = .string(text(delivery.planned))
    object["handedOver"] = delivery.handedOver.map { .string(text($0)) }
    object["shown"] = delivery.shown.map { .string(text($0)) }
    object["answered"] = delivery.answered.map { .string(text($0)) }
    object["outcome"] = .string(delivery.outcome.rawValue)
    return .object(object)
  }
}

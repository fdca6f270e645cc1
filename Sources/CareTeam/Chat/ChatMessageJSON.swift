// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Plans
import Storage

extension ChatMessage {
  /// Returns the message as the JSON API and a person's copy of everything show it.
  ///
  /// - Parameters:
  ///   - isOwn: true if the reader wrote it; nil if there is no particular reader.
  ///   - photo: the address of its photo.
  ///   - instant: formats a time in the patient's zone.
  package func json(
    isOwn: Bool?, photo: String?, instant: (Timestamp) -> String
  ) -> JSONValue {
    var object: JSONValue = [
      "id": .string(id.text), "conversation": .string(conversation.text),
      "patient": .string(patient.text), "number": .number(JSONNumber(number)),
      "sent": .string(instant(sent)), "written": .string(instant(written)),
      "side": .string(side.rawValue), "role": .string(role.rawValue),
    ]
    object["own"] = isOwn.map(JSONValue.bool)
    if let withdrawn {
      object["withdrawn"] = .string(instant(withdrawn))
      return object
    }
    object["by"] = .string(senderName)
    object["text"] = .string(text)
    if hasPhoto { object["photo"] = photo.map(JSONValue.string) }
    switch link {
    case .dose(let dose): object["dose"] = .string(dose.text)
    case .warning(let id): object["warning"] = .string(id.text)
    case nil: break
    }
    return object
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import FHIR
import Identifiers
import Plans
import Presentation
import Storage

/// A message of a conversation as a FHIR Communication, created on request from its row.
struct FHIRCommunication {
  let message: ChatMessage
  let baseURL: String

  /// Withdrawing a message creates its second version.
  var version: Int64 { message.withdrawn == nil ? 1 : 2 }
  var changed: Timestamp { message.withdrawn ?? message.sent }

  var json: JSONValue {
    var object: JSONValue = [
      "resourceType": "Communication", "id": .string(message.id.text),
      "meta": [
        "versionId": .string(String(version)), "lastUpdated": .string(Self.instant(changed)),
        "tag": [
          [
            "system": "urn:regimen:made-from", "code": "messages",
            "display": "From a conversation on this server; read-only",
          ]
        ],
      ],
      "status": message.withdrawn == nil ? "completed" : "entered-in-error",
      "subject": patient, "sent": .string(Self.instant(message.sent)),
    ]
    if case .dose(let dose)? = message.link {
      object["about"] = [["reference": .string("MedicationRequest/\(dose.plan)")]]
    }
    object["sender"] = sender
    if message.withdrawn == nil { object["payload"] = .array(payload) }
    return object
  }

  private var patient: JSONValue { ["reference": .string("Patient/\(message.patient)")] }

  private var sender: JSONValue {
    guard message.role != .self_ else { return patient }
    let type = message.role == .practitioner ? "Practitioner" : "RelatedPerson"
    // A withdrawn message keeps no name.
    guard message.withdrawn == nil else { return ["type": .string(type)] }
    return ["type": .string(type), "display": .string(message.senderName)]
  }

  private var payload: [JSONValue] {
    var parts: [JSONValue] = []
    if !message.text.isEmpty { parts.append(["contentString": .string(message.text)]) }
    if message.hasPhoto {
      let path = MessagePhoto.address(of: message.id, in: message.conversation)
      parts.append([
        "contentAttachment": [
          "contentType": "image/jpeg", "url": .string("\(baseURL)\(path)"),
        ]
      ])
    }
    return parts
  }

  private static func instant(_ moment: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: moment.milliseconds, offsetMinutes: 0)
  }
}

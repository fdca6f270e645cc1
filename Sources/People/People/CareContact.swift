// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// A contact to ask about medicines: the practitioner or the pharmacy.
package struct CareContact: Sendable, Hashable {
  /// The role of a contact.
  package enum Role: String, Sendable, Hashable, CaseIterable {
    case practitioner, pharmacy
  }

  /// The role of the contact.
  package let role: Role
  /// The name; empty for none.
  package var name: String
  /// The phone number as typed; empty for none.
  package var phone: String

  /// Creates a contact, empty unless name or phone are given.
  package init(_ role: Role, name: String = "", phone: String = "") {
    self.role = role
    self.name = name
    self.phone = phone
  }

  /// True if there is neither a name nor a phone number.
  package var isEmpty: Bool { name.isEmpty && phone.isEmpty }

  /// Reads a contact from a Patient: a contained resource that `generalPractitioner` refers to.
  init(_ role: Role, of patient: JSONValue) {
    let resource = patient["contained"]?.array?.first { $0["id"]?.string == role.rawValue }
    let telecom = resource?["telecom"]?.array?.first { $0["system"]?.string == "phone" }
    let phone = telecom?["value"]?.string ?? ""
    let named =
      role == .practitioner
      ? resource?["name"]?[0]?["text"]?.string : resource?["name"]?.string
    self.init(role, name: named == phone ? "" : named ?? "", phone: phone)
  }

  /// Writes contacts into a Patient; its other references stay.
  static func write(_ contacts: [CareContact], into patient: inout JSONValue) {
    let ids = Set(Role.allCases.map(\.rawValue))
    var contained = (patient["contained"]?.array ?? []).filter { resource in
      resource["id"]?.string.map { !ids.contains($0) } ?? true
    }
    var references = (patient["generalPractitioner"]?.array ?? []).filter { reference in
      reference["reference"]?.string.map { !ids.contains(String($0.dropFirst())) } ?? true
    }
    for contact in contacts {
      let kept = CareContact(
        contact.role, name: DraftText.trimmed(contact.name), phone: DraftText.trimmed(contact.phone)
      )
      if kept.isEmpty { continue }
      contained.append(kept.resource)
      var reference: JSONValue = ["reference": .string("#\(kept.role.rawValue)")]
      if !kept.name.isEmpty { reference["display"] = .string(kept.name) }
      references.append(reference)
    }
    patient["contained"] = contained.isEmpty ? nil : .array(contained)
    patient["generalPractitioner"] = references.isEmpty ? nil : .array(references)
  }

  private var resource: JSONValue {
    // An organization needs a name: its number if nothing else is known.
    let shown = name.isEmpty ? phone : name
    var resource: JSONValue =
      role == .practitioner
      ? ["resourceType": "Practitioner", "id": .string(role.rawValue)]
      : ["resourceType": "Organization", "id": .string(role.rawValue), "name": .string(shown)]
    if role == .practitioner { resource["name"] = [["text": .string(shown)]] }
    if !phone.isEmpty {
      resource["telecom"] = [["system": "phone", "value": .string(phone)]]
    }
    return resource
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers

/// The practitioner of this server who wrote a prescription, as in its `requester`.
package struct Prescriber: Sendable, Hashable {
  /// The system of the identifiers of prescriptions written on this server, and of the keys of
  /// their proposals.
  package static let prescriptionSystem = "urn:regimen:prescription"
  /// The system of the accounts that `requester` names.
  private static let accountSystem = "urn:regimen:account"

  /// The practitioner's account.
  package let account: AccountID
  /// The name as stored in the prescription.
  package let name: String

  /// Creates a prescriber.
  package init(account: AccountID, name: String) {
    self.account = account
    self.name = name
  }

  /// Reads the prescriber; nil if no practitioner of this server wrote the request.
  package init?(_ request: MedicationRequestView) {
    guard let requester = request.json["requester"],
      requester["identifier"]?["system"]?.string == Self.accountSystem,
      let account = requester["identifier"]?["value"]?.string
    else { return nil }
    self.init(account: AccountID(account), name: requester["display"]?.string ?? "")
  }

  /// Sets the `requester` of a request.
  package func write(into request: inout JSONValue) {
    request["requester"] = [
      "type": "Practitioner",
      "identifier": [
        "system": .string(Self.accountSystem), "value": .string(account.text),
      ],
      "display": .string(name),
    ]
  }
}

/// The time zone policy of a prescription, an extension since FHIR has no element for it.
package enum PrescribedPolicy {
  static let url = "urn:regimen:zone-policy"

  static func of(_ request: JSONValue) -> ZonePolicy? {
    request["extension"]?.array?.first { $0["url"]?.string == url }?["valueCode"]?.string
      .flatMap(ZonePolicy.init(rawValue:))
  }

  /// Writes the draft's policy to a request; a schedule that counts hours anyway needs none.
  package static func write(_ draft: PlanDraft, into request: inout JSONValue) {
    var others = (request["extension"]?.array ?? []).filter { $0["url"]?.string != url }
    // A schedule that counts hours needs no policy: it is clear from the Timing.
    if draft.policy != .elapsed || !draft.schedule.countsHours {
      others.append(["url": .string(url), "valueCode": .string(draft.policy.rawValue)])
    }
    request["extension"] = others.isEmpty ? nil : .array(others)
  }
}

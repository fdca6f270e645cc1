// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers

/// Who wrote a prescription here, as `requester` names it.
package struct Prescriber: Sendable, Hashable {
  /// The system of the identifiers of prescriptions written on this server, and of the keys of their proposals.
  package static let prescriptionSystem = "urn:regimen:prescription"
  /// The system of the accounts that `requester` names.
  private static let accountSystem = "urn:regimen:account"

  package let account: AccountID
  package let name: String

  package init(account: AccountID, name: String) {
    self.account = account
    self.name = name
  }

  /// Nil where no practitioner of this server wrote it.
  package init?(_ request: MedicationRequestView) {
    guard let requester = request.json["requester"],
      requester["identifier"]?["system"]?.string == Self.accountSystem,
      let account = requester["identifier"]?["value"]?.string
    else { return nil }
    self.init(account: AccountID(account), name: requester["display"]?.string ?? "")
  }

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

/// What the times of a prescription follow on a journey, which FHIR has no element for.
package enum PrescribedPolicy {
  static let url = "urn:regimen:zone-policy"

  static func of(_ request: JSONValue) -> ZonePolicy? {
    request["extension"]?.array?.first { $0["url"]?.string == url }?["valueCode"]?.string
      .flatMap(ZonePolicy.init(rawValue:))
  }

  package static func write(_ draft: PlanDraft, into request: inout JSONValue) {
    var others = (request["extension"]?.array ?? []).filter { $0["url"]?.string != url }
    // Hours that go on whatever the clock says follow from the timing itself.
    if draft.policy != .elapsed || !draft.schedule.countsHours {
      others.append(["url": .string(url), "valueCode": .string(draft.policy.rawValue)])
    }
    request["extension"] = others.isEmpty ? nil : .array(others)
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR

/// A decision support service that other systems call at a hook of their work (CDS Hooks 2.0).
enum CDSService: String, CaseIterable, Sendable {
  /// Checks orders while they are chosen.
  case orderSelect = "regimen-order-select"
  /// Checks all orders before they are signed.
  case orderSign = "regimen-order-sign"
  /// Sums up a person's medicines when the record is opened.
  case patientView = "regimen-patient-view"

  /// The address below which the services are.
  static let base = "/cds-services"

  /// The hook at which the service is called.
  var hook: String {
    switch self {
    case .orderSelect: "order-select"
    case .orderSign: "order-sign"
    case .patientView: "patient-view"
    }
  }

  /// True if the request contains draft orders.
  var checksOrders: Bool { self != .patientView }

  /// The description of the service in the list of all services, for those who set up the calling system.
  var json: JSONValue {
    var service: JSONValue = [
      "hook": .string(hook), "title": .string(title), "description": .string(summary),
      "id": .string(rawValue),
    ]
    if checksOrders {
      service["prefetch"] = [
        "patient": "Patient/{{context.patientId}}",
        "medications":
          "MedicationRequest?patient={{context.patientId}}&status=active,on-hold",
      ]
    }
    service["usageRequirements"] = .string(Self.usage)
    return service
  }

  /// The list of all services.
  static var discovery: JSONValue { ["services": .array(allCases.map(\.json))] }

  private var title: String {
    switch self {
    case .orderSelect: "Regimen: check the selected medicines"
    case .orderSign: "Regimen: check medicines before signing"
    case .patientView: "Regimen: medicines and adherence"
    }
  }

  private var summary: String {
    switch self {
    case .orderSelect, .orderSign:
      """
      Interactions, duplicate ingredients, allergies, age limits and unusual amounts of the ordered medicines, \
      together with those that the patient takes.
      """
    case .patientView:
      "Doses taken in the last 30 days, current medicines, and warnings that no one has acknowledged."
    }
  }

  private static let usage = """
    Sign each request with a JWT (ES384 or RS384). Patients are those of this server, by their id; others are \
    checked by the prefetched data only. The server never calls back.
    """
}

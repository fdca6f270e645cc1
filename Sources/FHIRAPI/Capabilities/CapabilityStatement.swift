// SPDX-License-Identifier: Apache-2.0

import FHIR
import Web

/// The CapabilityStatement of the FHIR API at `/fhir/metadata`.
enum CapabilityStatement {
  /// The day on which this description last changed.
  private static let date = "2026-11-22"

  static func json(baseURL: String) -> JSONValue {
    [
      "resourceType": "CapabilityStatement",
      "status": "active",
      "date": .string(date),
      "kind": "instance",
      "software": ["name": "Regimen", "version": .string(ServerSettings.version)],
      "implementation": ["description": "Regimen", "url": .string("\(baseURL)/fhir")],
      "fhirVersion": "4.0.1",
      "format": ["application/fhir+json", "json"],
      "rest": [
        [
          "mode": "server",
          "security": [
            "cors": false,
            "description":
              "Bearer tokens. Every read and write follows the access policy and is audited.",
          ],
          "resource": .array(FHIRType.allCases.map(resource)),
        ]
      ],
    ]
  }

  private static func resource(_ type: FHIRType) -> JSONValue {
    let isAdministration = type == .medicationAdministration
    let isDispense = type == .medicationDispense
    let isWritable = type == .medicationRequest || isAdministration || isDispense
    let isStored = FHIRType.stored.contains(type)
    let isTaken = isWritable || type == .observation
    let interactions =
      (isStored ? ["read", "vread", "search-type"] : ["read", "search-type"])
      + (isTaken || type == .communication ? ["create"] : []) + (isWritable ? ["update"] : [])
      + (type == .observation ? ["update", "delete", "vread", "history-instance"] : [])
    let common = isStored ? [("_id", "token"), ("_lastUpdated", "date")] : []
    let parameters = common + type.ownParameters
    return [
      "type": .string(type.rawValue),
      "interaction": .array(interactions.map { ["code": .string($0)] }),
      "versioning": .string(
        isTaken ? "versioned-update" : isStored ? "versioned" : "no-version"),
      "readHistory": .bool(type == .observation),
      "updateCreate": .bool(isWritable && !isAdministration && !isDispense),
      "conditionalCreate": .bool(isAdministration),
      "conditionalRead": .string(
        isStored || isTaken || type == .communication ? "not-match" : "not-supported"),
      "conditionalUpdate": false,
      "conditionalDelete": "not-supported",
      "searchParam": .array(
        parameters.map { ["name": .string($0.0), "type": .string($0.1)] }),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR

/// What a server says of itself at `/metadata`, as far as it is used.
package struct HospitalMetadata: Sendable, Hashable {
  package let version: HospitalVersion
  /// How the server calls itself.
  package let name: String?
  /// By what it is known again: not its release, which changes with every update.
  package let identity: String
  /// The resource types that can be searched.
  package let types: Set<String>

  package init(_ json: JSONValue) throws(HospitalTrouble) {
    guard let type = json["resourceType"]?.string,
      type == "CapabilityStatement" || type == "Conformance",
      let written = json["fhirVersion"]?.string
    else { throw .notFHIR }
    version = try HospitalVersion(metadata: written)
    let software = json["software"]?["name"]?.string
    name = [json["name"]?.string, json["title"]?.string, software].lazy
      .compactMap(\.self).first { !$0.isEmpty }.map { String($0.prefix(100)) }
    identity = [
      version.rawValue, software ?? "", json["publisher"]?.string ?? "",
      json["implementation"]?["url"]?.string ?? "",
    ].joined(separator: "\n")
    let resources = json["rest"]?[0]?["resource"]?.array ?? []
    types = Set(resources.prefix(500).compactMap { $0["type"]?.string })
  }

  /// Asks a server.
  package static func fetch(_ client: HospitalClient) async throws(HospitalTrouble)
    -> HospitalMetadata
  {
    do throws(HospitalTrouble) {
      return try HospitalMetadata(try await client.document(client.base.url("metadata")))
    } catch {
      switch error {
      case .notFound, .gone, .unexpected: throw .notFHIR
      default: throw error
      }
    }
  }

  /// The types of prescriptions that are asked for, in this order.
  static let prescriptionTypes: [HospitalVersion: [String]] = [
    .r4: ["MedicationRequest", "MedicationStatement", "MedicationDispense"],
    .dstu2: ["MedicationOrder", "MedicationStatement", "MedicationDispense"],
  ]
}

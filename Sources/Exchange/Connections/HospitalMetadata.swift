// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The parts of a server's capability statement (`/metadata`) that are used here.
package struct HospitalMetadata: Sendable, Hashable {
  /// The version of FHIR.
  package let version: HospitalVersion
  /// The server's name for itself, with at most 100 characters; nil if it gives none.
  package let name: String?
  /// The description by which the server is recognized: version, software, publisher and address.
  ///
  /// It leaves out the software's release, which changes with every update.
  package let identity: String
  /// The resource types that the server supports.
  package let types: Set<String>
  /// The types of prescriptions whose deletions the server lists (`_history` of the type).
  let histories: Set<String>

  /// Creates the metadata from a CapabilityStatement, or from the Conformance of DSTU2.
  ///
  /// - Throws: ``HospitalTrouble/notFHIR`` for anything else, ``HospitalTrouble/version(_:)`` for
  ///   an unknown version.
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
    let own = Self.prescriptionTypes[version] ?? []
    histories = Set(
      resources.prefix(500).filter { resource in
        (resource["interaction"]?.array ?? []).contains { $0["code"]?.string == "history-type" }
      }.compactMap { $0["type"]?.string }
    ).intersection(own)
  }

  /// Returns the metadata of a server.
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

  /// The types of prescriptions to request, in this order.
  static let prescriptionTypes: [HospitalVersion: [String]] = [
    .r4: ["MedicationRequest", "MedicationStatement", "MedicationDispense"],
    .dstu2: ["MedicationOrder", "MedicationStatement", "MedicationDispense"],
  ]
}

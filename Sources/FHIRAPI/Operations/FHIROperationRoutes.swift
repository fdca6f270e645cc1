// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Web

/// The operations of the FHIR API, whose names begin with `$`.
enum FHIROperationRoutes {
  static let all: [Route] =
    reading.map { $0.method == .post ? $0.onlyReading() : $0 }
    + ExportRoutes.all

  private static let reading: [Route] =
    ValidateOperation.routes + TerminologyOperations.routes + EverythingOperation.routes
    + DocumentOperation.routes + SummaryOperation.routes

  /// The operations for the capability statement.
  static let definitions: [FHIROperationDefinition] = [
    FHIROperationDefinition(
      "validate", definition: hl7("Resource-validate"), types: [], levels: [.type, .instance]),
    FHIROperationDefinition(
      "everything", definition: hl7("Patient-everything"), types: ["Patient"],
      levels: [.instance]),
    FHIROperationDefinition(
      "summary", definition: "http://hl7.org/fhir/uv/ips/OperationDefinition/summary",
      types: ["Patient"], levels: [.instance]),
    FHIROperationDefinition(
      "document", definition: hl7("Composition-document"), types: ["Composition"],
      levels: [.instance]),
    FHIROperationDefinition(
      "expand", definition: hl7("ValueSet-expand"), types: ["ValueSet"], levels: [.type]),
    FHIROperationDefinition(
      "validate-code", definition: hl7("ValueSet-validate-code"), types: ["ValueSet"],
      levels: [.type]),
    FHIROperationDefinition(
      "lookup", definition: hl7("CodeSystem-lookup"), types: ["CodeSystem"], levels: [.type]),
    FHIROperationDefinition(
      "export", definition: bulkData("export"), types: [], levels: [.system]),
    FHIROperationDefinition(
      "export", definition: bulkData("patient-export"), types: ["Patient"], levels: [.type]),
    FHIROperationDefinition(
      "export", definition: bulkData("group-export"), types: ["Group"], levels: [.instance]),
  ]

  private static func hl7(_ name: String) -> String {
    "http://hl7.org/fhir/OperationDefinition/\(name)"
  }

  private static func bulkData(_ name: String) -> String {
    "http://hl7.org/fhir/uv/bulkdata/OperationDefinition/\(name)"
  }
}

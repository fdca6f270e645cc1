// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Records
import Storage
import Web

/// The Consents, RelatedPersons and the CareTeam of a patient: who may do what with the data, for the patient and
/// those who act for the patient.
struct GrantSource: ProjectedSource {
  let type: FHIRType

  func page(
    _ request: ProjectedRequest, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> ProjectedPage {
    let resources = try all(of: request.patient, caller, in: reader)
      .filter { $0.matches(request.criteria, of: request.patient) }
    return ProjectedPage(resources: resources, total: resources.count)
  }

  func find(
    _ id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, resource: ProjectedResource)? {
    guard let patient = GrantMirror.patient(of: id, type) else { return nil }
    return try all(of: patient, caller, in: reader).first { $0.id == id }.map { (patient, $0) }
  }

  private func all(
    of patient: PatientID, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> [ProjectedResource] {
    let grants = try caller.environment.accounts.grants(of: patient, at: caller.now, in: reader)
    return GrantMirror(patient: patient, grants: grants).resources(type).map {
      resource(id: $0.id, $0.resource)
    }
  }

  /// Returns a resource whose version changes with its content, because grants keep no versions.
  private func resource(id: String, _ json: JSONValue) -> ProjectedResource {
    let version = Fingerprint.digest(of: json.bytes).prefix(6).reduce(Int64(0)) {
      $0 << 8 | Int64($1)
    }
    var meta = json["meta"] ?? .object(JSONObject())
    meta["versionId"] = .string(String(version))
    var written = json
    written["meta"] = meta
    let (resource, kind) = (written, type.resourceType)
    let updated = meta["lastUpdated"]?.string.flatMap { FHIRDateTime($0) }?.epochMilliseconds
    return ProjectedResource(
      id: id, version: version, lastUpdated: Timestamp(milliseconds: updated ?? 0),
      status: resource["status"]?.string,
      index: { kind.map { SearchIndex(of: resource, type: $0) } ?? SearchIndex(entries: []) },
      body: { resource.bytes })
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// A checked resource with the server's own elements set, ready to be stored.
struct RecordContent {
  let body: String
  /// The resource's `status`, by which it can be searched.
  let status: String?
  /// The rows of the search index.
  let rows: RecordIndexRows

  /// Checks a resource of a patient and sets `id`, `meta.versionId` and `meta.lastUpdated`.
  ///
  /// Nothing else of it changes, neither unknown extensions nor the text of numbers.
  ///
  /// - Parameter lookup: Finds the patient of another resource, for the types that belong to the patient of one.
  init(
    _ resource: JSONValue, type: String, id: String, patient: PatientID, version: Int64,
    at: Timestamp, lookup: RecordSubject.Lookup
  ) throws(RecordsError) {
    var issues = Self.issues(in: resource, type: type, id: id)
    if let known = ResourceType(rawValue: type), FHIRIdentifierText.isValidResourceID(id),
      try RecordSubject.patient(of: resource, type: known, id: id, lookup: lookup) != patient
    {
      issues.append(
        FHIRIssue(
          code: .value, expression: RecordSubject.expression(of: known),
          diagnostics: "The patient must be written as Patient/id."))
    }
    try self.init(resource, type: type, id: id, version: version, at: at, issues)
  }

  /// Checks a resource that belongs to no patient, and sets the same elements.
  init(
    shared resource: JSONValue, type: ResourceType, id: String, version: Int64, at: Timestamp
  ) throws(RecordsError) {
    let issues = Self.issues(in: resource, type: type.rawValue, id: id)
    try self.init(resource, type: type.rawValue, id: id, version: version, at: at, issues)
  }

  private init(
    _ resource: JSONValue, type: String, id: String, version: Int64, at: Timestamp,
    _ issues: [FHIRIssue]
  ) throws(RecordsError) {
    guard !issues.contains(where: { $0.severity == .error || $0.severity == .fatal }),
      let object = resource.object, let known = ResourceType(rawValue: type)
    else { throw .invalid(issues) }
    status = resource["status"]?.string
    rows = RecordIndexRows(SearchIndex(of: resource, type: known))
    body =
      JSONValue.object(
        Self.stamped(object, id: id, version: version, at: at)
      ).text
  }

  private static func issues(
    in resource: JSONValue, type: String, id: String
  ) -> [FHIRIssue] {
    guard let known = ResourceType(rawValue: type) else {
      return [
        FHIRIssue(
          code: .notSupported, expression: type,
          diagnostics: "This resource type cannot be stored here.")
      ]
    }
    var issues = ResourceValidator.issues(in: resource, expecting: known)
    guard FHIRIdentifierText.isValidResourceID(id) else {
      issues.append(
        FHIRIssue(
          code: .value, expression: "\(type).id",
          diagnostics: "An id must be 1 to 64 letters, digits, hyphens and dots."))
      return issues
    }
    if let own = resource["id"]?.string, own != id {
      issues.append(
        FHIRIssue(
          code: .value, expression: "\(type).id",
          diagnostics: "The id must match the id in the address."))
    }
    return issues
  }

  /// Returns the resource with new elements after `resourceType`, where FHIR lists them; existing ones keep
  /// their place.
  private static func stamped(
    _ object: JSONObject, id: String, version: Int64, at: Timestamp
  ) -> JSONObject {
    var meta = object["meta"]?.object ?? JSONObject()
    meta["versionId"] = .string(String(version))
    meta["lastUpdated"] = .string(
      FHIRDateTime.instantText(milliseconds: at.milliseconds, offsetMinutes: 0))
    let elements: [(key: String, value: JSONValue)] = [
      ("id", .string(id)), ("meta", .object(meta)),
    ]
    let missing = elements.filter { object[$0.key] == nil }
    var result = JSONObject()
    for (key, value) in object {
      result[key] = elements.first { $0.key == key }?.value ?? value
      if key == "resourceType" {
        for element in missing { result[element.key] = element.value }
      }
    }
    return result
  }
}

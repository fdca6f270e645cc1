// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Storage
import Web

/// One change of one resource, as a request or an entry of a Bundle asks for it.
struct WriteRequest: Sendable {
  /// The resource to change.
  enum Target: Sendable, Hashable {
    /// A new one; with the criteria of `If-None-Exist`, only if none matches.
    case new(ifNoneExist: String?)
    case id(String)
    /// The only one that matches the query of the address.
    case criteria(String)
  }

  /// The change.
  enum Change: Sendable {
    case resource(JSONValue)
    case patch(ResourcePatch)
    case deletion
  }

  let type: ResourceType
  let target: Target
  let change: Change
  var ifMatch: IfMatch?
  /// True if the resource must not exist yet (`If-None-Match: *`).
  var mustBeNew = false
  /// The id of a new resource, if the caller has chosen one.
  var newID: String?
}

/// A patch of a resource in one of the supported forms.
enum ResourcePatch: Sendable {
  case json(JSONPatch)
  case fhirPath(FHIRPathPatch)
  case merge(MergePatch)

  /// Returns the patched resource.
  func applied(to resource: JSONValue) throws(PatchProblem) -> JSONValue {
    switch self {
    case .json(let patch): try patch.applied(to: resource)
    case .fhirPath(let patch): try patch.applied(to: resource)
    case .merge(let patch): try patch.applied(to: resource)
    }
  }
}

/// The condition of `If-Match`.
enum IfMatch: Sendable, Hashable {
  /// `*`: the resource must exist.
  case any
  /// It must have one of these versions.
  case versions([Int64])

  /// Reads `W/"3"`, `"3"`, a bare `3`, a list of them, or `*`.
  ///
  /// - Throws: The failure 400 for anything else.
  init?(_ header: String?) throws {
    guard let header else { return nil }
    if header.filter({ $0 != " " }) == "*" {
      self = .any
      return
    }
    let versions = FHIRMedia.entityTags(header)
    let stated = header.split(separator: ",", omittingEmptySubsequences: false).count
    guard !versions.isEmpty, versions.count == stated else {
      throw Failure.badRequest(
        FHIRIssueCode.value.rawValue, "If-Match must name a version, such as W/\"1\".")
    }
    self = .versions(versions)
  }

  /// Throws the failure 412 if a resource does not have the version.
  func check(_ current: Int64) throws {
    guard case .versions(let versions) = self, !versions.contains(current) else { return }
    throw RecordsError.versionConflict(current: current)
  }
}

/// The result of one change.
struct WriteResult: Sendable {
  /// The way in which the change ended.
  enum Outcome: Sendable, Hashable {
    case created, updated, deleted
    /// A conditional create found the resource, and changed nothing.
    case found
  }

  let outcome: Outcome
  let type: ResourceType
  /// The resource as it is now; nil for a deletion.
  var resource: WrittenResource?
  /// The version of the deletion; nil if there was nothing to delete.
  var deletion: Int64?
  /// The patient whose data was changed or read; nil for a shared resource.
  var patient: PatientID?

  init(_ outcome: Outcome, _ resource: WrittenResource) {
    self.outcome = outcome
    type = resource.type
    self.resource = resource
    patient = resource.patient
  }

  init(deletionOf type: ResourceType, version: Int64?) {
    outcome = .deleted
    self.type = type
    deletion = version
  }

  /// The HTTP status of the answer.
  var status: Int {
    switch outcome {
    case .created: 201
    case .updated, .found: 200
    case .deleted: 204
    }
  }
}

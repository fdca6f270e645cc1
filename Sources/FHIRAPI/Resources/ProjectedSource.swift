// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Records
import Storage

/// The resources of one type that are created on request from the data of a patient.
///
/// The caller of a source has decided that the patient's resources of this type may be shown; a source leaves out
/// what this caller may not see of them.
protocol ProjectedSource: Sendable {
  /// Returns the resources of a patient that match all criteria.
  func page(
    _ request: ProjectedRequest, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> ProjectedPage

  /// Returns the current resource with an id, with its patient; nil if there is none.
  func find(
    _ id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, resource: ProjectedResource)?

  /// Returns all versions of a resource, the newest first, even after its deletion; nil for an unknown id.
  func versions(
    of id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, versions: [ProjectedResource])?

  /// Returns the versions of all resources of a patient that changed at or after a time, in any order.
  func history(
    of patient: PatientID, since: Int64?, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> [ProjectedResource]
}

/// A search for the resources of one patient.
struct ProjectedRequest: Sendable {
  /// A part of the results in the order of ``FHIRType/defaultSort``.
  struct Window: Sendable {
    /// The number of results that are needed.
    let limit: Int
    /// The end of the previous page; nil for the first page.
    let after: RecordCursor?
  }

  let patient: PatientID
  /// The conditions, without chains.
  let criteria: [SearchCriterion]
  /// The part that is needed; nil for all results.
  let window: Window?
}

/// The resources that a source found.
struct ProjectedPage: Sendable {
  /// The matches, in any order; with a window, at least those of the window.
  var resources: [ProjectedResource]
  /// The number of all matches.
  var total: Int

  static let empty = ProjectedPage(resources: [], total: 0)
}

/// A version of a resource that is created on request.
struct ProjectedResource: Sendable {
  let id: String
  let version: Int64
  let lastUpdated: Timestamp
  /// The code of `status`; nil without one.
  var status: String?
  /// The operation that led to this version.
  var operation = RecordOperation.create
  /// The keys of ``FHIRType/defaultSort``.
  var order: [SearchSortKey] = []
  /// Returns the values by which a search finds the resource.
  let index: @Sendable () -> SearchIndex
  /// Returns the JSON of the resource.
  let body: @Sendable () -> [UInt8]

  /// Returns true if a resource of a patient meets all conditions.
  func matches(_ criteria: [SearchCriterion], of patient: PatientID) -> Bool {
    guard !criteria.isEmpty else { return true }
    let index = index()
    let record = SearchedRecord(
      id: id, patient: patient.text, status: status, lastUpdated: lastUpdated.milliseconds)
    return criteria.allSatisfy { index.matches($0, record: record) ?? false }
  }
}

extension ProjectedSource {
  /// Returns the current version, for resources that have no earlier ones.
  func versions(
    of id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, versions: [ProjectedResource])? {
    try find(id, caller, in: reader).map { ($0.patient, [$0.resource]) }
  }

  /// Returns the current versions, for resources that have no earlier ones.
  func history(
    of patient: PatientID, since: Int64?, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> [ProjectedResource] {
    let request = ProjectedRequest(patient: patient, criteria: [], window: nil)
    return try page(request, caller, in: reader).resources.filter {
      $0.lastUpdated.milliseconds >= since ?? .min
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Storage
import Web

/// The resources of every type that an operation may show to its caller, stored or created on request.
struct OperationResources: Sendable {
  let caller: FHIRCaller

  /// The types with resources that belong to patients, the person first.
  static let ofPatients = FHIRType.allCases.filter { $0.ownership != .shared }

  /// Returns true if the caller may search a patient's resources of a type; an app must be allowed to read them, too,
  /// because that is how they appear in the access log.
  func maySearch(_ type: FHIRType, of patient: PatientID) -> Bool {
    guard case .allow = caller.search(type, of: patient) else { return false }
    guard caller.actor.scope.app != nil else { return true }
    return (try? caller.authorize(.read, type.rawValue, of: patient)) != nil
  }

  /// Returns a page of a patient's resources of a type; empty if the caller may not search them.
  func page(
    _ type: FHIRType, of patient: PatientID, matching criteria: [SearchCriterion] = [], count: Int,
    after: RecordCursor? = nil, in reader: any SQLReader
  ) throws -> ResourcePage {
    guard maySearch(type, of: patient) else { return .empty }
    let query = ResourceQuery(
      type: type, criteria: criteria, count: count, after: after, wantsTotal: false,
      compartment: patient)
    return try ResourceFinder(caller: caller).page(query, in: reader)
  }

  /// Returns the resource with an id if the caller may read it; nil otherwise, without a difference.
  func find(_ type: FHIRType, _ id: String) async throws -> FoundResource? {
    try await caller.environment.database.read { reader in try find(type, id, in: reader) }
  }

  /// Returns the resource with an id if the caller may read it; nil otherwise, without a difference.
  func find(_ type: FHIRType, _ id: String, in reader: any SQLReader) throws -> FoundResource? {
    let key = FoundResource.Key(type: type, id: id)
    return try ResourceReader(caller: caller).visible(key, in: reader)
  }

  /// Records that resources were read, by patient and type.
  func audit(_ resources: [FoundResource]) async throws {
    struct Read: Hashable {
      let type: FHIRType
      let patient: PatientID
    }
    var counts: [Read: Int] = [:]
    for resource in resources {
      guard let patient = resource.patient else { continue }
      counts[Read(type: resource.type, patient: patient), default: 0] += 1
    }
    for (read, count) in counts {
      let decision = decide(
        actor: caller.actor, action: .read, patient: read.patient, resource: read.type.rawValue,
        purpose: caller.actor.purpose(with: read.patient), part: .either)
      guard case .allow(let authorization) = decision else { continue }
      try await caller.environment.audit(authorization, count: count, at: caller.now)
    }
  }
}

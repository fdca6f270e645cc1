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

  /// Resources of one type of a patient that are read in the same way.
  enum Part: Sendable, Hashable {
    case stored(FHIRType)
    case projected(FHIRType)

    var type: FHIRType {
      switch self {
      case .stored(let type), .projected(let type): type
      }
    }

    /// All parts of the given types, in the order in which they are read.
    static func all(of types: [FHIRType]) -> [Part] {
      types.flatMap { type -> [Part] in
        (type.isStoredByPatient ? [.stored(type)] : [])
          + (ProjectedSources.source(of: type) == nil ? [] : [.projected(type)])
      }
    }

    /// The text of the part in the link to a page.
    var name: String {
      switch self {
      case .stored(let type): "s\(type.rawValue)"
      case .projected(let type): "p\(type.rawValue)"
      }
    }
  }

  /// A page of a part.
  struct Page: Sendable {
    var resources: [FoundResource]
    /// The end of the page; nil if nothing follows.
    var next: RecordCursor?
  }

  /// The types with resources that belong to patients, the person first.
  static let ofPatients = FHIRType.allCases.filter { $0.ownership != .shared }

  /// Returns a page of a patient's resources; the caller of this function has decided that they may be shown.
  ///
  /// - Parameter authorization: The permission to search this type.
  func page(
    _ part: Part, of patient: PatientID, matching criteria: [SearchCriterion], count: Int,
    after: RecordCursor?, authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> Page {
    switch part {
    case .stored(let type):
      guard let known = type.resourceType else { return Page(resources: []) }
      let search = RecordSearch(
        type: known, criteria: criteria, sort: [], count: count, after: after, wantsTotal: false)
      let page = try caller.environment.records.search(
        search, authorization: authorization, in: reader)
      return Page(resources: page.records.map { FoundResource($0, type) }, next: page.next)
    case .projected(let type):
      return try projected(
        type, of: patient, matching: criteria, count: count, after: after, in: reader)
    }
  }

  private func projected(
    _ type: FHIRType, of patient: PatientID, matching criteria: [SearchCriterion], count: Int,
    after: RecordCursor?, in reader: any SQLReader
  ) throws -> Page {
    guard let source = ProjectedSources.source(of: type) else { return Page(resources: []) }
    let request = ProjectedRequest(
      patient: patient, criteria: criteria,
      window: ProjectedRequest.Window(limit: count + 1, after: after))
    let order = ProjectedOrder(descending: type.defaultSort.map(\.isDescending))
    let found = try source.page(request, caller, in: reader).resources
      .filter { resource in after.map { order.precedes($0, resource) } ?? true }
      .sorted(by: order.precedes)
    let shown = found.prefix(count)
    var page = Page(
      resources: shown.map { FoundResource($0, type, patient: patient) })
    if found.count > count, let last = shown.last {
      page.next = RecordCursor(keys: last.order, patient: patient, id: last.id)
    }
    return page
  }

  /// Returns the resource with an id if the caller may read it; nil otherwise, without a difference.
  func find(_ type: FHIRType, _ id: String) async throws -> FoundResource? {
    try await caller.environment.database.read { reader in try find(type, id, in: reader) }
  }

  /// Returns the resource with an id if the caller may read it; nil otherwise, without a difference.
  func find(_ type: FHIRType, _ id: String, in reader: any SQLReader) throws -> FoundResource? {
    guard FHIRIdentifierText.isValidResourceID(id) else { return nil }
    if let source = ProjectedSources.source(of: type),
      let (patient, resource) = try source.find(id, caller, in: reader)
    {
      guard read(type, of: patient) != nil else { return nil }
      return FoundResource(resource, type, patient: patient)
    }
    if type.ownership == .shared { return try shared(type, id, in: reader) }
    guard type.isStoredByPatient,
      let patient = try caller.environment.records.patient(
        of: type.rawValue, id: id, in: reader),
      let authorization = read(type, of: patient)
    else { return nil }
    do {
      return FoundResource(
        try caller.environment.records.read(
          type.rawValue, id, authorization: authorization, in: reader), type)
    } catch RecordsError.notFound, RecordsError.gone {
      return nil
    }
  }

  private func shared(
    _ type: FHIRType, _ id: String, in reader: any SQLReader
  ) throws -> FoundResource? {
    do {
      return FoundResource(try SharedRecordStore().read(type.rawValue, id, in: reader), type)
    } catch RecordsError.notFound, RecordsError.gone {
      return nil
    }
  }

  /// Returns the permission to read a patient's resources of a type; nil if they must not be shown.
  func read(_ type: FHIRType, of patient: PatientID) -> Authorization? {
    let decision = decide(
      actor: caller.actor, action: .read, patient: patient, resource: type.rawValue,
      purpose: caller.actor.purpose(with: patient))
    return if case .allow(let authorization) = decision { authorization } else { nil }
  }

  /// Records that resources of a patient were read.
  func audit(_ type: FHIRType, of patient: PatientID, count: Int) async throws {
    guard let authorization = read(type, of: patient) else { return }
    try await caller.environment.audit(authorization, count: count, at: caller.now)
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
    for (read, count) in counts { try await audit(read.type, of: read.patient, count: count) }
  }
}

/// The order of resources that are created on request: their sort keys, then their ids.
private struct ProjectedOrder {
  /// True for each key that sorts from the largest to the smallest.
  let descending: [Bool]

  func precedes(_ left: ProjectedResource, _ right: ProjectedResource) -> Bool {
    precedes(left.order, left.id, right)
  }

  func precedes(_ cursor: RecordCursor, _ right: ProjectedResource) -> Bool {
    precedes(cursor.keys, cursor.id, right)
  }

  private func precedes(
    _ keys: [SearchSortKey], _ id: String, _ right: ProjectedResource
  ) -> Bool {
    for (index, (left, right)) in zip(keys, right.order).enumerated() where left != right {
      return descending.indices.contains(index) && descending[index] ? right < left : left < right
    }
    return id < right.id
  }
}

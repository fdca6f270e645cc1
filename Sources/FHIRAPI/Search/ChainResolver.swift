// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Storage
import Web

/// Replaces the chains that the database cannot follow, because resources at one end are created on request or limited
/// by the constraints of an app's scopes, by the ids of what they lead to.
struct ChainResolver {
  let finder: ResourceFinder

  /// The most resources to which a chain may lead.
  private static let mostResources = 1_000

  /// Returns conditions without chains to or from derived resources.
  func resolved(
    _ criteria: [SearchCriterion], of type: FHIRType, in reader: any SQLReader
  ) throws -> [SearchCriterion] {
    try criteria.map { try resolved($0, of: type, in: reader) }
  }

  private func resolved(
    _ criterion: SearchCriterion, of type: FHIRType, in reader: any SQLReader
  ) throws -> SearchCriterion {
    switch criterion.test {
    case .chain(let target, let inner):
      guard let end = FHIRType(rawValue: target.rawValue) else { return Self.nothing }
      let filter = AccessFilter(end, .search, finder.caller)
      guard filter.isPermitted else { return Self.nothing }
      let inner = try resolved(inner, of: end, in: reader)
      if Self.isStored(type), Self.isStored(end), !filter.isLimited {
        return SearchCriterion(
          parameter: criterion.parameter, test: .chain(target: target, inner))
      }
      let found = try resources(end, inner, in: reader)
      guard !found.isEmpty else { return Self.nothing }
      return SearchCriterion(
        parameter: criterion.parameter,
        test: .reference(found.map { .local(type: end.rawValue, id: $0.id) }))
    case .has(let source, let reference, let inner):
      guard let start = FHIRType(rawValue: source.rawValue) else { return Self.nothing }
      let filter = AccessFilter(start, .search, finder.caller)
      guard filter.isPermitted else { return Self.nothing }
      let inner = try resolved(inner, of: start, in: reader)
      if Self.isStored(type), Self.isStored(start), !filter.isLimited {
        return SearchCriterion(
          parameter: criterion.parameter,
          test: .has(source: source, reference: reference, inner))
      }
      let found = try resources(start, inner, in: reader)
      let ids = found.flatMap { ResourceReferences.of($0, by: reference) }
        .filter { $0.type == type }.map(\.id)
      return SearchCriterion(parameter: "_id", test: .ids(Set(ids).sorted()))
    default: return criterion
    }
  }

  /// A condition that nothing meets.
  private static let nothing = SearchCriterion(parameter: "_id", test: .ids([]))

  /// Returns true if every resource of a type is in the database in its final form.
  private static func isStored(_ type: FHIRType) -> Bool {
    type.ownership == .patient || type.ownership == .shared
  }

  private func resources(
    _ type: FHIRType, _ criterion: SearchCriterion, in reader: any SQLReader
  ) throws -> [FoundResource] {
    let query = ResourceQuery(
      type: type, criteria: [criterion], count: Self.mostResources, wantsTotal: false)
    let page = try finder.page(query, in: reader)
    guard page.next == nil else {
      throw Failure.badRequest(
        "too-costly", "The chain leads to too many resources. Add a condition to it.")
    }
    return page.resources
  }

  /// Returns the types at the far ends of all chains.
  static func types(in criteria: [SearchCriterion]) -> Set<ResourceType> {
    var types: Set<ResourceType> = []
    for criterion in criteria {
      switch criterion.test {
      case .chain(let target, let inner):
        types.insert(target)
        types.formUnion(Self.types(in: [inner]))
      case .has(let source, _, let inner):
        types.insert(source)
        types.formUnion(Self.types(in: [inner]))
      default: break
      }
    }
    return types
  }
}

/// The resources of this server to which a resource refers.
enum ResourceReferences {
  /// Returns the references of a search parameter; `*` for all parameters.
  static func of(_ resource: FoundResource, by parameter: String) -> [FoundResource.Key] {
    var keys: [FoundResource.Key] = []
    for entry in resource.index?.entries ?? [] {
      guard parameter == "*" || entry.parameter == parameter,
        case .reference(let name, let id) = entry.value, let type = FHIRType(rawValue: name)
      else { continue }
      keys.append(FoundResource.Key(type: type, id: id))
    }
    // The index leaves out the owner.
    let owners = resource.type.ownerParameters
    if let patient = resource.patient, !owners.isEmpty,
      parameter == "*" || owners.contains(parameter)
    {
      keys.append(FoundResource.Key(type: .patient, id: patient.text))
    }
    return keys
  }
}

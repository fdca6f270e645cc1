// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Records
import Storage

/// Finds the resources that a page of results refers to, and those that refer to it.
struct SearchIncludes {
  let caller: FHIRCaller
  let includes: [SearchInclude]
  let revIncludes: [SearchInclude]

  /// The most resources that are added to a page.
  static let mostResources = 1_000
  /// The most steps of `:iterate`.
  private static let mostSteps = 3

  private var finder: ResourceFinder { ResourceFinder(caller: caller) }

  /// Returns the resources to add, each once, and only those that the caller may read.
  func resources(
    around matches: [FoundResource], in reader: any SQLReader
  ) throws -> (resources: [FoundResource], isComplete: Bool) {
    guard !includes.isEmpty || !revIncludes.isEmpty else { return ([], true) }
    var known = Set(matches.map(\.key))
    var added: [FoundResource] = []
    var latest = matches
    for step in 0..<Self.mostSteps where !latest.isEmpty {
      var found: [FoundResource] = []
      for include in includes where step == 0 || include.isIterated {
        for key in targets(of: latest, include) where known.insert(key).inserted {
          guard added.count + found.count < Self.mostResources else {
            return (added + found, false)
          }
          if let resource = try ResourceReader(caller: caller).visible(key, in: reader) {
            found.append(resource)
          }
        }
      }
      for include in revIncludes where step == 0 || include.isIterated {
        let room = Self.mostResources - added.count - found.count
        let sources = try sources(of: latest, include, count: room, in: reader)
        for resource in sources.resources where known.insert(resource.key).inserted {
          found.append(resource)
        }
        if sources.next != nil { return (added + found, false) }
      }
      added += found
      latest = found
    }
    return (added, true)
  }

  private func targets(
    of resources: [FoundResource], _ include: SearchInclude
  ) -> [FoundResource.Key] {
    resources.filter { $0.type.rawValue == include.source.rawValue }
      .flatMap { ResourceReferences.of($0, by: include.parameter) }
      .filter { include.target == nil || $0.type.rawValue == include.target?.rawValue }
  }

  /// Returns the resources of a type that refer to others.
  private func sources(
    of resources: [FoundResource], _ include: SearchInclude, count: Int, in reader: any SQLReader
  ) throws -> ResourcePage {
    let targets = resources.filter {
      include.target == nil || $0.type.rawValue == include.target?.rawValue
    }
    guard let type = FHIRType(rawValue: include.source.rawValue), !targets.isEmpty, count > 0
    else { return .empty }
    let references = targets.map {
      ReferenceSearchValue.local(type: $0.type.rawValue, id: $0.id)
    }
    var page = ResourcePage.empty
    for parameter in parameters(include) {
      let criterion = SearchCriterion(parameter: parameter, test: .reference(references))
      let query = ResourceQuery(type: type, criteria: [criterion], count: count, wantsTotal: false)
      do {
        let found = try finder.page(query, in: reader)
        page.resources += found.resources
        page.next = page.next ?? found.next
      } catch is DenialReason {
        // The caller may not search this type at all.
        return .empty
      }
    }
    return page
  }

  private func parameters(_ include: SearchInclude) -> [String] {
    guard include.parameter == "*" else { return [include.parameter] }
    return SearchParameterTables.definitions(of: include.source)
      .filter { $0.kind == .reference }.map(\.name)
  }
}

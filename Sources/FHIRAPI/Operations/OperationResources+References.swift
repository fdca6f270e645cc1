// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

extension OperationResources {
  /// Returns the shared resources to which resources refer, and those to which these refer, each once.
  ///
  /// - Parameter most: The most resources to return.
  func shared(
    referredToBy resources: [FoundResource], atMost most: Int, in reader: any SQLReader
  ) throws -> [FoundResource] {
    var seen = Set(resources.map(\.key))
    var found: [FoundResource] = []
    var sources = resources
    while !sources.isEmpty, found.count < most {
      let next = try targets(
        of: sources, seen: &seen, atMost: most - found.count, in: reader
      ) { $0.ownership == .shared }
      found += next
      sources = next
    }
    return found
  }

  /// Returns the resources of some types to which resources refer directly, as far as the caller may read them.
  ///
  /// - Parameter seen: The resources that are known already, to which the ones looked at are added.
  func targets(
    of resources: [FoundResource], seen: inout Set<FoundResource.Key>, atMost most: Int,
    in reader: any SQLReader, where isWanted: (FHIRType) -> Bool
  ) throws -> [FoundResource] {
    var found: [FoundResource] = []
    for resource in resources {
      guard let json = resource.json else { continue }
      for key in ReferenceReading.targets(in: json, base: caller.base)
      where isWanted(key.type) && seen.insert(key).inserted {
        guard found.count < most else { return found }
        if let target = try find(key.type, key.id, in: reader) { found.append(target) }
      }
    }
    return found
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The walk over one resource that gathers findings.
struct ResourceWalk {
  private(set) var issues: [FHIRIssue] = []
  private let rootName: String

  init(rootName: String) { self.rootName = rootName }

  mutating func checkRoot(_ resource: JSONValue, type: ResourceType) {
    guard resource["resourceType"]?.string == type.rawValue else {
      issues.append(
        FHIRIssue(
          code: .structure, expression: "resourceType",
          diagnostics: "The resourceType must be \(type.rawValue)."))
      return
    }
  }
}

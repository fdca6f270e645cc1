// SPDX-License-Identifier: Apache-2.0

/// Checks a resource against the element tables of FHIR R4.
public enum ResourceValidator {
  /// The most findings that are reported; a resource with more is refused all the same.
  public static let maximumIssues = 50

  /// Everything that is wrong with the resource, each with the expression of the element; empty when it is valid.
  public static func issues(
    in resource: JSONValue, expecting type: ResourceType
  ) -> [FHIRIssue] {
    var walk = ResourceWalk(rootName: type.rawValue)
    walk.checkRoot(resource, type: type)
    return walk.issues
  }
}

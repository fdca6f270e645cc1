// SPDX-License-Identifier: Apache-2.0

/// Checks a resource against the element tables of FHIR R4.
public enum ResourceValidator {
  /// The maximum number of reported findings; a resource with more is still rejected.
  public static let maximumIssues = 50

  /// Returns all problems with the resource, each with the expression of the element, warnings last; there
  /// is no error if the resource is valid.
  public static func issues(
    in resource: JSONValue, expecting type: ResourceType
  ) -> [FHIRIssue] {
    var walk = ResourceWalk(rootName: type.rawValue)
    walk.checkRoot(resource, type: type)
    return walk.issues + walk.warnings.prefix(maximumIssues - walk.issues.count)
  }
}

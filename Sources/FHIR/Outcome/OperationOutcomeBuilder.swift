// SPDX-License-Identifier: Apache-2.0

/// Creates the OperationOutcome resource that answers a request.
public enum OperationOutcomeBuilder {
  /// Returns the resource with one entry for each finding; without findings, one that reports success,
  /// because an empty list is invalid.
  ///
  /// - Parameter written: entries that are already JSON; they follow the others.
  public static func json(_ issues: [FHIRIssue], _ written: [JSONValue] = []) -> JSONValue {
    let stated =
      issues.isEmpty && written.isEmpty
      ? [FHIRIssue(severity: .information, code: .informational, diagnostics: "No issues found.")]
      : issues
    return [
      "resourceType": "OperationOutcome",
      "issue": .array(stated.map(json(of:)) + written),
    ]
  }

  private static func json(of issue: FHIRIssue) -> JSONValue {
    var json: JSONValue = [
      "severity": .string(issue.severity.rawValue),
      "code": .string(issue.code.rawValue),
    ]
    if !issue.diagnostics.isEmpty { json["diagnostics"] = .string(issue.diagnostics) }
    if let expression = issue.expression { json["expression"] = [.string(expression)] }
    return json
  }
}

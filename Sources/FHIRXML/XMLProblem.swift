// SPDX-License-Identifier: Apache-2.0

import FHIR

/// A reason why XML cannot be read as a resource.
package struct XMLProblem: Error, Equatable, Sendable {
  /// The finding, with the path of the element if the document is well-formed.
  package let issue: FHIRIssue

  /// Creates a problem.
  init(_ code: FHIRIssueCode, at expression: String? = nil, _ diagnostics: String) {
    issue = FHIRIssue(
      severity: expression == nil ? .fatal : .error, code: code, expression: expression,
      diagnostics: diagnostics)
  }
}

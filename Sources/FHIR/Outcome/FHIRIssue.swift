// SPDX-License-Identifier: Apache-2.0

/// The codes of FHIR's required `issue-type` value set.
public enum FHIRIssueCode: String, Sendable, CaseIterable {
  /// The content is not valid, and no more specific code applies.
  case invalid
  /// The content does not have the form that FHIR defines.
  case structure
  /// A required element is missing.
  case required
  /// An element has a value that its type does not allow.
  case value
  /// A rule between elements is broken.
  case invariant
  /// There is a problem with authentication or permission.
  case security
  /// The sign-in is missing or wrong.
  case login
  /// The caller is not known.
  case unknown
  /// The session has ended.
  case expired
  /// The caller may not do this.
  case forbidden
  /// Content was left out for privacy.
  case suppressed
  /// The request cannot be processed.
  case processing
  /// The interaction, parameter or media type is not supported.
  case notSupported = "not-supported"
  /// The content duplicates what exists.
  case duplicate
  /// More than one record matches.
  case multipleMatches = "multiple-matches"
  /// The record does not exist.
  case notFound = "not-found"
  /// The record existed and was deleted.
  case deleted
  /// The content is too large.
  case tooLong = "too-long"
  /// The code is not in the required list.
  case codeInvalid = "code-invalid"
  /// An extension is not acceptable.
  case `extension` = "extension"
  /// The request would cost too much.
  case tooCostly = "too-costly"
  /// A business rule forbids it.
  case businessRule = "business-rule"
  /// The content conflicts with the current state.
  case conflict
  /// A temporary fault; the same request may succeed later.
  case transient
  /// A lock could not be acquired.
  case lockError = "lock-error"
  /// The store is not available.
  case noStore = "no-store"
  /// There was an unexpected internal error.
  case exception
  /// It took too long.
  case timeout
  /// The answer is not complete.
  case incomplete
  /// There were too many requests.
  case throttled
  /// The issue is only information.
  case informational
}

/// A finding about a resource or a request, as in an OperationOutcome.
public struct FHIRIssue: Sendable, Hashable {
  /// The severity of a finding.
  public enum Severity: String, Sendable, CaseIterable {
    /// The content could not be examined.
    case fatal
    /// The content is rejected.
    case error
    /// The content is accepted, but something is unusual.
    case warning
    /// A remark.
    case information
  }

  /// The severity of the finding.
  public let severity: Severity
  /// The code of the finding.
  public let code: FHIRIssueCode
  /// The FHIRPath expression of the faulty element, such as `Patient.name[0].family`.
  public let expression: String?
  /// The problem and its remedy, in English for developers; never a value from the content.
  public let diagnostics: String

  /// Creates a finding.
  public init(
    severity: Severity = .error, code: FHIRIssueCode, expression: String? = nil,
    diagnostics: String
  ) {
    self.severity = severity
    self.code = code
    self.expression = expression
    self.diagnostics = diagnostics
  }
}

extension FHIRIssue {
  /// Creates the finding for a document that could not be read at all.
  public init(_ error: JSONSyntaxError) {
    let code: FHIRIssueCode =
      switch error.reason {
      case .tooLarge: .tooLong
      case .tooDeep: .tooCostly
      default: .structure
      }
    self.init(severity: .fatal, code: code, diagnostics: error.description)
  }
}

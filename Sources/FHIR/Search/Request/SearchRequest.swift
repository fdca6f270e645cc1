// SPDX-License-Identifier: Apache-2.0

/// A search for resources of one type: its conditions, and the form of the result.
public struct SearchRequest: Sendable {
  /// The conditions, which must all match.
  public var criteria: [SearchCriterion] = []
  /// The keys of `_sort` in order; at most four.
  public var sort: [SearchSort] = []
  /// The size of a page, at most 500; 0 for the total only, nil if the client leaves it to the server.
  public var count: Int?
  /// The total that the client wants.
  public var total = SearchTotal.accurate
  /// The part of each resource that the client wants; nil if it does not say.
  public var summary: SearchSummary?
  /// The names of the elements that the client wants, without `[x]`; empty for all.
  public var elements: [String] = []
  /// The references of the results to follow.
  public var includes: [SearchInclude] = []
  /// The references to the results to follow backwards.
  public var revIncludes: [SearchInclude] = []
  /// The position of the page, from the link that led here.
  public var cursor: String?
  /// The applied parameters as they were written, for the links of the answer; without the cursor.
  public var used: [(String, String)] = []
  /// The names of parameters that were left out because the client asked for lenient handling.
  public var ignored: [String] = []

  /// Creates a search that finds everything.
  public init() {}
}

/// A key of `_sort`.
public struct SearchSort: Sendable, Hashable {
  /// The name of the search parameter, or `_id` or `_lastUpdated`.
  public let parameter: String
  /// True if the largest value comes first.
  public let isDescending: Bool

  /// Creates a key.
  public init(parameter: String, isDescending: Bool) {
    self.parameter = parameter
    self.isDescending = isDescending
  }
}

/// An `_include` or `_revinclude`.
public struct SearchInclude: Sendable, Hashable {
  /// The type of the resources whose references are followed.
  public let source: ResourceType
  /// The name of the reference parameter; `*` for all.
  public let parameter: String
  /// The only type to follow to; nil for any.
  public let target: ResourceType?
  /// True if it also applies to the resources that other includes add.
  public let isIterated: Bool

  /// Creates an include.
  public init(source: ResourceType, parameter: String, target: ResourceType?, isIterated: Bool) {
    self.source = source
    self.parameter = parameter
    self.target = target
    self.isIterated = isIterated
  }
}

/// A value of `_total`.
public enum SearchTotal: String, Sendable, Hashable, CaseIterable {
  case none, estimate, accurate
}

/// A value of `_summary`.
public enum SearchSummary: String, Sendable, Hashable, CaseIterable {
  case `true`, text, data, count, `false`
}

/// The reason why a search was refused.
public struct SearchProblem: Error, Sendable, Hashable {
  /// The code for the OperationOutcome; `not-supported` for what lenient handling may ignore.
  public let code: FHIRIssueCode
  /// The name of the parameter with its modifier; nil for the search as a whole.
  public let expression: String?
  /// The problem and its remedy, in English for developers; never a value from the search.
  public let diagnostics: String

  /// Creates a problem.
  public init(code: FHIRIssueCode, expression: String?, diagnostics: String) {
    self.code = code
    self.expression = expression
    self.diagnostics = diagnostics
  }
}

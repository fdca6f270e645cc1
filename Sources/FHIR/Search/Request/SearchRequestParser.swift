// SPDX-License-Identifier: Apache-2.0

/// Reads the parameters of a search and refuses what it does not understand.
public enum SearchRequestParser {
  /// The most parameters of a search.
  public static let mostParameters = 100
  /// The most alternatives in one value.
  public static let mostValues = 500
  /// The largest page.
  public static let mostCount = 500
  /// The most references that a chain follows.
  public static let mostChainLinks = 3
  /// The deepest nesting of `_has`.
  public static let mostReverseChains = 2
  /// The most keys of `_sort`.
  public static let mostSortKeys = 4

  /// Reads a search.
  ///
  /// - Parameters:
  ///   - pairs: the decoded names and values, as ``SearchQueryParser/pairs(query:)`` returns them.
  ///   - type: the type of the resources sought.
  ///   - base: the address of this server's FHIR API, such as `https://example.org/fhir`.
  ///   - isLenient: true to leave out unsupported parameters instead of refusing the search. Malformed values
  ///     are always refused.
  public static func parse(
    _ pairs: [(name: String, value: String)], type: ResourceType, base: String, isLenient: Bool
  ) throws(SearchProblem) -> SearchRequest {
    guard pairs.count <= mostParameters else {
      throw SearchProblem(
        code: .tooCostly, expression: nil,
        diagnostics: "A search can have at most \(mostParameters) parameters.")
    }
    var request = SearchRequest()
    for pair in pairs {
      do throws(SearchProblem) {
        try apply(pair.name, pair.value, type: type, base: base, to: &request)
      } catch {
        guard isLenient, error.code == .notSupported else { throw error }
        request.ignored.append(pair.name)
        continue
      }
      if pair.name != "_cursor" { request.used.append((pair.name, pair.value)) }
    }
    return request
  }

  private static let single: Set<String> = ["_count", "_sort", "_summary", "_total", "_cursor"]

  private static func apply(
    _ name: String, _ value: String, type: ResourceType, base: String,
    to request: inout SearchRequest
  ) throws(SearchProblem) {
    let problems = SearchProblems(name: name)
    if single.contains(name) {
      let isRepeated =
        request.used.contains { $0.0 == name } || (name == "_cursor" && request.cursor != nil)
      guard !isRepeated else { throw problems.invalid("Write the parameter only once.") }
    }
    let results = SearchResultParameters(type: type, problems: problems)
    switch name {
    // A client of another server asks it in this way to count; the total is always exact here.
    case "_format", "_totalMethod": break
    case "_pretty":
      guard value == "true" || value == "false" else {
        throw problems.invalid("_pretty must be true or false.")
      }
    case "_count": request.count = try results.count(value)
    case "_total": request.total = try results.total(value)
    case "_summary": request.summary = try results.summary(value)
    case "_elements":
      let known = request.elements
      request.elements += try results.elements(value).filter { !known.contains($0) }
    case "_sort": request.sort = try results.sort(value)
    case "_cursor":
      guard !value.isEmpty else { throw problems.invalid("The link to the page is not complete.") }
      request.cursor = value
    case "_include": request.includes.append(try results.include(value, isIterated: false))
    case "_include:iterate": request.includes.append(try results.include(value, isIterated: true))
    case "_revinclude":
      request.revIncludes.append(try results.revInclude(value, isIterated: false))
    case "_revinclude:iterate":
      request.revIncludes.append(try results.revInclude(value, isIterated: true))
    default:
      let parser = SearchCriterionParser(base: base, problems: problems)
      request.criteria.append(try parser.criterion(name[...], value, of: type))
    }
  }
}

/// Creates the problems with one parameter.
struct SearchProblems {
  /// The name with modifier, as it was written.
  let name: String

  func invalid(_ diagnostics: String) -> SearchProblem {
    SearchProblem(code: .value, expression: name, diagnostics: diagnostics)
  }

  func unsupported(_ diagnostics: String) -> SearchProblem {
    SearchProblem(code: .notSupported, expression: name, diagnostics: diagnostics)
  }

  func tooCostly(_ diagnostics: String) -> SearchProblem {
    SearchProblem(code: .tooCostly, expression: name, diagnostics: diagnostics)
  }

  func unknownParameter(of type: ResourceType) -> SearchProblem {
    if name == "_text" || name == "_content" {
      return unsupported("This server does not search texts. Search by codes, names or dates.")
    }
    return unsupported("This server does not support the search parameter for \(type.rawValue).")
  }

  /// Returns a type that can be searched, by its name.
  func type(_ name: some StringProtocol) throws(SearchProblem) -> ResourceType {
    if let type = ResourceType(rawValue: String(name)), SearchParameterTables.types.contains(type) {
      return type
    }
    if R4ResourceNames.contains(String(name)) {
      throw unsupported("This server does not search the resource type in the parameter.")
    }
    throw invalid("FHIR R4 has no such resource type.")
  }

  /// Returns a reference parameter of a type.
  func reference(
    _ parameter: some StringProtocol, of type: ResourceType
  ) throws(SearchProblem) -> SearchParameterDefinition {
    guard let definition = SearchParameterTables.definition(String(parameter), of: type) else {
      throw unknownParameter(of: type)
    }
    guard definition.kind == .reference else {
      throw invalid("\(definition.name) of \(type.rawValue) is not a reference.")
    }
    return definition
  }
}

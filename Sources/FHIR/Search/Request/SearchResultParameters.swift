// SPDX-License-Identifier: Apache-2.0

/// Reads the parameters that shape the result of a search.
struct SearchResultParameters {
  let type: ResourceType
  let problems: SearchProblems

  func count(_ value: String) throws(SearchProblem) -> Int {
    guard !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
      throw problems.invalid("_count must be a whole number of 0 or more.")
    }
    let most = SearchRequestParser.mostCount
    return min(Int(value) ?? most, most)
  }

  func total(_ value: String) throws(SearchProblem) -> SearchTotal {
    guard let total = SearchTotal(rawValue: value) else {
      throw problems.invalid("_total must be none, estimate or accurate.")
    }
    return total
  }

  func summary(_ value: String) throws(SearchProblem) -> SearchSummary {
    guard let summary = SearchSummary(rawValue: value) else {
      throw problems.invalid("_summary must be true, false, text, data or count.")
    }
    return summary
  }

  func elements(_ value: String) throws(SearchProblem) -> [String] {
    let names = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= SearchRequestParser.mostValues else {
      throw problems.tooCostly("_elements lists too many names.")
    }
    let definition = ElementTables.standard.type(named: type.rawValue)
    let known = definition.map { Set($0.elements.values.map(\.baseName)) }
    for name in names {
      // Not an element, but always there and often asked for.
      if name == "resourceType" { continue }
      guard !name.isEmpty, known?.contains(name) ?? true else {
        throw problems.invalid(
          "_elements must name elements of \(type.rawValue), separated by commas, without [x].")
      }
    }
    return names.filter { $0 != "resourceType" }
  }

  func sort(_ value: String) throws(SearchProblem) -> [SearchSort] {
    let words = value.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count <= SearchRequestParser.mostSortKeys else {
      throw problems.tooCostly(
        "_sort can have at most \(SearchRequestParser.mostSortKeys) keys.")
    }
    var keys: [SearchSort] = []
    for word in words {
      let isDescending = word.hasPrefix("-")
      let name = String(isDescending ? word.dropFirst() : word)
      guard !name.isEmpty, !name.hasPrefix("-") else {
        throw problems.invalid("_sort must name search parameters, each with at most one hyphen.")
      }
      try checkSortKey(name)
      keys.append(SearchSort(parameter: name, isDescending: isDescending))
    }
    return keys
  }

  private func checkSortKey(_ name: String) throws(SearchProblem) {
    if name == "_id" || name == "_lastUpdated" { return }
    guard let definition = SearchParameterTables.definition(name, of: type) else {
      throw problems.unsupported(
        "_sort must name search parameters of \(type.rawValue), _id or _lastUpdated.")
    }
    guard definition.kind != .composite, definition.kind != .special else {
      throw problems.unsupported("This server does not sort by \(name).")
    }
  }

  func include(_ value: String, isIterated: Bool) throws(SearchProblem) -> SearchInclude {
    if value == "*" {
      return SearchInclude(source: type, parameter: "*", target: nil, isIterated: isIterated)
    }
    let include = try read(value, isIterated: isIterated)
    guard isIterated || include.source == type else {
      throw problems.invalid(
        "_include must start with \(type.rawValue); use _include:iterate for other types.")
    }
    return include
  }

  func revInclude(_ value: String, isIterated: Bool) throws(SearchProblem) -> SearchInclude {
    if value == "*" {
      throw problems.unsupported("_revinclude must name a resource type and a parameter.")
    }
    let include = try read(value, isIterated: isIterated)
    if isIterated { return include }
    let targets =
      SearchParameterTables.definition(include.parameter, of: include.source)?.targets ?? []
    guard targets.isEmpty || targets.contains(type.rawValue), include.target ?? type == type else {
      throw problems.invalid(
        "The parameter does not refer to \(type.rawValue). Use _revinclude:iterate for others.")
    }
    return include
  }

  /// Reads `Type:parameter` or `Type:parameter:Target`.
  private func read(_ value: String, isIterated: Bool) throws(SearchProblem) -> SearchInclude {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3, !parts.contains("") else {
      throw problems.invalid("Write Type:parameter or Type:parameter:Target.")
    }
    let source = try problems.type(parts[0])
    var targets: [String] = []
    if parts[1] != "*" { targets = try problems.reference(parts[1], of: source).targets }
    var target: ResourceType?
    if parts.count == 3 {
      let named = try problems.type(parts[2])
      guard targets.isEmpty || targets.contains(named.rawValue) else {
        throw problems.invalid("The parameter does not refer to the target type.")
      }
      target = named
    }
    return SearchInclude(
      source: source, parameter: parts[1], target: target, isIterated: isIterated)
  }
}

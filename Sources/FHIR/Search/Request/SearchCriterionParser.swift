// SPDX-License-Identifier: Apache-2.0

/// Reads a condition: a parameter with its modifier, a chain, or a reverse chain.
struct SearchCriterionParser {
  let base: String
  let problems: SearchProblems

  /// Reads a condition on resources of a type.
  ///
  /// - Parameters:
  ///   - links: the number of references that lead here.
  ///   - depth: the number of `_has` that lead here.
  func criterion(
    _ name: Substring, _ value: String, of type: ResourceType, links: Int = 0, depth: Int = 0
  ) throws(SearchProblem) -> SearchCriterion {
    if name.hasPrefix("_has:") {
      return try reverseChain(name, value, of: type, links: links, depth: depth)
    }
    if let dot = name.firstIndex(of: ".") {
      return try chain(
        name[..<dot], name[name.index(after: dot)...], value, of: type, links: links, depth: depth)
    }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let modifier = parts.count == 2 ? String(parts[1]) : nil
    return try condition(String(parts.first ?? ""), modifier, value, of: type)
  }

  private func chain(
    _ head: Substring, _ tail: Substring, _ value: String, of type: ResourceType, links: Int,
    depth: Int
  ) throws(SearchProblem) -> SearchCriterion {
    let most = SearchRequestParser.mostChainLinks
    guard links < most else {
      throw problems.tooCostly("A chain can follow at most \(most) references.")
    }
    guard !tail.isEmpty else {
      throw problems.invalid("Name a search parameter after the dot of the chain.")
    }
    let parts = head.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let definition = try problems.reference(parts.first ?? "", of: type)
    let target: ResourceType
    if parts.count == 2 {
      target = try problems.type(parts[1])
      guard definition.targets.isEmpty || definition.targets.contains(target.rawValue) else {
        throw problems.invalid("\(definition.name) does not refer to \(target.rawValue).")
      }
    } else {
      target = try self.target(of: definition, for: tail)
    }
    let inner = try criterion(tail, value, of: target, links: links + 1, depth: depth)
    return SearchCriterion(
      parameter: definition.name, test: .chain(target: target, inner))
  }

  /// Returns the only type to which a reference may point that has the next parameter of the chain.
  private func target(
    of definition: SearchParameterDefinition, for tail: Substring
  ) throws(SearchProblem) -> ResourceType {
    let next = String(tail.prefix { $0 != "." && $0 != ":" })
    let served = SearchParameterTables.types.filter {
      definition.targets.isEmpty || definition.targets.contains($0.rawValue)
    }
    let candidates = served.filter {
      next == "_has" || next == "_id" || next == "_lastUpdated"
        || SearchParameterTables.definition(next, of: $0) != nil
    }
    if candidates.count == 1, let only = candidates.first { return only }
    if served.count == 1, let only = served.first { return only }
    if candidates.isEmpty {
      throw problems.unsupported(
        "No resource type to which \(definition.name) refers has the parameter after the dot.")
    }
    let names = candidates.map { "\(definition.name):\($0.rawValue)" }.joined(separator: ", ")
    throw problems.invalid("Name the type in the chain. It can be: \(names).")
  }

  private func reverseChain(
    _ name: Substring, _ value: String, of type: ResourceType, links: Int, depth: Int
  ) throws(SearchProblem) -> SearchCriterion {
    let most = SearchRequestParser.mostReverseChains
    guard depth < most else { throw problems.tooCostly("_has can be nested at most \(most) deep.") }
    let parts = name.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts.contains("") else {
      throw problems.invalid("Write _has:Type:reference:parameter.")
    }
    let source = try problems.type(parts[1])
    let definition = try problems.reference(parts[2], of: source)
    guard definition.targets.isEmpty || definition.targets.contains(type.rawValue) else {
      throw problems.invalid(
        "\(definition.name) of \(source.rawValue) does not refer to \(type.rawValue).")
    }
    let inner = try criterion(parts[3], value, of: source, links: links, depth: depth + 1)
    return SearchCriterion(
      parameter: "_has", test: .has(source: source, reference: definition.name, inner))
  }

  private func condition(
    _ name: String, _ modifier: String?, _ value: String, of type: ResourceType
  ) throws(SearchProblem) -> SearchCriterion {
    if name == "_id" || name == "_lastUpdated" {
      guard modifier == nil else {
        throw problems.unsupported("\(name) has no modifiers that this server supports.")
      }
      return SearchCriterion(parameter: name, test: try columnTest(name, value))
    }
    guard let definition = SearchParameterTables.definition(name, of: type) else {
      throw problems.unknownParameter(of: type)
    }
    if let composite = SearchComposite.of(name, type) {
      return try self.composite(composite, modifier, value, of: type)
    }
    guard definition.kind != .composite, definition.kind != .special else {
      throw problems.unsupported("This server does not support \(name). Search for its parts.")
    }
    if modifier == "missing" {
      guard value == "true" || value == "false" else {
        throw problems.invalid("The value of :missing must be true or false.")
      }
      return SearchCriterion(parameter: name, test: .missing(value == "true"))
    }
    let values = SearchValueParser(
      definition: definition, type: type, base: base, problems: problems)
    return try values.criterion(modifier, try alternatives(value))
  }

  /// Reads `code$value`: both parts must match in the place that the composite names.
  private func composite(
    _ composite: SearchComposite, _ modifier: String?, _ value: String, of type: ResourceType
  ) throws(SearchProblem) -> SearchCriterion {
    guard modifier == nil else {
      throw problems.unsupported("\(composite.name) has no modifiers.")
    }
    var alternatives: [[SearchCriterion]] = []
    let written = SearchEscapes.split(value, at: ",")
    guard written.count <= SearchRequestParser.mostValues else {
      throw problems.tooCostly("A list can have at most \(SearchRequestParser.mostValues) values.")
    }
    for alternative in written {
      let parts = SearchEscapes.split(alternative, at: "$")
      guard parts.count == 2 else {
        throw problems.invalid(
          "Write \(composite.first)$\(composite.second), such as a code and a value.")
      }
      alternatives += composite.alternatives(
        try condition(composite.first, nil, parts[0], of: type),
        try condition(composite.second, nil, parts[1], of: type))
    }
    return SearchCriterion(parameter: composite.name, test: .anyOf(alternatives))
  }

  private func columnTest(_ name: String, _ value: String) throws(SearchProblem) -> SearchTest {
    var ids: [String] = []
    var dates: [DateSearchValue] = []
    for text in try alternatives(value) {
      if name == "_id" {
        guard FHIRIdentifierText.isValidResourceID(text) else {
          throw problems.invalid("_id must be a logical id, without the type.")
        }
        ids.append(text)
      } else {
        guard let date = DateSearchValue(SearchEscapes.resolve(text)) else {
          throw problems.invalid(SearchValueParser.dateRule)
        }
        dates.append(date)
      }
    }
    return name == "_id" ? .ids(ids) : .lastUpdated(dates)
  }

  /// Returns the alternatives of a value, still with their escapes.
  private func alternatives(_ value: String) throws(SearchProblem) -> [String] {
    let texts = SearchEscapes.split(value, at: ",")
    guard texts.count <= SearchRequestParser.mostValues else {
      throw problems.tooCostly(
        "A value can list at most \(SearchRequestParser.mostValues) alternatives.")
    }
    guard !texts.contains("") else {
      throw problems.invalid("The value must not be empty, nor have an empty alternative.")
    }
    return texts
  }
}

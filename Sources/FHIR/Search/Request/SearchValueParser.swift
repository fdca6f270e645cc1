// SPDX-License-Identifier: Apache-2.0

/// Reads the values of one parameter by its kind and modifier.
struct SearchValueParser {
  static let dateRule =
    "The value must be a date or time with an optional prefix, such as ge2026-03-01."

  let definition: SearchParameterDefinition
  let type: ResourceType
  let base: String
  let problems: SearchProblems

  /// Reads alternatives that still have their escapes.
  func criterion(
    _ modifier: String?, _ texts: [String]
  ) throws(SearchProblem) -> SearchCriterion {
    if definition.kind == .token, modifier == "of-type" {
      return SearchCriterion(parameter: "identifier:of-type", test: try ofType(texts))
    }
    return SearchCriterion(parameter: definition.name, test: try test(modifier, texts))
  }

  private func test(_ modifier: String?, _ texts: [String]) throws(SearchProblem) -> SearchTest {
    switch (definition.kind, modifier) {
    case (.token, nil): return .token(try tokens(texts))
    case (.token, "not"): return .notToken(try tokens(texts))
    case (.token, "in"): return .token(try valueSets(texts))
    case (.token, "text")
    where SearchParameterTables.codeSystem(of: definition.name, in: type) == nil:
      return .text(try foldable(texts))
    case (.string, nil): return .string(try foldable(texts), .start)
    case (.string, "contains"): return .string(try foldable(texts), .contains)
    case (.string, "exact"): return .string(texts.map(SearchEscapes.resolve), .exact)
    case (.date, nil): return .date(try dates(texts))
    case (.number, nil): return .number(try numbers(texts))
    case (.quantity, nil): return .quantity(try quantities(texts))
    case (.reference, nil): return .reference(try references(texts, type: nil))
    case (.reference, "identifier"):
      return .reference(try tokens(texts).map { .identifier($0) })
    case (.reference, let named?) where R4ResourceNames.contains(named):
      return .reference(try references(texts, type: named))
    case (.uri, nil): return .uri(texts.map(SearchEscapes.resolve), .exact)
    case (.uri, "below"): return .uri(texts.map(SearchEscapes.resolve), .below)
    case (.uri, "above"): return .uri(texts.map(SearchEscapes.resolve), .above)
    default:
      throw problems.unsupported(
        "This server does not support the modifier for \(definition.name). Leave it out.")
    }
  }

  private func tokens(_ texts: [String]) throws(SearchProblem) -> [TokenSearchValue] {
    var tokens: [TokenSearchValue] = []
    for text in texts {
      guard SearchEscapes.split(text, at: "|").count <= 2, text != "|" else {
        throw problems.invalid("The value must be code, system|code, |code or system|.")
      }
      tokens.append(stored(TokenSearchValue(escaped: text)))
    }
    return tokens
  }

  /// The column `status` has no system: the one that its codes have is left out, and any other finds nothing.
  private func stored(_ token: TokenSearchValue) -> TokenSearchValue {
    guard definition.name == "status", let system = token.system,
      system == SearchParameterTables.codeSystem(of: "status", in: type)
    else { return token }
    return TokenSearchValue(system: nil, code: token.code)
  }

  private func valueSets(_ texts: [String]) throws(SearchProblem) -> [TokenSearchValue] {
    var tokens: [TokenSearchValue] = []
    for text in texts {
      guard let codes = SearchCodeSets.codes(inValueSet: SearchEscapes.resolve(text)) else {
        throw problems.invalid("This server does not know the value set.")
      }
      tokens += codes.map(stored)
    }
    return tokens
  }

  private func ofType(_ texts: [String]) throws(SearchProblem) -> SearchTest {
    guard definition.name == "identifier" else {
      throw problems.unsupported("Only the parameter identifier has the modifier :of-type.")
    }
    var tokens: [TokenSearchValue] = []
    for text in texts {
      let parts = SearchEscapes.split(text, at: "|").map(SearchEscapes.resolve)
      guard parts.count == 3, !parts.contains("") else {
        throw problems.invalid("The value must be the type's system|the type's code|value.")
      }
      tokens.append(TokenSearchValue(system: parts[0], code: parts[1] + "|" + parts[2]))
    }
    return .token(tokens)
  }

  /// Returns texts of which something is left in the form in which they are compared.
  private func foldable(_ texts: [String]) throws(SearchProblem) -> [String] {
    let resolved = texts.map(SearchEscapes.resolve)
    guard !resolved.contains(where: { SearchFolding.fold($0).isEmpty }) else {
      throw problems.invalid("The value must have at least one letter, digit or sign.")
    }
    return resolved
  }

  private func dates(_ texts: [String]) throws(SearchProblem) -> [DateSearchValue] {
    var dates: [DateSearchValue] = []
    for text in texts {
      guard let date = DateSearchValue(SearchEscapes.resolve(text)) else {
        throw problems.invalid(Self.dateRule)
      }
      dates.append(date)
    }
    return dates
  }

  private func numbers(_ texts: [String]) throws(SearchProblem) -> [NumberSearchValue] {
    var numbers: [NumberSearchValue] = []
    for text in texts { numbers.append(try number(text)) }
    return numbers
  }

  private func number(_ text: String) throws(SearchProblem) -> NumberSearchValue {
    let prefix = DateSearchValue.Prefix(rawValue: String(text.prefix(2)))
    guard let range = DecimalRange(prefix == nil ? text : String(text.dropFirst(2))) else {
      throw problems.invalid("The value must be a number with an optional prefix, such as ge5.4.")
    }
    return NumberSearchValue(
      prefix: prefix ?? .eq, lower: range.lower, upper: range.upper, value: range.value)
  }

  private func quantities(_ texts: [String]) throws(SearchProblem) -> [QuantitySearchValue] {
    var quantities: [QuantitySearchValue] = []
    for text in texts {
      let parts = SearchEscapes.split(text, at: "|").map(SearchEscapes.resolve)
      guard parts.count == 1 || parts.count == 3 else {
        throw problems.invalid("The value must be number, number||code or number|system|code.")
      }
      let system = parts.count == 3 && !parts[1].isEmpty ? parts[1] : nil
      let code = parts.count == 3 && !parts[2].isEmpty ? parts[2] : nil
      quantities.append(
        QuantitySearchValue(number: try number(parts[0]), system: system, code: code))
    }
    return quantities
  }

  private func references(
    _ texts: [String], type named: String?
  ) throws(SearchProblem) -> [ReferenceSearchValue] {
    if let named, !definition.targets.isEmpty, !definition.targets.contains(named) {
      throw problems.invalid("\(definition.name) does not refer to \(named).")
    }
    var references: [ReferenceSearchValue] = []
    for text in texts {
      let resolved = SearchEscapes.resolve(text)
      references += try values(of: resolved, type: named)
    }
    return references
  }

  /// Reads `id`, `Type/id`, `base/Type/id` or another absolute address.
  ///
  /// An address on this server finds the resource, and what states the address itself; only owners are
  /// always stated by `Patient/id`.
  private func values(
    of text: String, type named: String?
  ) throws(SearchProblem) -> [ReferenceSearchValue] {
    if FHIRIdentifierText.isValidResourceID(text) {
      let only = definition.targets.count == 1 ? definition.targets.first : nil
      return [.local(type: named ?? only, id: text)]
    }
    let isOwn = text.hasPrefix(base + "/")
    let local = isOwn ? String(text.dropFirst(base.count + 1)) : text
    switch ReferenceText(local) ?? ReferenceText(text) {
    case .local(let type, let id):
      guard named == nil || named == type else {
        throw problems.invalid("The type in the value is not the type in the modifier.")
      }
      let value = ReferenceSearchValue.local(type: type, id: id)
      let isOwner = SearchParameterTables.ownerParameters(of: self.type).contains(definition.name)
      return isOwn && !isOwner ? [value, .absolute(text)] : [value]
    case .absolute(let address):
      return [.absolute(address)]
    case nil:
      throw problems.invalid("The value must be id, Type/id or an absolute address.")
    }
  }
}

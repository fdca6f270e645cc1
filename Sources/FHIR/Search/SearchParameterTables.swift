// SPDX-License-Identifier: Apache-2.0

/// The search parameters of R4 (4.0.1) for the types that this module searches.
///
/// In the text, a heading names a type. A line names a parameter, its kind, the paths that it searches, after
/// `>` the types to which its references may point, and after `@` the code set of a code. A path has steps:
/// `value[Quantity|Range]` for types of a choice, `telecom(system=email)` for a condition, `item*` for an element
/// that also occurs inside of itself.
public enum SearchParameterTables {
  /// The parameters of one type.
  struct TypeTable: Sendable {
    var definitions: [SearchParameterDefinition] = []
    var positions: [String: Int] = [:]
    /// The URI of the code system of each parameter that searches a plain code.
    var codeSystems: [String: String] = [:]
    /// The paths in the form used for extraction, one list for each definition.
    var extraction: [SearchExtraction.Parameter] = []
  }

  /// The types with search parameters, in the order of ``ResourceType``.
  public static let types: [ResourceType] = ResourceType.allCases.filter { tables[$0] != nil }

  /// Returns the parameters of a type; none for a type that is not searched.
  ///
  /// They include `_tag`, `_profile`, `_security` and `_source`, but not `_id` and `_lastUpdated`.
  public static func definitions(of type: ResourceType) -> [SearchParameterDefinition] {
    tables[type]?.definitions ?? []
  }

  /// Returns the parameters of a type that a search can use: all but special ones.
  public static func searchable(in type: ResourceType) -> [SearchParameterDefinition] {
    definitions(of: type).filter { definition in
      switch definition.kind {
      case .composite: SearchComposite.of(definition.name, type) != nil
      case .special: false
      default: true
      }
    }
  }

  /// Returns one parameter of a type by name.
  public static func definition(
    _ name: String, of type: ResourceType
  ) -> SearchParameterDefinition? {
    guard let table = tables[type], let position = table.positions[name] else { return nil }
    return table.definitions[position]
  }

  /// Returns the parameters that find a resource by its owner: the store keeps the owner in a column, and
  /// there is no entry for a reference that is exactly `Patient/id`.
  public static func ownerParameters(of type: ResourceType) -> Set<String> {
    switch type {
    case .allergyIntolerance, .consent, .device, .relatedPerson: ["patient"]
    case .careTeam, .communication, .composition, .condition, .medicationAdministration,
      .medicationDispense, .medicationRequest, .medicationStatement, .observation,
      .questionnaireResponse:
      ["patient", "subject"]
    default: []
    }
  }

  /// Returns the code system of a parameter that searches a plain code, such as `gender`; resources state
  /// only the code.
  public static func codeSystem(of parameter: String, in type: ResourceType) -> String? {
    tables[type]?.codeSystems[parameter]
  }

  /// Returns true if the parameter `status` of a type searches the plain code `status`, which the store keeps
  /// in a column.
  public static func hasStatusColumn(_ type: ResourceType) -> Bool {
    codeSystem(of: "status", in: type) != nil
  }

  /// Returns true for a date of which a resource has at most one value: an element of the resource itself that does
  /// not repeat.
  public static func isSingleDate(_ parameter: String, of type: ResourceType) -> Bool {
    guard let definition = definition(parameter, of: type), definition.kind == .date,
      let elements = ElementTables.standard.type(named: type.rawValue)?.elements,
      Set(definition.paths.map { $0.steps.first?.element }).count == 1
    else { return false }
    return definition.paths.allSatisfy { path in
      path.steps.count == 1 && path.keys.allSatisfy { elements[$0]?.isList == false }
    }
  }

  static func table(of type: ResourceType) -> TypeTable? { tables[type] }

  private static let common = """
      _profile uri meta.profile
      _security token meta.security
      _source uri meta.source
      _tag token meta.tag
    """

  private static let tables = parse(
    SearchPeopleTables.text + SearchMedicationTables.text + SearchClinicalTables.text
      + SearchDocumentTables.text + "Binary:\n")

  private static func parse(_ text: String) -> [ResourceType: TypeTable] {
    var tables: [ResourceType: TypeTable] = [:]
    var current: ResourceType?
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard let first = words.first else { continue }
      if !line.hasPrefix(" ") {
        guard let type = ResourceType(rawValue: String(first.dropLast())) else {
          current = nil
          continue
        }
        var table = TypeTable()
        for line in common.split(separator: "\n") {
          table.add(line.split(separator: " ").map(String.init), to: type)
        }
        tables[type] = table
        current = type
      } else if let current {
        tables[current]?.add(words, to: current)
      }
    }
    return tables
  }
}

extension SearchParameterTables.TypeTable {
  fileprivate mutating func add(_ words: [String], to type: ResourceType) {
    guard words.count >= 3, let kind = SearchParameterKind(rawValue: words[1]) else { return }
    let name = words[0]
    let pathEnd = words.firstIndex { $0 == ">" || $0.hasPrefix("@") } ?? words.endIndex
    let targets = words.suffix(from: min(pathEnd + 1, words.endIndex))
      .flatMap { $0.split(separator: "|").map(String.init) }
    let codeSet = words.first { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    let definition = SearchParameterDefinition(
      name: name, kind: kind, paths: words[2..<pathEnd].flatMap(SearchPath.parsed),
      targets: targets)
    positions[name] = definitions.count
    definitions.append(definition)
    codeSystems[name] = codeSet.flatMap { SearchCodeSets.systems[$0] }
    extraction.append(
      SearchExtraction.Parameter(definition, type: type, codeSystem: codeSystems[name]))
  }
}

extension SearchPath {
  /// The properties of JSON that the steps name, such as `valueQuantity`.
  var keys: [String] {
    steps.map { step in
      guard let type = step.type else { return step.element }
      return step.element + type.prefix(1).uppercased() + type.dropFirst()
    }
  }

  /// Reads a path of the tables; a choice of several types gives several paths.
  static func parsed(_ text: String) -> [SearchPath] {
    var paths: [[Step]] = [[]]
    for part in text.split(separator: ".") {
      let alternatives = steps(String(part))
      paths = paths.flatMap { path in alternatives.map { path + [$0] } }
    }
    return paths.map(SearchPath.init(steps:))
  }

  private static func steps(_ text: String) -> [Step] {
    if text.hasSuffix("*") { return [Step(element: String(text.dropLast()), isNested: true)] }
    let element = String(text.prefix { $0 != "[" && $0 != "(" })
    let rest = text.dropFirst(element.count + 1).dropLast()
    guard !rest.isEmpty else { return [Step(element: element)] }
    guard text.hasSuffix(")") else {
      return rest.split(separator: "|").map { Step(element: element, type: String($0)) }
    }
    let sides = rest.split(separator: "=").map(String.init)
    guard sides.count == 2 else { return [Step(element: element)] }
    return [Step(element: element, condition: Condition(element: sides[0], value: sides[1]))]
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Collects the entries of one resource.
///
/// This runs at every write: the paths are prepared once for each type, and only texts outside ASCII cost
/// more than a lookup.
struct SearchExtraction {
  /// A search parameter, prepared for extraction.
  struct Parameter: Sendable {
    struct Step: Sendable {
      let key: String
      let condition: SearchPath.Condition?
      /// True if the element also occurs inside of itself.
      let isNested: Bool
    }

    struct Path: Sendable {
      let steps: [Step]
      /// True for a token that only says whether there is a time, such as `deceased`.
      let isExistence: Bool
    }

    let name: String
    let kind: SearchParameterKind
    let paths: [Path]
    /// The only type to which the parameter refers; nil for several.
    let target: String?
    let codeSystem: String
    /// True if a plain reference to a patient is the owner, which has no entry.
    let isOwner: Bool
    let textName: String
    let identifierName: String
    let ofTypeName: String

    init(_ definition: SearchParameterDefinition, type: ResourceType, codeSystem: String?) {
      name = definition.name
      kind = definition.kind
      self.codeSystem = codeSystem ?? ""
      target = definition.targets.count == 1 ? definition.targets.first : nil
      isOwner = SearchParameterTables.ownerParameters(of: type).contains(name)
      textName = name + ":text"
      identifierName = name + ":identifier"
      ofTypeName = name + ":of-type"
      let isStatusColumn = name == "status" && codeSystem != nil
      let isIndexed = !isStatusColumn && kind != .composite && kind != .special
      paths = (isIndexed ? definition.paths : []).map { path in
        Path(
          steps: zip(path.keys, path.steps).map {
            Step(key: $0, condition: $1.condition, isNested: $1.isNested)
          },
          isExistence: definition.kind == .token && path.steps.last?.type == "dateTime")
      }
    }
  }

  private let type: ResourceType
  private(set) var entries: [SearchIndexEntry] = []
  private var seen: Set<SearchIndexEntry> = []

  init(type: ResourceType) { self.type = type }

  /// Adds the entries of a resource.
  mutating func add(_ resource: JSONValue) {
    guard let table = SearchParameterTables.table(of: type) else { return }
    for parameter in table.extraction {
      for path in parameter.paths { visit(resource, path, step: 0, parameter) }
    }
    addPairs(resource, type)
    // R4 finds patients without the element as not deceased.
    if type == .patient, resource["deceasedBoolean"] == nil, resource["deceasedDateTime"] == nil {
      add("deceased", .token(system: "", code: "false"))
    }
  }

  /// Adds an entry unless there are too many.
  mutating func add(_ parameter: String, _ value: SearchIndexValue) {
    guard entries.count < SearchIndex.mostEntries else { return }
    let entry = SearchIndexEntry(parameter: parameter, value: value)
    if seen.insert(entry).inserted { entries.append(entry) }
  }

  private mutating func visit(
    _ value: JSONValue, _ path: Parameter.Path, step index: Int, _ parameter: Parameter
  ) {
    if case .array(let items) = value {
      for item in items { visit(item, path, step: index, parameter) }
      return
    }
    guard index < path.steps.count else {
      add(value, path, parameter)
      return
    }
    let step = path.steps[index]
    guard let child = value[step.key] else { return }
    if step.isNested {
      // The readers of JSON limit the depth.
      for item in child.array ?? [child] {
        visit(item, path, step: index + 1, parameter)
        visit(item, path, step: index, parameter)
      }
      return
    }
    guard let condition = step.condition else {
      visit(child, path, step: index + 1, parameter)
      return
    }
    for item in child.array ?? [child]
    where item[condition.element]?.string == condition.value {
      visit(item, path, step: index + 1, parameter)
    }
  }

  private mutating func add(_ value: JSONValue, _ path: Parameter.Path, _ parameter: Parameter) {
    switch parameter.kind {
    case .token where path.isExistence:
      if value.string != nil { add(parameter.name, .token(system: "", code: "true")) }
    case .token: addToken(value, parameter)
    case .string: addString(value, parameter)
    case .date:
      if let range = SearchDates.range(of: value) {
        add(parameter.name, .date(lower: range.lower, upper: range.upper))
      }
    case .number:
      if let range = value.number.flatMap({ DecimalRange($0.text) }) {
        add(parameter.name, .number(lower: range.centered.lower, upper: range.centered.upper))
      }
    case .quantity:
      for quantity in Self.quantities(in: value) { add(parameter.name, quantity) }
    case .reference: addReference(value, parameter)
    case .uri: addURI(value, parameter)
    case .composite, .special: break
    }
  }
}

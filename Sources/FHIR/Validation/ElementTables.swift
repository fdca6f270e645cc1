// SPDX-License-Identifier: Apache-2.0

/// The definition of one JSON property.
struct ElementDefinition: Sendable {
  enum Content: Sendable {
    case primitive(PrimitiveType, codes: Set<String>?)
    /// A datatype or nested element, by its position in the tables.
    case complex(Int, targets: Set<String>?)
    case resource
  }

  /// The step of the FHIRPath expression: the name, with `.ofType(Type)` for one type of a choice.
  let pathStep: String
  /// The name without type, shared by a choice.
  let baseName: String
  let isList: Bool
  let content: Content

  var isPrimitive: Bool {
    if case .primitive = content { true } else { false }
  }
}

/// The elements of one type.
struct TypeDefinition: Sendable {
  let name: String
  var elements: [String: ElementDefinition]
  /// The properties in the order of the definition, in which XML has them.
  var order: [String] = []
  /// The required elements, each with its possible properties.
  var required: [(baseName: String, keys: [String])]
  /// The base names of elements with several types.
  var choices: Set<String>
}

/// The tables in the form used for validation, parsed once from their text.
struct ElementTables: Sendable {
  static let standard = ElementTables(
    text: [
      DatatypeTables.text, MetadataTypeTables.text, ResourceTables.text,
      ClinicalResourceTables.text, AdministrativeResourceTables.text, DeviceResourceTables.text,
      DocumentResourceTables.text, ExchangeResourceTables.text,
    ].joined())

  private(set) var types: [TypeDefinition] = []
  private(set) var indexByName: [String: Int] = [:]
  /// Lines that name a type or value set without a table; a test checks that there are none.
  private(set) var unresolved: [String] = []

  init(text: String) {
    let lines = text.split(separator: "\n")
    for line in lines where !line.hasPrefix(" ") {
      let name = String(line.prefix { $0 != ":" })
      indexByName[name] = types.count
      types.append(TypeDefinition(name: name, elements: [:], required: [], choices: []))
    }
    var current = 0
    for line in lines {
      if line.hasPrefix(" ") {
        add(line.split(separator: " ").map(String.init), to: current)
      } else {
        let names = line.split(separator: ":").map { $0.filter { $0 != " " } }
        current = indexByName[names[0]] ?? 0
        inherit(from: names.last ?? "", to: current)
      }
    }
  }

  func type(named name: String) -> TypeDefinition? { indexByName[name].map { types[$0] } }

  private mutating func inherit(from base: String, to index: Int) {
    guard base != "none" else { return }
    guard let baseIndex = indexByName[base], baseIndex < index else {
      unresolved.append(base)
      return
    }
    types[index].elements = types[baseIndex].elements
    types[index].order = types[baseIndex].order
    types[index].required = types[baseIndex].required
    types[index].choices = types[baseIndex].choices
  }

  private mutating func add(_ words: [String], to index: Int) {
    guard words.count >= 3 else {
      unresolved.append(words.joined(separator: " "))
      return
    }
    let detail = words.count > 3 ? words[3] : nil
    let isChoice = words[0].hasSuffix("[x]")
    let baseName = isChoice ? String(words[0].dropLast(3)) : words[0]
    let typeNames =
      words[2] == "any" ? Self.anyTypes : words[2].split(separator: "|").map(String.init)
    var keys: [String] = []
    for typeName in typeNames {
      guard let content = content(typeName: typeName, detail: detail) else {
        unresolved.append(words.joined(separator: " "))
        continue
      }
      // SimpleQuantity is a profile: JSON and FHIRPath use its base type.
      let shownType = typeName == "SimpleQuantity" ? "Quantity" : typeName
      let key =
        isChoice ? baseName + shownType.prefix(1).uppercased() + shownType.dropFirst() : baseName
      types[index].order.append(key)
      types[index].elements[key] = ElementDefinition(
        pathStep: isChoice ? "\(baseName).ofType(\(shownType))" : baseName, baseName: baseName,
        isList: words[1].hasSuffix("*"), content: content)
      keys.append(key)
    }
    if words[1].hasPrefix("1") { types[index].required.append((baseName, keys)) }
    if isChoice { types[index].choices.insert(baseName) }
  }

  private func content(typeName: String, detail: String?) -> ElementDefinition.Content? {
    if let primitive = PrimitiveType(rawValue: typeName) {
      guard let detail else { return .primitive(primitive, codes: nil) }
      return RequiredCodes.sets[detail].map { .primitive(primitive, codes: $0) }
    }
    if typeName == "Resource" { return .resource }
    let targets = detail.map { Set($0.split(separator: "|").map(String.init)) }
    return indexByName[typeName].map { .complex($0, targets: targets) }
  }

  /// The possible types of an extension's value.
  private static let anyTypes = """
    base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid
    positiveInt string time unsignedInt uri url uuid Address Age Annotation Attachment
    CodeableConcept Coding ContactPoint Count Distance Duration HumanName Identifier Money Period
    Quantity Range Ratio Reference SampledData Signature Timing ContactDetail Contributor
    DataRequirement Expression ParameterDefinition RelatedArtifact TriggerDefinition UsageContext
    Dosage Meta
    """.split(whereSeparator: \.isWhitespace).map(String.init)
}

// SPDX-License-Identifier: Apache-2.0

extension SearchExtraction {
  /// Adds a code, Coding, CodeableConcept, Identifier, ContactPoint or another single value.
  mutating func addToken(_ value: JSONValue, _ parameter: Parameter) {
    switch value {
    case .string(let text): addToken(parameter.name, system: parameter.codeSystem, code: text)
    case .bool(let flag):
      addToken(parameter.name, system: "", code: flag ? "true" : "false")
    case .object:
      if let text = value["value"]?.string {
        addIdentifier(value, text, parameter)
      } else if value["code"] != nil || value["display"] != nil {
        addCoding(value, parameter)
      } else {
        for coding in value["coding"]?.array ?? [] { addCoding(coding, parameter) }
        addText(value["text"], parameter.textName)
      }
    case .null, .number, .array: break
    }
  }

  private mutating func addToken(_ name: String, system: String, code: String) {
    guard !code.isEmpty else { return }
    add(name, .token(system: SearchFolding.cut(system), code: SearchFolding.cut(code)))
  }

  private mutating func addCoding(_ coding: JSONValue, _ parameter: Parameter) {
    if let code = coding["code"]?.string {
      addToken(parameter.name, system: coding["system"]?.string ?? "", code: code)
    }
    addText(coding["display"], parameter.textName)
  }

  private mutating func addIdentifier(
    _ value: JSONValue, _ text: String, _ parameter: Parameter
  ) {
    // The system of a ContactPoint is "phone" or the like, which is not a system of tokens.
    let system = value["system"]?.string ?? ""
    addToken(parameter.name, system: system.utf8.contains(0x3A) ? system : "", code: text)
    guard let type = value["type"] else { return }
    addText(type["text"], parameter.textName)
    for coding in type["coding"]?.array ?? [] {
      addText(coding["display"], parameter.textName)
      guard let code = coding["code"]?.string else { continue }
      addToken(
        parameter.ofTypeName, system: coding["system"]?.string ?? "", code: code + "|" + text)
    }
  }

  /// Adds a text, or all texts of a HumanName or Address.
  mutating func addString(_ value: JSONValue, _ parameter: Parameter) {
    guard case .object(let object) = value else {
      addText(value, parameter.name)
      return
    }
    for (key, part) in object where Self.textElements.contains(key) {
      for text in part.array ?? [part] { addText(text, parameter.name) }
    }
  }

  /// The elements of HumanName and Address that people read.
  private static let textElements: Set<String> = [
    "text", "family", "given", "prefix", "suffix", "line", "city", "district", "state",
    "postalCode", "country",
  ]

  private mutating func addText(_ value: JSONValue?, _ name: String) {
    guard let text = value?.string, !text.isEmpty else { return }
    add(name, .string(SearchFolding.cut(text)))
  }

  /// Returns the entries of a Quantity or Money, or of the two ends of a Range.
  static func quantities(in value: JSONValue) -> [SearchIndexValue] {
    if let number = value["value"]?.number {
      guard let range = DecimalRange(number.text) else { return [] }
      let ends: (lower: Double, upper: Double) =
        switch value["comparator"]?.string {
        case "<", "<=": (-.greatestFiniteMagnitude, range.value)
        case ">", ">=": (range.value, .greatestFiniteMagnitude)
        default: range.centered
        }
      let currency = value["currency"]?.string
      let system = currency == nil ? value["system"]?.string : "urn:iso:std:iso:4217"
      return [
        .quantity(
          lower: ends.lower, upper: ends.upper, system: SearchFolding.cut(system ?? ""),
          code: SearchFolding.cut(currency ?? value["code"]?.string ?? ""),
          unit: SearchFolding.cut(value["unit"]?.string ?? ""))
      ]
    }
    // A range is found by either end: "ge45" finds 40 to 50, and so does "lt45".
    return ["low", "high"].compactMap { value[$0] }
      .filter { $0["value"] != nil }.flatMap(quantities(in:))
  }

  /// Adds a Reference, a canonical address, or a resource in the place of a reference.
  mutating func addReference(_ value: JSONValue, _ parameter: Parameter) {
    if let text = value.string {
      addCanonical(text, parameter)
      return
    }
    if let type = value["resourceType"]?.string {
      guard let id = value["id"]?.string, FHIRIdentifierText.isValidResourceID(id) else { return }
      addReference(.local(type: type, id: id), parameter)
      return
    }
    if let token = value["identifier"], let text = token["value"]?.string {
      addToken(parameter.identifierName, system: token["system"]?.string ?? "", code: text)
    }
    guard let text = value["reference"]?.string, let reference = ReferenceText(text) else { return }
    if parameter.isOwner, case .local("Patient", let id) = reference, text == "Patient/" + id {
      return
    }
    addReference(reference, parameter)
  }

  private mutating func addReference(_ reference: ReferenceText, _ parameter: Parameter) {
    // A parameter with one target, such as patient, shares its element with others.
    if let target = parameter.target, let type = reference.type, type != target { return }
    switch reference {
    case .local(let type, let id): add(parameter.name, .reference(type: type, id: id))
    case .absolute(let address):
      add(parameter.name, .reference(type: "", id: SearchFolding.cut(address)))
    }
  }

  /// Adds an address with and without its version; `Questionnaire/1` is a resource of this server.
  private mutating func addCanonical(_ text: String, _ parameter: Parameter) {
    let unversioned = String(text.prefix { $0 != "|" })
    guard let reference = ReferenceText(unversioned) else { return }
    addReference(reference, parameter)
    if case .absolute = reference, unversioned.utf8.count < text.utf8.count {
      addReference(.absolute(text), parameter)
    }
  }

  /// Adds an address; a canonical one with and without its version.
  mutating func addURI(_ value: JSONValue, _ parameter: Parameter) {
    guard let text = value.string, !text.isEmpty else { return }
    add(parameter.name, .uri(SearchFolding.cut(text)))
    let unversioned = text.prefix { $0 != "|" }
    if !unversioned.isEmpty, unversioned.utf8.count < text.utf8.count {
      add(parameter.name, .uri(SearchFolding.cut(String(unversioned))))
    }
  }
}

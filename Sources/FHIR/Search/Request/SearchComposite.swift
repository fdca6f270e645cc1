// SPDX-License-Identifier: Apache-2.0

/// A composite parameter: `code$value`, of which both parts are other parameters of the type.
struct SearchComposite: Sendable {
  /// The place in which both parts must match.
  enum Place: Sendable {
    /// The whole resource, which has only one value of each.
    case resource
    /// The same repetition of an element. The index has an entry for each pair of it.
    case element
    /// The whole resource, or the same repetition of an element, as the other composite finds it.
    case both(other: String)
  }

  let name: String
  let first: String
  let second: String
  let place: Place

  /// Returns the composite parameter of a type by its name; nil if it is none.
  static func of(_ name: String, _ type: ResourceType) -> SearchComposite? {
    all(of: type).first { $0.name == name }
  }

  /// Returns the composite parameters of a type.
  static func all(of type: ResourceType) -> [SearchComposite] {
    switch type {
    case .observation: ofObservation
    case .questionnaire: ofQuestionnaire
    case .group: ofGroup
    default: []
    }
  }

  private static let ofObservation: [SearchComposite] =
    ["value-concept", "value-date", "value-quantity", "value-string"].map {
      SearchComposite(name: "code-\($0)", first: "code", second: $0, place: .resource)
    }
    + ["value-concept", "value-quantity"].flatMap { value -> [SearchComposite] in
      let component = "component-code-\(value)"
      return [
        SearchComposite(
          name: component, first: "component-code", second: "component-\(value)",
          place: .element),
        SearchComposite(
          name: "combo-code-\(value)", first: "code", second: value,
          place: .both(other: component)),
      ]
    }

  private static let ofQuestionnaire = [
    SearchComposite(
      name: "context-type-quantity", first: "context-type", second: "context-quantity",
      place: .element),
    SearchComposite(
      name: "context-type-value", first: "context-type", second: "context", place: .element),
  ]

  private static let ofGroup = [
    SearchComposite(
      name: "characteristic-value", first: "characteristic", second: "value", place: .element)
  ]

  // MARK: Conditions

  /// Returns the alternatives that the conditions on both parts stand for.
  func alternatives(_ code: SearchCriterion, _ value: SearchCriterion) -> [[SearchCriterion]] {
    switch place {
    case .resource: [[code, value]]
    case .element: [[Self.pair(name, code, value)]]
    case .both(let other): [[code, value], [Self.pair(other, code, value)]]
    }
  }

  /// Returns the condition on the entries for pairs.
  private static func pair(
    _ name: String, _ code: SearchCriterion, _ value: SearchCriterion
  ) -> SearchCriterion {
    guard case .token(let codes) = code.test else { return .anyOf([]) }
    let texts = codes.map(SearchPair.text)
    switch value.test {
    case .token(let values):
      let pairs = texts.flatMap { code in
        values.map { value in
          TokenSearchValue(system: nil, code: SearchPair.joined(code, SearchPair.text(value)))
        }
      }
      return SearchCriterion(parameter: name, test: .token(pairs))
    case .quantity(let values):
      let pairs = texts.flatMap { code in
        values.map { value in
          QuantitySearchValue(
            number: value.number, system: value.system,
            code: SearchPair.joined(code, value.code ?? ""))
        }
      }
      return SearchCriterion(parameter: name, test: .quantity(pairs))
    default: return .anyOf([])
    }
  }
}

/// The texts by which the index keeps two values of one element together.
///
/// A token has a text for each way of searching it: the code, the system with the code, the system. The separators
/// cannot occur in a resource.
enum SearchPair {
  private static let betweenParts = "\u{1F}"
  private static let afterSystem = "\u{1E}"

  /// Returns the text of a token in a search.
  static func text(_ token: TokenSearchValue) -> String {
    (token.system.map { $0 + afterSystem } ?? "") + (token.code ?? "")
  }

  /// Returns the texts under which a code, Coding, CodeableConcept or boolean is found.
  static func texts(of value: JSONValue?) -> [String] {
    if let flag = value?.bool {
      let code = flag ? "true" : "false"
      return [code, afterSystem + code]
    }
    let codings = value?["coding"]?.array ?? [value].compactMap(\.self)
    return codings.flatMap { coding -> [String] in
      let system = coding["system"]?.string ?? ""
      let code = coding["code"]?.string ?? ""
      let codes = code.isEmpty ? [] : [code, system + afterSystem + code]
      return system.isEmpty || code.isEmpty ? codes : codes + [system + afterSystem]
    }
  }

  /// Returns the text of a pair.
  static func joined(_ first: String, _ second: String) -> String {
    SearchFolding.cut(first + betweenParts + second)
  }
}

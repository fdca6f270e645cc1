// SPDX-License-Identifier: Apache-2.0

extension SearchExtraction {
  /// A composite parameter whose two parts are in the same repetition of an element.
  private struct Pairing: Sendable {
    let name: String
    /// The element that repeats.
    let element: String
    /// The properties with the second part; the first is always `code`.
    let values: [String]
    let isQuantity: Bool

    init?(_ composite: SearchComposite, of type: ResourceType) {
      guard case .element = composite.place,
        let definition = SearchParameterTables.definition(composite.second, of: type),
        let element = definition.paths.first?.keys.first
      else { return nil }
      name = composite.name
      self.element = element
      values = definition.paths.compactMap(\.keys.last)
      isQuantity = definition.kind == .quantity
    }
  }

  private static let pairings: [ResourceType: [Pairing]] = {
    var pairings: [ResourceType: [Pairing]] = [:]
    for type in SearchParameterTables.types {
      let ofType = SearchComposite.all(of: type).compactMap { Pairing($0, of: type) }
      if !ofType.isEmpty { pairings[type] = ofType }
    }
    return pairings
  }()

  /// Adds the entries of composite parameters: one for each pair in the same repetition of an element.
  mutating func addPairs(_ resource: JSONValue, _ type: ResourceType) {
    for pairing in Self.pairings[type] ?? [] {
      for item in resource[pairing.element]?.array ?? [] {
        let codes = SearchPair.texts(of: item["code"])
        guard !codes.isEmpty else { continue }
        for value in pairing.values.compactMap({ item[$0] }) {
          if pairing.isQuantity {
            addQuantities(value, codes, pairing.name)
          } else {
            addTokens(value, codes, pairing.name)
          }
        }
      }
    }
  }

  private mutating func addTokens(_ value: JSONValue, _ codes: [String], _ name: String) {
    let texts = SearchPair.texts(of: value)
    for code in codes {
      for text in texts { add(name, .token(system: "", code: SearchPair.joined(code, text))) }
    }
  }

  /// Adds two entries for each code: without the unit, and with it.
  private mutating func addQuantities(_ value: JSONValue, _ codes: [String], _ name: String) {
    for case .quantity(let lower, let upper, let system, let unitCode, let unit)
      in Self.quantities(in: value)
    {
      for code in codes {
        let plain = SearchPair.joined(code, "")
        add(
          name, .quantity(lower: lower, upper: upper, system: system, code: plain, unit: ""))
        guard !unitCode.isEmpty || !unit.isEmpty else { continue }
        add(
          name,
          .quantity(
            lower: lower, upper: upper, system: system,
            code: SearchPair.joined(code, unitCode),
            unit: unit.isEmpty ? "" : SearchPair.joined(code, unit)))
      }
    }
  }
}

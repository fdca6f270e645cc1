// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

/// Composite parameters find what a plain filter over the repetitions of an element finds.
@Suite struct SearchCompositeTests {
  /// A repetition: its code, and the code or number that it has as a value.
  private struct Pair {
    let system: String
    let code: String
    let value: String
  }

  private static let systems = ["urn:a", "urn:b", ""]
  private static let codes = ["x", "y"]

  private static func coding(_ system: String, _ code: String) -> JSONValue {
    var coding: JSONValue = ["code": .string(code)]
    if !system.isEmpty { coding["system"] = .string(system) }
    return coding
  }

  /// Returns the searches for a token that find a code of a system, and those that do not.
  private static func matches(_ searched: String, _ system: String, _ code: String) -> Bool {
    let parts = searched.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return searched == code }
    return parts[0] == system && (parts[1].isEmpty || parts[1] == code)
  }

  private static var tokens: [String] {
    codes + codes.map { "|\($0)" } + ["urn:a|", "urn:b|"]
      + ["urn:a", "urn:b"].flatMap { system in codes.map { "\(system)|\($0)" } }
  }

  /// All repetitions in pairs, so that what one of them has never completes the other.
  private static var repetitions: [[Pair]] {
    let all = systems.flatMap { system in
      codes.flatMap { code in
        ["1", "2"].map { Pair(system: system, code: code, value: $0) }
      }
    }
    return all.indices.map { [all[$0], all[($0 + 5) % all.count]] }
  }

  @Test func quantitiesOfComponents() throws {
    for pairs in Self.repetitions {
      let component = pairs.map { pair -> JSONValue in
        [
          "code": ["coding": [Self.coding(pair.system, pair.code)]],
          "valueQuantity": [
            "value": .number(JSONNumber(Int(pair.value) ?? 0)), "unit": "milligram",
            "system": "http://unitsofmeasure.org", "code": "mg",
          ],
        ]
      }
      let resource: JSONValue = ["resourceType": "Observation", "component": .array(component)]
      let index = SearchIndex(of: resource, type: .observation)
      for token in Self.tokens {
        for (number, test) in [
          ("1", { $0 == "1" }), ("gt1", { $0 == "2" }), ("ne1", { $0 == "2" }),
          ("1||mg", { $0 == "1" }), ("1||milligram", { $0 == "1" }),
          ("1|http://unitsofmeasure.org|mg", { $0 == "1" }),
          ("1|http://unitsofmeasure.org|", { $0 == "1" }), ("1||g", { _ in false }),
          ("1|urn:x|mg", { _ in false }), ("3", { _ in false }),
        ] as [(String, (String) -> Bool)] {
          let expected = pairs.contains {
            Self.matches(token, $0.system, $0.code) && test($0.value)
          }
          for name in ["component-code-value-quantity", "combo-code-value-quantity"] {
            let query = "\(name)=\(token)$\(number)"
            #expect(try Self.finds(query, .observation, index) == expected, "\(query) \(pairs)")
          }
        }
      }
    }
  }

  @Test func conceptsOfComponentsCharacteristicsAndContexts() throws {
    for pairs in Self.repetitions {
      // The value's code is its number, in the system of the other code.
      let concepts = pairs.map { pair -> (code: JSONValue, value: JSONValue) in
        (
          Self.coding(pair.system, pair.code),
          ["coding": [Self.coding(pair.system, pair.value)]]
        )
      }
      let component = concepts.map { concept -> JSONValue in
        ["code": ["coding": [concept.code]], "valueCodeableConcept": concept.value]
      }
      let contexts = concepts.map { concept -> JSONValue in
        ["code": concept.code, "valueCodeableConcept": concept.value]
      }
      let resources: [(String, ResourceType, JSONValue)] = [
        ("component-code-value-concept", .observation, ["component": .array(component)]),
        ("combo-code-value-concept", .observation, ["component": .array(component)]),
        ("characteristic-value", .group, ["characteristic": .array(component)]),
        ("context-type-value", .questionnaire, ["useContext": .array(contexts)]),
      ]
      let indexes = resources.map { name, type, resource in
        (name, type, SearchIndex(of: resource, type: type))
      }
      for token in Self.tokens {
        for value in ["1", "2", "3", "|1", "urn:a|1", "urn:a|", "urn:b|2"] {
          let expected = pairs.contains {
            Self.matches(token, $0.system, $0.code) && Self.matches(value, $0.system, $0.value)
          }
          for (name, type, index) in indexes {
            let query = "\(name)=\(token)$\(value)"
            #expect(try Self.finds(query, type, index) == expected, "\(query) \(pairs)")
          }
        }
      }
    }
  }

  @Test func otherValues() throws {
    let group: JSONValue = [
      "characteristic": [
        ["code": ["coding": [["code": "pregnant"]]], "valueBoolean": true, "exclude": false],
        ["code": ["coding": [["code": "smokes"]]], "valueBoolean": false, "exclude": false],
        ["valueBoolean": true],
      ]
    ]
    let groups = SearchIndex(of: group, type: .group)
    #expect(try Self.finds("characteristic-value=pregnant$true", .group, groups))
    #expect(try !Self.finds("characteristic-value=pregnant$false", .group, groups))
    #expect(try Self.finds("characteristic-value=pregnant$false,smokes$false", .group, groups))
    let form: JSONValue = [
      "useContext": [
        [
          "code": ["code": "age"],
          "valueRange": ["low": ["value": 18, "unit": "a"], "high": ["value": 65, "unit": "a"]],
        ]
      ]
    ]
    let forms = SearchIndex(of: form, type: .questionnaire)
    #expect(try Self.finds("context-type-quantity=age$lt20", .questionnaire, forms))
    #expect(try Self.finds("context-type-quantity=age$ge60||a", .questionnaire, forms))
    #expect(try !Self.finds("context-type-quantity=age$lt18", .questionnaire, forms))
    #expect(try !Self.finds("context-type-quantity=sex$lt20", .questionnaire, forms))
  }

  @Test func everyCompositeHasItsParts() throws {
    for type in SearchParameterTables.types {
      for definition in SearchParameterTables.definitions(of: type)
      where definition.kind == .composite {
        let composite = try #require(SearchComposite.of(definition.name, type))
        for part in [composite.first, composite.second] {
          #expect(SearchParameterTables.definition(part, of: type) != nil)
        }
      }
    }
  }

  private static func finds(
    _ query: String, _ type: ResourceType, _ index: SearchIndex
  ) throws -> Bool {
    let record = SearchedRecord(id: "1", patient: nil, status: nil, lastUpdated: 0)
    return try SearchSamples.parse(query, type).criteria.allSatisfy {
      index.matches($0, record: record) ?? false
    }
  }
}

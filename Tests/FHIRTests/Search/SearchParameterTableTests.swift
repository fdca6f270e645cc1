// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct SearchParameterTableTests {
  @Test func everySearchedTypeHasItsTable() {
    let unsearched: Set<ResourceType> = [.subscription, .operationOutcome, .parameters]
    #expect(Set(SearchParameterTables.types) == Set(ResourceType.allCases).subtracting(unsearched))
    #expect(SearchParameterTables.definitions(of: .subscription).isEmpty)
    #expect(SearchParameterTables.definition("code", of: .subscription) == nil)
    let names = SearchParameterTables.definitions(of: .binary).map(\.name)
    #expect(names == ["_profile", "_security", "_source", "_tag"])
  }

  @Test(arguments: SearchParameterTables.types)
  func namesAreUniqueAndLinesComplete(_ type: ResourceType) {
    let definitions = SearchParameterTables.definitions(of: type)
    #expect(Set(definitions.map(\.name)).count == definitions.count)
    for definition in definitions {
      #expect(!definition.paths.isEmpty, "\(type.rawValue) \(definition.name)")
      #expect(definition.kind == .reference || definition.targets.isEmpty)
      for target in definition.targets { #expect(R4ResourceNames.contains(target), "\(target)") }
    }
  }

  /// Every path names elements of the type, and the last element has a type that its kind can search.
  @Test(arguments: SearchParameterTables.types)
  func pathsNameElements(_ type: ResourceType) throws {
    // A type without element table is checked by the test that requires one for every type.
    guard let table = ElementTables.standard.type(named: type.rawValue) else { return }
    for definition in SearchParameterTables.definitions(of: type) {
      for path in definition.paths {
        let shown = "\(type.rawValue) \(definition.name)"
        var current: TypeDefinition? = table
        for (position, key) in path.keys.enumerated() {
          let element = try #require(current?.elements[key], "\(shown) \(key)")
          current = nil
          if case .complex(let index, _) = element.content {
            current = ElementTables.standard.types[index]
          }
          if let condition = path.steps[position].condition {
            #expect(current?.elements[condition.element] != nil, "\(shown)")
          }
        }
      }
    }
  }

  @Test(arguments: SearchParameterTables.types)
  func plainCodesHaveACodeSystem(_ type: ResourceType) {
    guard let table = ElementTables.standard.type(named: type.rawValue) else { return }
    for definition in SearchParameterTables.definitions(of: type) where definition.kind == .token {
      guard let path = definition.paths.first, path.keys.count == 1,
        case .primitive(.code, _)? = path.keys.first.flatMap({ table.elements[$0]?.content })
      else { continue }
      #expect(
        SearchParameterTables.codeSystem(of: definition.name, in: type) != nil,
        "\(type.rawValue) \(definition.name)")
    }
  }

  @Test func readsPathsAndTargets() throws {
    let phone = try #require(SearchParameterTables.definition("phone", of: .patient))
    #expect(
      phone.paths == [
        SearchPath(steps: [
          .init(element: "telecom", condition: .init(element: "system", value: "phone"))
        ])
      ])
    let date = try #require(SearchParameterTables.definition("date", of: .observation))
    #expect(
      date.paths.map(\.keys) == [
        ["effectiveDateTime"], ["effectivePeriod"], ["effectiveTiming"], ["effectiveInstant"],
      ])
    let basedOn = try #require(SearchParameterTables.definition("based-on", of: .observation))
    #expect(basedOn.targets.last == "ImmunizationRecommendation")
    #expect(basedOn.paths.map(\.keys) == [["basedOn"]])
    let medication = SearchParameterTables.definition("medication", of: .medicationRequest)
    #expect(medication?.kind == .reference)
    #expect(medication?.targets == ["Medication"])
    #expect(SearchParameterTables.definition("phonetic", of: .patient)?.kind == .special)
    let composite = SearchParameterTables.definition("code-value-quantity", of: .observation)
    #expect(composite?.kind == .composite)
  }

  @Test func ownersAreReferencesToPatients() throws {
    for type in SearchParameterTables.types {
      for name in SearchParameterTables.ownerParameters(of: type) {
        let definition = try #require(SearchParameterTables.definition(name, of: type))
        #expect(definition.kind == .reference)
        #expect(definition.targets.isEmpty || definition.targets.contains("Patient"))
      }
    }
    #expect(SearchParameterTables.ownerParameters(of: .provenance).isEmpty)
    #expect(SearchParameterTables.hasStatusColumn(.observation))
    #expect(!SearchParameterTables.hasStatusColumn(.condition))
  }

  @Test func valueSetsNeedACodeListAndASystem() {
    let genders = SearchCodeSets.codes(
      inValueSet: "http://hl7.org/fhir/ValueSet/administrative-gender|4.0.1")
    #expect(genders?.compactMap(\.code) == ["female", "male", "other", "unknown"])
    #expect(genders?.first?.system == "http://hl7.org/fhir/administrative-gender")
    #expect(SearchCodeSets.codes(inValueSet: "http://hl7.org/fhir/ValueSet/event-timing") == nil)
    #expect(SearchCodeSets.codes(inValueSet: "http://example.org/ValueSet/x") == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Knowledge
import Testing
import TestSupport

@testable import Plans

@Suite("Ingredient keys")
struct IngredientTests {
  @Test(arguments: [
    ("Metoprolol", "metoprolol"),
    ("  METOPROLOL\t50  mg\n", "metoprolol 50 mg"),
    ("Metoprolol\u{00A0}50 mg", "metoprolol 50 mg"),
    ("Paracétamol", "paracetamol"),
    ("Parace\u{0301}tamol", "paracetamol"),
    ("İLAÇ", "ilac"),
    ("ılaç", "ilac"),
    ("Müller-Tropfen", "muller-tropfen"),
    ("Weiß", "weiss"),
    ("Sørbitol", "sorbitol"),
    ("Ｍｅｔｏ", "meto"),
    ("Meto\u{200B}pro\u{00AD}lol", "metoprolol"),
    ("พาราเซตามอล", "พาราเซตามอล"),
    ("   ", ""),
  ])
  func aNameIsComparedWithoutCaseSpacingAndAccents(name: String, expected: String) {
    #expect(Ingredient.key(name: name) == "name:" + Ingredient.normalised(expected))
    #expect(Ingredient.normalised(name) == Ingredient.normalised(expected))
  }

  @Test(arguments: [
    ("Metoprolol 50 mg", "Metoprolol 100 mg"), ("ยาก", "ยาก่"), ("กา", "กี"), ("A1", "A 1"),
  ])
  func differentNamesStayDifferent(one: String, other: String) {
    #expect(Ingredient.key(name: one) != Ingredient.key(name: other))
  }

  @Test func aPrescriptionHasItsNameAndEachOfItsCodes() {
    let request = MedicationRequestView([
      "medicationCodeableConcept": [
        "coding": [
          ["system": "http://www.whocc.no/atc", "code": "C07AB02"],
          ["code": "local|7"],
          ["system": "urn:x", "code": "two\nlines"],
          ["system": "http://www.whocc.no/atc", "code": "C07AB02"],
        ],
        "text": "Beloc-Zok",
      ]
    ])
    let keys = Ingredient.keys(of: request)
    #expect(
      keys == ["name:beloc-zok", "code:http://www.whocc.no/atc|C07AB02", "code:|local|7"])
    let column = Ingredient.column(keys)
    #expect(Ingredient.keys(column: column) == Set(keys))
    let codes = Ingredient.codes(column: column)
    #expect(codes.map(\.code) == ["C07AB02", "local|7"])
    #expect(codes.map(\.system) == ["http://www.whocc.no/atc", nil])
  }

  @Test func `an unknown product is recognized by its ingredients`() {
    let request = MedicationRequestView([
      "medicationReference": ["reference": "#m", "display": "Zlatal 15 mg"],
      "contained": [
        [
          "resourceType": "Medication", "id": "m",
          "ingredient": [
            ["itemCodeableConcept": ["text": "Methotrexate"]],
            ["itemCodeableConcept": ["coding": [["display": "Lactose"]]], "isActive": false],
          ],
        ]
      ],
    ])
    let keys = Ingredient.keys(of: request)
    #expect(keys == ["name:zlatal 15 mg", "name:methotrexate"])
    let column = Ingredient.column(keys)
    #expect(
      !Ingredient.contents(column: column)
        .isDisjoint(with: Ingredient.contents(column: Ingredient.key(name: "MTX"))))
    #expect(
      TakenMedicines.substance(plan: "p", name: "Zlatal 15 mg", ingredients: column).codes
        .contains("L04AX03"))
  }

  @Test(arguments: [
    ("Panadol", "Paracetamol", true), ("Tylenol 500 mg", "paracetamol", true),
    ("พาราเซตามอล", "Calpol", true), ("Paracetamol 500 mg", "Paracetamol 1000 mg", true),
    ("Ibuprofen", "Paracetamol", false), ("Grandma's tea", "Paracetamol", false),
    ("Grandma's tea", "grandma's  TEA", true),
  ])
  func `two products share the ingredients that the handbook lists`(
    left: String, right: String, isSame: Bool
  ) {
    let contents = [left, right].map { Ingredient.contents(column: Ingredient.key(name: $0)) }
    #expect(contents[0].isDisjoint(with: contents[1]) != isSame)
  }

  @Test func `a code identifies the ingredients as well as a name does`() {
    let coded = Ingredient.contents(
      column: "name:something of the hospital's\ncode:http://www.whocc.no/atc|N02BE01")
    let named = Ingredient.contents(column: Ingredient.key(name: "Panadol"))
    #expect(!coded.isDisjoint(with: named))
    #expect(Ingredient.contents(column: Ingredient.key(name: " ")).isEmpty)
  }

  @Test func whatHasNoNameMatchesNothing() {
    #expect(Ingredient.keys(of: MedicationRequestView([:])).isEmpty)
    #expect(Ingredient.keys(column: Ingredient.key(name: " ")).isEmpty)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Localization
import Testing

@testable import Knowledge

@Suite struct MedicineTests {
  private let handbook = Handbook.shipped

  @Test(arguments: [
    ("paracetamol", "paracetamol"), ("Paracetamol", "paracetamol"), ("PANADOL", "paracetamol"),
    ("paracetmol", "paracetamol"), ("parasetamol", "paracetamol"), ("Tylenl", "paracetamol"),
    ("acetominophen", "paracetamol"), ("พาราเซตามอล", "paracetamol"),
    ("พาราเซตามอน", "paracetamol"), ("พาราเซ", "paracetamol"), ("ibuprofin", "ibuprofen"),
    ("ibuporfen", "ibuprofen"), ("nurofen", "ibuprofen"), ("ไอบูโพรเฟน", "ibuprofen"),
    ("amoxicilin", "amoxicillin"), ("amoxycillin", "amoxicillin"), ("metroprolol", "metoprolol"),
    ("Ventolin", "salbutamol"), ("albuterol", "salbutamol"), ("omeprazol", "omeprazole"),
    ("bisoprolol", "bisoprolol"), ("aspirin", "acetylsalicylic acid"),
    ("asprin", "acetylsalicylic acid"), ("aspirn", "acetylsalicylic acid"),
    ("clavulanic", "amoxicillin/clavulanic acid"),
    ("warfrin", "warfarin"), ("ORS", "oral rehydration salts"),
    ("โออาร์เอส", "oral rehydration salts"),
  ])
  func isFoundFirst(query: String, name: String) {
    #expect(handbook.search(query).first?.medicine.name == name)
  }

  @Test(arguments: [
    ("ibuprofen 400", "ibuprofen"), ("ibuprofen400", "ibuprofen"),
    ("400 mg ibuprofen", "ibuprofen"), ("Ibuprofen 100 mg/5 ml", "ibuprofen"),
    ("ibuprofin tablets 400mg", "ibuprofen"), ("ไอบูโพรเฟน ๔๐๐ มก.", "ibuprofen"),
    ("aspirin 100 mg", "acetylsalicylic acid"), ("B-Aspirin 81", "acetylsalicylic acid"),
    ("panadol forte 500", "paracetamol"), ("vitamin d 1000 IU", "colecalciferol"),
  ])
  func aNameIsFoundWithItsStrength(query: String, name: String) {
    #expect(handbook.search(query).first?.medicine.name == name)
  }

  @Test(arguments: [
    "aspirn", "aspirin", "metoprolol", "metoprolal", "Metoprolol 50 mg", "lisinopril",
  ])
  func anotherMedicineIsNotOfferedAsASpelling(query: String) {
    #expect(handbook.search(query).map(\.medicine.name).count == 1)
  }

  @Test func aGuessThatFitsTwoMedicinesOffersBothTheNearerFirst() {
    let names = handbook.search("betoprolol").map(\.medicine.name)
    #expect(names == ["metoprolol", "bisoprolol"])
  }

  @Test(arguments: ["vitamin b12", "400", "๔๐๐ มก.", "a zzz"])
  func aNumberOrAUnitIsNoName(query: String) {
    #expect(handbook.search(query).isEmpty)
  }

  @Test(arguments: ["", "   ", "!!", "qqqqqqqq", "\u{0E48}", String(repeating: "x", count: 300)])
  func whatIsNoNameFindsNothing(query: String) {
    #expect(handbook.search(query).isEmpty)
  }

  @Test func eachMedicineIsListedOnceAndTheLimitHolds() {
    let hits = handbook.search("a", limit: 7)
    #expect(hits.count == 7)
    #expect(Set(hits.map(\.medicine.id)).count == 7)
  }

  @Test func aMedicineIsFoundByEachOfItsNames() {
    for number in stride(from: 0, to: handbook.medicines.count, by: 5) {
      let medicine = handbook.medicines[number]
      let names =
        [medicine.name] + medicine.brands + medicine.thaiBrands + medicine.thaiNames
        + medicine.synonyms + medicine.combinationBrands
      for name in names {
        let found = handbook.search(name).map(\.medicine.id)
        #expect(found.contains(medicine.id), "\(name)")
      }
    }
  }

  @Test func aNameFarFromTheBeginningIsStillFound() {
    let entries = (0..<3_000).map { (owner: $0, name: "Generic\($0)xyl", kind: NameKind.brand) }
    let index = NameIndex(entries + [(3_000, "metoprolol", .ingredient)])
    #expect(index.search("metoprolal").first?.owner == 3_000)
    #expect(index.search("generic17xyl").first?.owner == 17)
  }

  @Test(arguments: [
    ("N02BE01", ["paracetamol"], true), ("161", ["paracetamol"], true),
    ("Tylenol 500 mg tablets", ["paracetamol"], true), ("พาราเซตามอล", ["paracetamol"], true),
    ("Norgesic", ["orphenadrine", "paracetamol"], true),
    ("Augmentin", ["amoxicillin", "clavulanic acid"], true),
    ("Tiffy", ["phenylephrine"], false), ("aspirin", ["acetylsalicylic acid"], true),
    ("co-trimoxazole", ["sulfamethoxazole", "trimethoprim"], true),
  ])
  func tellsIngredients(name: String, ingredients: [String], isComplete: Bool) {
    let expected = IngredientList(ingredients: ingredients, isComplete: isComplete)
    #expect(handbook.ingredients(of: name) == expected)
  }

  @Test func anUnknownNameHasNoIngredients() {
    #expect(handbook.ingredients(of: "moon dust") == nil)
    #expect(handbook.ingredients(of: "") == nil)
    #expect(handbook.sharedIngredients("moon dust", "Moon  Dust") == ["moon dust"])
  }

  @Test func twoProductsShareAnIngredient() {
    #expect(handbook.sharedIngredients("Panadol", "Norgesic") == ["paracetamol"])
    #expect(handbook.sharedIngredients("Panadol", "Nurofen").isEmpty)
  }

  @Test func aMedicinesPageHasWhatItNeeds() throws {
    let warfarin = try #require(handbook.search("warfarin").first?.medicine)
    let notes = handbook.interactions(of: warfarin, in: .de)
    #expect(notes.count >= 8)
    #expect(notes.map(\.severity) == notes.map(\.severity).sorted())
    #expect(notes.contains { $0.other.contains("Entzündungshemmer") })
    #expect(handbook.cautions(of: warfarin, in: .th).contains("ตรวจ INR"))
    #expect(!warfarin.source.links.isEmpty)
  }

  @Test func theShorterLimitHoldsForACombination() throws {
    let combination = try #require(handbook.search("Augmentin").first?.medicine)
    let ids = handbook.storage(of: combination).map(\.id)
    #expect(ids.contains("antibiotics.storage-clavulanate"))
    #expect(!ids.contains("antibiotics.storage-amoxicillin"))
  }
}

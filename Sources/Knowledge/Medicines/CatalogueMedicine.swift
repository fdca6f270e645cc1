// SPDX-License-Identifier: Apache-2.0
import Localization

/// The rule for taking a medicine with food.
public enum FoodRule: String, CaseIterable, Sendable, Hashable {
  case any
  case withFood = "with-food"
  case beforeFood = "before-food"
  case afterFood = "after-food"
  case emptyStomach = "empty-stomach"
  /// It depends: the usage explains it.
  case seeUsage = "see-usage"
  /// Not taken by mouth.
  case notApplicable = "not-applicable"
}

/// A medicine: one ingredient or a fixed combination, with the names that people know it by.
public struct CatalogueMedicine: Sendable, Hashable {
  /// The identifier, such as `m001`.
  public let id: String
  /// The international name.
  public let name: String
  /// The ingredients.
  public let ingredients: [String]
  /// The ATC code, in parts of at most seven characters.
  public let atc: String
  /// The RxNorm codes of its ingredients, if confirmed.
  public let rxnorm: [String]
  /// True if it is only for adults, according to the project's own compilation.
  public let isForAdults: Bool
  /// Brand names in any country.
  public let brands: [String]
  /// Brand names in Thailand; all but one are unconfirmed.
  public let thaiBrands: [String]
  /// Brands that combine it with other ingredients not listed here.
  public let combinationBrands: [String]
  /// Names in Thai script.
  public let thaiNames: [String]
  /// Synonyms.
  public let synonyms: [String]
  /// Forms and strengths, as written in the compilation.
  public let forms: String
  /// The rule for taking it with food.
  public let food: FoodRule
  /// The source of its facts.
  public let source: Source
  let usagePhrases: [String]
  let cautionPhrases: [String]

  static func table(
    _ table: ContentTable, phrases: Phrases, noting note: (Int, String) -> Void
  ) -> [CatalogueMedicine] {
    table.rows.compactMap { row in
      guard row.cells.count == 18, let food = FoodRule(rawValue: row.cells[13]),
        let facts = FactsStatus(rawValue: row.cells[17])
      else {
        note(row.line, "expected 18 cells with a known food rule, and read or named at the end")
        return nil
      }
      if row.text(0).isEmpty || row.text(1).isEmpty || row.list(2).isEmpty || row.text(3).isEmpty {
        note(row.line, "id, name, ingredients or ATC code is missing")
      }
      if row.words(16).isEmpty { note(row.line, "\(row.text(0)): no source") }
      for phrase in row.list(14) + row.list(15) where !phrases.has(phrase) {
        note(row.line, "\(row.text(0)): not in phrases.table: \(phrase)")
      }
      return CatalogueMedicine(row, food: food, facts: facts)
    }
  }

  private init(_ row: ContentTable.Row, food: FoodRule, facts: FactsStatus) {
    id = row.text(0)
    name = row.text(1)
    ingredients = row.list(2)
    atc = row.text(3)
    rxnorm = row.text(4).split(separator: "+").map(String.init)
    isForAdults = row.text(6) == "adult"
    brands = row.list(7)
    thaiBrands = row.list(8)
    combinationBrands = row.list(9)
    thaiNames = row.list(10)
    synonyms = row.list(11)
    forms = row.text(12)
    self.food = food
    usagePhrases = row.list(14)
    cautionPhrases = row.list(15)
    source = Source(
      id: row.text(0).uppercased(), region: nil, facts: facts, name: row.text(1),
      links: row.words(16))
  }
}

// SPDX-License-Identifier: Apache-2.0

/// That a named practitioner of the installation takes responsibility for one version of a table.
public struct TableApproval: Sendable, Hashable {
  /// The id of the table.
  public let table: String
  /// The version that was approved.
  public let version: Int
  /// Who approved it.
  public let by: String
  /// The day, as `2026-12-01`.
  public let day: String

  /// Makes it.
  public init(table: String, version: Int, by: String, day: String) {
    self.table = table
    self.version = version
    self.by = by
    self.day = day
  }
}

/// Something that the child was given already.
public struct GivenDose: Sendable, Hashable {
  /// What it contained; nil where that is not known, or not all of it.
  public let ingredients: [String]?
  /// How much of the ingredient asked about; nil where that is not known.
  public let amount: IngredientMass?
  /// How long ago it was given.
  public let minutesAgo: Int

  /// Makes it.
  public init(ingredients: [String]?, amount: IngredientMass?, minutesAgo: Int) {
    self.ingredients = ingredients
    self.amount = amount
    self.minutesAgo = minutesAgo
  }
}

/// A contraindication that someone has overridden, with the reason they gave.
public struct ContraindicationOverride: Sendable, Hashable {
  /// The id of the contraindication.
  public let contraindication: String
  /// Why it was set aside.
  public let note: String

  /// Makes it.
  public init(contraindication: String, note: String) {
    self.contraindication = contraindication
    self.note = note
  }
}

/// How much of an ingredient a child may have now.
public struct DoseQuestion: Sendable, Hashable {
  /// The ingredient, by its international name.
  public var ingredient: String
  /// Whose rules to go by.
  public var region: Region
  /// What stands on the bottle; without it there is no answer in millilitres and none at all.
  public var strength: LiquidStrength?
  /// What the child weighs.
  public var grams: Int
  /// How old the child is, in full months.
  public var ageInMonths: Int
  /// Whether the child was born after 37 weeks; nil where it is not known.
  public var isBornAfter37Weeks: Bool?
  /// Everything that was given in the last 24 hours, from any product.
  public var given: [GivenDose]
  /// What has been set aside, with notes.
  public var overrides: [ContraindicationOverride]

  /// Makes it.
  public init(
    ingredient: String, region: Region, strength: LiquidStrength?, grams: Int, ageInMonths: Int,
    isBornAfter37Weeks: Bool? = nil, given: [GivenDose] = [],
    overrides: [ContraindicationOverride] = []
  ) {
    self.ingredient = ingredient
    self.region = region
    self.strength = strength
    self.grams = grams
    self.ageInMonths = ageInMonths
    self.isBornAfter37Weeks = isBornAfter37Weeks
    self.given = given
    self.overrides = overrides
  }
}

/// What was typed that cannot be, and so is answered with nothing.
public enum DoseQuestionError: Error, Sendable, Hashable {
  /// No child weighs this: check the number.
  case impossibleWeight(grams: Int)
  /// No age of a child: check the date of birth.
  case impossibleAge(months: Int)
  /// A dose given in the future, or of less than nothing: check what was recorded.
  case impossibleGivenDose
}

/// Why there is no number.
///
/// It always means: ask a pharmacist.
public enum NoDoseReason: Sendable, Hashable {
  case noStrength
  /// No table for this ingredient under the rules of this region.
  case noTable
  /// The tables there are about other strengths.
  case otherStrength
  /// No practitioner of the installation has approved the table in this version.
  case notApproved(table: String, version: Int)
  /// The child's age or weight is outside the table.
  case outsideTable
  /// The child weighs too little for the row, or it is not known whether it was born after 37 weeks.
  case conditionsNotMet
  /// Something was given of which the ingredients or the amount are not known.
  case unknownGiven
  /// A single dose would go beyond what a day may hold for this weight.
  case beyondDay
}

/// A dose from an approved table.
public struct ReferenceDose: Sendable, Hashable {
  /// The id of the table.
  public let table: DoseTable
  /// The row of the table that fits.
  public let row: DoseTableRow
  /// The least amount of the ingredient.
  public let least: IngredientMass
  /// The most of the ingredient.
  public let most: IngredientMass
  /// The least amount, of the bottle.
  public let leastVolume: LiquidVolume
  /// The most, of the bottle.
  public let mostVolume: LiquidVolume
  /// How often in 24 hours, and how often still.
  public let doses: Int
  /// How often still.
  public let dosesLeft: Int
  /// What a day may hold for this child, and what it holds already.
  public let dayMaximum: IngredientMass
  /// What was given in the last 24 hours.
  public let alreadyGiven: IngredientMass
  /// Who approved the table.
  public let approval: TableApproval
}

/// What the calculator says.
public enum DoseRecommendation: Sendable, Hashable {
  /// It may be given now.
  case dose(ReferenceDose)
  /// It may be given after so many minutes.
  case later(ReferenceDose, minutes: Int)
  /// The medicine must not be given to this child; the contraindications that are not overridden.
  case contraindicated([AgeContraindication])
  /// No number: ask a pharmacist.
  case askPharmacist(NoDoseReason)
}

// SPDX-License-Identifier: Apache-2.0

/// The approval of one version of a table by a named practitioner, who takes responsibility for it.
public struct TableApproval: Sendable, Hashable {
  /// The id of the table.
  public let table: String
  /// The version that was approved.
  public let version: Int
  /// The name of the practitioner who approved it.
  public let by: String
  /// The day, such as `2026-12-01`.
  public let day: String

  /// Creates an approval.
  public init(table: String, version: Int, by: String, day: String) {
    self.table = table
    self.version = version
    self.by = by
    self.day = day
  }
}

/// A dose that the child was already given.
public struct GivenDose: Sendable, Hashable {
  /// The ingredients that it contained; nil if they are not all known.
  public let ingredients: [String]?
  /// The mass of the ingredient asked about; nil if it is not known.
  public let amount: IngredientMass?
  /// The minutes since it was given.
  public let minutesAgo: Int

  /// Creates a dose.
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
  /// The reason for the override.
  public let note: String

  /// Creates an override.
  public init(contraindication: String, note: String) {
    self.contraindication = contraindication
    self.note = note
  }
}

/// A question to the calculator: the amount of an ingredient that a child may have now.
public struct DoseQuestion: Sendable, Hashable {
  /// The ingredient, by its international name.
  public var ingredient: String
  /// The region whose rules apply.
  public var region: Region
  /// The strength on the bottle; without it there is no answer.
  public var strength: LiquidStrength?
  /// The weight of the child, in grams.
  public var grams: Int
  /// The age of the child, in full months.
  public var ageInMonths: Int
  /// True if the child was born after 37 weeks; nil if it is not known.
  public var isBornAfter37Weeks: Bool?
  /// Everything that was given in the last 24 hours, from any product.
  public var given: [GivenDose]
  /// The contraindications that were overridden, with notes.
  public var overrides: [ContraindicationOverride]

  /// Creates a question.
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

/// An impossible value in a question, which is not answered.
public enum DoseQuestionError: Error, Sendable, Hashable {
  /// No child has this weight: check the number.
  case impossibleWeight(grams: Int)
  /// No child has this age: check the date of birth.
  case impossibleAge(months: Int)
  /// A dose is in the future or negative: check the record.
  case impossibleGivenDose
}

/// The reason why there is no number.
///
/// It always means: ask a pharmacist.
public enum NoDoseReason: Sendable, Hashable {
  case noStrength
  /// There is no table for this ingredient under the rules of this region.
  case noTable
  /// The tables are for other strengths.
  case otherStrength
  /// No practitioner of the installation has approved this version of the table.
  case notApproved(table: String, version: Int)
  /// The child's age or weight is outside the table.
  case outsideTable
  /// The child weighs too little for the row, or it is not known if the child was born after 37 weeks.
  case conditionsNotMet
  /// A dose with unknown ingredients or amount was given.
  case unknownGiven
  /// A single dose would exceed the daily maximum for this weight.
  case beyondDay
}

/// A dose from an approved table.
public struct ReferenceDose: Sendable, Hashable {
  /// The id of the table.
  public let table: DoseTable
  /// The matching row of the table.
  public let row: DoseTableRow
  /// The minimum amount of the ingredient.
  public let least: IngredientMass
  /// The maximum amount of the ingredient.
  public let most: IngredientMass
  /// The minimum volume.
  public let leastVolume: LiquidVolume
  /// The maximum volume.
  public let mostVolume: LiquidVolume
  /// The number of doses in 24 hours.
  public let doses: Int
  /// The number of doses left in the current 24 hours.
  public let dosesLeft: Int
  /// The daily maximum for this child.
  public let dayMaximum: IngredientMass
  /// The mass that was given in the last 24 hours.
  public let alreadyGiven: IngredientMass
  /// The approval of the table.
  public let approval: TableApproval
}

/// The answer of the calculator.
public enum DoseRecommendation: Sendable, Hashable {
  /// It may be given now.
  case dose(ReferenceDose)
  /// It may be given after the given number of minutes.
  case later(ReferenceDose, minutes: Int)
  /// The medicine must not be given to this child; carries the contraindications that are not overridden.
  case contraindicated([AgeContraindication])
  /// There is no number: ask a pharmacist.
  case askPharmacist(NoDoseReason)
}

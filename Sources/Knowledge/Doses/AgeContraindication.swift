// SPDX-License-Identifier: Apache-2.0

/// A medicine that must not be given below an age or a weight.
public struct AgeContraindication: Sendable, Hashable {
  /// The identifier, such as `codeine`.
  public let id: String
  /// The contraindicated medicines.
  public let ingredients: [String]
  /// The regions in which it applies.
  public let reach: Reach
  /// The age below which children must not have it.
  public let belowMonths: Int
  /// The weight, in grams, below which children must not have it.
  public let belowGrams: Int?
  /// True if the source itself makes an exception, so that a note can override it.
  public let mayBeOverridden: Bool
  /// The id of the statement with the reason.
  public let statement: String

  /// Returns true if it applies to a child.
  func contraindications(ageInMonths: Int, grams: Int) -> Bool {
    ageInMonths < belowMonths || belowGrams.map { grams < $0 } ?? false
  }

  static func contraindications(in content: String, noting note: (Int, String) -> Void)
    -> [AgeContraindication]
  {
    ContentBlock.blocks(in: content, noting: note).compactMap { block in
      let ingredients = block.list("ingredients", separator: ";")
      guard let reach = block["region"].flatMap(Reach.init(text:)),
        let months = block["below-months"].flatMap({ Int($0) }), months > 0,
        let override = block["override"], ["yes", "no"].contains(override),
        let statement = block["statement"], !ingredients.isEmpty
      else {
        note(block.line, "\(block.name): something is missing or not understood")
        return nil
      }
      return AgeContraindication(
        id: block.name, ingredients: ingredients, reach: reach, belowMonths: months,
        belowGrams: block["below-kg"].flatMap { thousandths($0) },
        mayBeOverridden: override == "yes", statement: statement)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The ingredients of a product, as far as the handbook knows them.
public struct IngredientList: Sendable, Hashable {
  /// The ingredients, each once, sorted.
  public let ingredients: [String]
  /// False where the product holds more than is listed, or where the name stands for several.
  public let isComplete: Bool

  /// Makes a list.
  public init(ingredients: [String], isComplete: Bool) {
    self.ingredients = ingredients
    self.isComplete = isComplete
  }
}

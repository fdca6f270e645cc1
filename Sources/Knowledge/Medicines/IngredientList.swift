// SPDX-License-Identifier: Apache-2.0

/// The ingredients of a product, as far as the handbook knows them.
public struct IngredientList: Sendable, Hashable {
  /// The ingredients, each once, sorted.
  public let ingredients: [String]
  /// False if the product contains more than is listed, or if the name stands for several products.
  public let isComplete: Bool

  /// Creates a list.
  public init(ingredients: [String], isComplete: Bool) {
    self.ingredients = ingredients
    self.isComplete = isComplete
  }
}

// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  /// The contraindications of ingredients for a child, under the rules of a region.
  public func bars(
    for ingredients: [String], ageInMonths: Int, grams: Int, region: Region
  ) -> [AgeBar] {
    ageBars.filter { bar in
      bar.reach.includes(region) && bar.bars(ageInMonths: ageInMonths, grams: grams)
        && bar.ingredients.contains { ingredients.contains($0) }
    }
  }
}

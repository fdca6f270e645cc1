// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  /// The contraindications of ingredients for a child, under the rules of a region.
  public func contraindications(
    for ingredients: [String], ageInMonths: Int, grams: Int, region: Region
  ) -> [AgeContraindication] {
    ageContraindications.filter { contraindication in
      contraindication.reach.includes(region)
        && contraindication.contraindications(ageInMonths: ageInMonths, grams: grams)
        && contraindication.ingredients.contains { ingredients.contains($0) }
    }
  }
}

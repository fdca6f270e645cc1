// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  /// The maximum number of words of a longer name that are looked up; every listed name has fewer.
  private static let mostWords = 20

  /// Returns the ingredients of a medicine by its name, a brand, a Thai name, or an ATC or RxNorm code.
  ///
  /// Text after a known name is ignored: `Tylenol 500 mg` is Tylenol. Nil if nothing is known, which does not
  /// mean that it contains nothing.
  public func ingredients(of nameOrCode: String) -> IngredientList? {
    medicines(named: nameOrCode)?.list
  }

  /// Returns the ingredients together with the medicines that have the name.
  func medicines(named nameOrCode: String) -> (
    list: IngredientList, medicines: [CatalogueMedicine]
  )? {
    let wanted = NameNormalizer.normalised(nameOrCode)
    if let found = found(wanted) { return found }
    // The last piece is the rest: a program can send a name of a hundred thousand words.
    var words = wanted.split(separator: " ", maxSplits: Self.mostWords)
    while words.count > 1 {
      words.removeLast()
      if let found = found(words.joined(separator: " ")) { return found }
    }
    return nil
  }

  /// Returns the ingredients that two products have in common; an unknown name shares only itself.
  public func sharedIngredients(_ left: String, _ right: String) -> Set<String> {
    contents(left).intersection(contents(right))
  }

  private func contents(_ name: String) -> Set<String> {
    Set(ingredients(of: name)?.ingredients ?? [NameNormalizer.normalised(name)])
  }

  private func found(_ wanted: String) -> (list: IngredientList, medicines: [CatalogueMedicine])? {
    guard let places = medicinesByName[wanted] else { return nil }
    let kinds = places.map { medicines[$0] }
    let isCombination = kinds.contains { medicine in
      medicine.combinationBrands.contains { NameNormalizer.normalised($0) == wanted }
    }
    let contents = Set(kinds.map { Set($0.ingredients) })
    let list = IngredientList(
      ingredients: Set(kinds.flatMap(\.ingredients)).sorted(),
      isComplete: contents.count == 1 && !isCombination)
    return (list, kinds)
  }
}

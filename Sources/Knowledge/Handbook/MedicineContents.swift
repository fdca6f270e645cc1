// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  /// The most words of a longer name that are looked up; every name that is listed has fewer.
  private static let mostWords = 20

  /// The ingredients of a medicine by its name, a brand, a Thai name, an ATC or an RxNorm code.
  ///
  /// What follows a known name is passed over: `Tylenol 500 mg` is Tylenol. Nil where nothing is
  /// known, which is not the same as containing nothing.
  public func ingredients(of nameOrCode: String) -> IngredientList? {
    medicines(named: nameOrCode)?.list
  }

  /// The same with the medicines that have the name.
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

  /// The ingredients that two products have in common; a name that is not known shares only itself.
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

// SPDX-License-Identifier: Apache-2.0

extension Handbook {
  /// Identifies a medicine by its name and its codes.
  ///
  /// - Parameter codes: ATC and RxNorm codes.
  public func substance(id: String, name: String, codes: [String] = []) -> Substance {
    var atc: [String] = []
    var contents: Set<String> = []
    var isComplete = true
    func add(_ code: String) { if !atc.contains(code) { atc.append(code) } }
    for code in codes where code.utf8.count == 7 && Interaction.isCode(code) { add(code) }
    for words in [name] + codes {
      guard let found = medicines(named: words) else { continue }
      isComplete = isComplete && found.list.isComplete
      for ingredient in found.list.ingredients { contents.insert(ingredient) }
      for medicine in found.medicines {
        add(medicine.atc)
        // A combination has all interactions of its parts.
        guard medicine.ingredients.count > 1 else { continue }
        for ingredient in medicine.ingredients {
          for code in singleCodes[ingredient] ?? [] { add(code) }
        }
      }
    }
    let isKnown = !atc.isEmpty || !contents.isEmpty
    return Substance(
      id: id, name: name, shownName: name, codes: atc,
      contents: contents.isEmpty ? [NameNormalizer.normalised(name)] : contents.sorted(),
      isKnown: isKnown, isComplete: isComplete)
  }
}

extension Handbook {
  /// Identifies an allergy by its name and its codes.
  public func allergy(_ name: String, codes: [String] = []) -> KnownAllergy {
    let substance = substance(id: "allergy", name: name, codes: codes)
    let words = NameNormalizer.normalised(name)
    return KnownAllergy(
      name: name, substance: substance,
      groups: allergyGroups.filter { group in
        group.isNamed(in: words) || substance.codes.contains(where: group.holds)
      })
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What is known of a medicine that somebody takes: what it is checked by.
public struct Substance: Sendable, Hashable {
  /// Names it among those that are checked together, such as a plan's id.
  public let id: String
  /// As the person calls it.
  public let name: String
  /// The name shown to people, with the strength; ``name`` where nothing else is given.
  public var shownName: String
  /// Its ATC codes, and those of what it is made of.
  public let codes: [String]
  /// What it contains; its own name in one form where nothing is known.
  public let contents: [String]
  /// Whether the handbook or a code says what it is.
  public let isKnown: Bool
  /// False where it holds more than is listed.
  public let isComplete: Bool
}

extension Handbook {
  /// Finds what a medicine is by its name and its codes.
  ///
  /// - Parameters:
  ///   - codes: codes of ATC and of RxNorm.
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
        // A combination meets all that its parts do.
        guard medicine.ingredients.count > 1 else { continue }
        for ingredient in medicine.ingredients {
          for code in singleCodes[ingredient] ?? [] { add(code) }
        }
      }
    }
    let isKnown = !atc.isEmpty || !contents.isEmpty
    return Substance(
      id: id, name: name, shownName: name, codes: atc,
      contents: contents.isEmpty ? [SearchText.normalised(name)] : contents.sorted(),
      isKnown: isKnown, isComplete: isComplete)
  }
}

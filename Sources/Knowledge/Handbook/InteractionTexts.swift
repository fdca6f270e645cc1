// SPDX-License-Identifier: Apache-2.0
import Localization

extension Handbook {
  /// Returns the interactions of a medicine, the most serious first.
  ///
  /// An empty result never means that it is safe.
  ///
  /// - Parameter list: the list to use instead of the one that ships.
  public func interactions(
    of medicine: CatalogueMedicine, by list: InteractionList? = nil, in language: Language
  ) -> [InteractionNote] {
    (list?.interactions ?? interactions)
      .compactMap { interaction -> InteractionNote? in
        guard let side = interaction.side(of: medicine) else { return nil }
        let other = side == .first ? interaction.second : interaction.first
        return InteractionNote(
          severity: interaction.severity, other: words(other, of: interaction, in: language),
          effects: self.effects(of: interaction, in: language),
          isToBeConfirmed: interaction.isToBeConfirmed, citation: interaction.citation)
      }
      .sorted { ($0.severity, $0.citation.id) < ($1.severity, $1.citation.id) }
  }
}

extension Handbook {
  /// Returns the list's name for something, in a language.
  public func words(_ english: String, in language: Language) -> String {
    phrases.text(english, in: language)
  }

  /// Returns the effects and the advice, sentence by sentence.
  public func effects(of interaction: Interaction, in language: Language) -> [String] {
    interaction.effects.map { words($0, of: interaction, in: language) }
  }

  /// Returns a row's name for something, in a language; the operator's own text stays as it is.
  public func words(
    _ english: String, of interaction: Interaction?, in language: Language
  ) -> String {
    interaction?.isOwn ?? false ? english : phrases.text(english, in: language)
  }

  /// Returns the name of a group of medicines.
  public func label(of group: AllergyGroup, in language: Language) -> String {
    phrases.text(group.label, in: language)
  }
}

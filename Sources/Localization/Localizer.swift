// SPDX-License-Identifier: Apache-2.0

/// Formats the texts of the interface in one of its languages.
public struct Localizer: Speaker {
  /// The language of the texts.
  public let language: Language
  private let sentences: SentenceLocalizer

  /// Returns the localizer of a language; creating one costs nothing.
  public static func of(_ language: Language) -> Localizer {
    Localizer(language: language, catalogue: Catalogue.of(SentenceLanguage(language)))
  }

  init(language: Language, catalogue: Catalogue) {
    self.language = language
    sentences = SentenceLocalizer(spoken: SentenceLanguage(language), catalogue: catalogue)
  }

  /// The language of the texts.
  public var spoken: SentenceLanguage { sentences.spoken }

  /// Returns the message for a key with its arguments; the key itself if there is none (a test forbids it).
  public func text(_ key: MessageKey, _ arguments: MessageArguments) -> String {
    sentences.text(key, arguments)
  }

  /// Returns true if there is a message for a key, for keys created at run time.
  public func hasText(_ key: MessageKey) -> Bool {
    sentences.catalogue.messages[key.text] != nil
  }
}

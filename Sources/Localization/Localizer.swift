// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Says things in one language: messages, numbers, times, dates, lists.
public struct Localizer: Sendable {
  /// The language of everything it says.
  public let language: Language
  private let catalogue: Catalogue

  /// The localizer of a language; making one costs nothing.
  public static func of(_ language: Language) -> Localizer {
    Localizer(language: language, catalogue: Catalogue.of(language))
  }

  init(language: Language, catalogue: Catalogue) {
    self.language = language
    self.catalogue = catalogue
  }

  /// The message for a key with its arguments; the key itself where there is none (a test forbids it).
  public func text(_ key: MessageKey, _ arguments: [String: MessageArgument] = [:]) -> String {
    guard let message = catalogue.messages[key.text] else { return key.text }
    // Most messages are a single text: they are handed out as they are.
    if message.parts.count == 1, case .text(let text)? = message.parts.first { return text }
    var result = ""
    message.write(into: &result, arguments, language: language)
    return result
  }

  /// Whether there is a message for a key, for keys made while running.
  public func hasText(_ key: MessageKey) -> Bool {
    catalogue.messages[key.text] != nil
  }

  /// The text with its first letter in upper case, by the language's rules (Turkish i gives İ).
  public func capitalized(_ text: String) -> String {
    guard let first = text.first else { return text }
    let upper = language == .tr && first == "i" ? "İ" : String(first).uppercased()
    return upper + text.dropFirst()
  }

  /// Items as a phrase: `a, b and c`; empty for none.
  public func list(_ items: [String]) -> String {
    guard let last = items.last else { return "" }
    guard items.count > 1 else { return last }
    let rest = items.dropLast().joined(separator: text("lists.separator") + " ")
    return text("lists.last", ["rest": .text(rest), "last": .text(last)])
  }
}

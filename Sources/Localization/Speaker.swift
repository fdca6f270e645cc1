// SPDX-License-Identifier: Apache-2.0

/// Formats messages, numbers, times, dates and lists in one language.
///
/// `Localizer` has the languages of the interface, `SentenceLocalizer` those of dosage sentences.
public protocol Speaker: Sendable {
  /// The language of the texts.
  var spoken: SentenceLanguage { get }
  /// Returns the message for a key with its arguments; the key itself if there is none (a test forbids it).
  func text(_ key: MessageKey, _ arguments: MessageArguments) -> String
}

extension Speaker {
  /// Returns the message for a key without arguments.
  public func text(_ key: MessageKey) -> String { text(key, [:]) }

  /// Returns the text with its first letter in upper case, by the language's rules (Turkish i becomes İ).
  public func capitalized(_ text: String) -> String {
    guard let first = text.utf8.first else { return text }
    // Most sentences begin with an ASCII letter; Turkish i is the exception among them.
    if first < 0x80, !(spoken == .tr && first == UInt8(ascii: "i")) {
      guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), Self.standsAlone(text) else {
        return first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z") ? byCharacter(text) : text
      }
      var copy = text
      return copy.withUTF8 { bytes in
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
          _ = buffer.initialize(from: bytes)
          buffer[0] = first - 32
          return bytes.count
        }
      }
    }
    // No letter of Thai or of the neighbouring Unicode blocks has an upper case.
    return first == 0xE0 ? text : byCharacter(text)
  }

  /// Returns true if the first letter has no combining mark after it.
  private static func standsAlone(_ text: String) -> Bool {
    text.utf8.dropFirst().first.map { $0 < 0x80 } ?? true
  }

  private func byCharacter(_ text: String) -> String {
    guard let first = text.first else { return text }
    let upper = spoken == .tr && first == "i" ? "İ" : String(first).uppercased()
    return upper + text.dropFirst()
  }

  /// Returns items as a phrase such as `a, b and c`; empty for none.
  public func list(_ items: [String]) -> String {
    guard let last = items.last else { return "" }
    guard items.count > 1 else { return last }
    let rest = items.dropLast().joined(separator: text("lists.separator") + " ")
    return text("lists.last", ["rest": .text(rest), "last": .text(last)])
  }
}

/// Formats dosage sentences in any of their languages.
public struct SentenceLocalizer: Speaker {
  /// The language of the texts.
  public let spoken: SentenceLanguage
  let catalogue: Catalogue

  /// Returns the localizer of a language; creating one costs nothing.
  public static func of(_ language: SentenceLanguage) -> SentenceLocalizer {
    SentenceLocalizer(spoken: language, catalogue: Catalogue.of(language))
  }

  init(spoken: SentenceLanguage, catalogue: Catalogue) {
    self.spoken = spoken
    self.catalogue = catalogue
  }

  /// Returns the message for a key with its arguments; the key itself if there is none (a test forbids it).
  public func text(_ key: MessageKey, _ arguments: MessageArguments) -> String {
    guard let message = catalogue.messages[key.text] else { return key.text }
    // Most messages are a single text, which is returned as it is.
    if message.parts.count == 1, case .text(let text)? = message.parts.first { return text }
    var result = ""
    message.write(into: &result, arguments, language: spoken)
    return result
  }
}

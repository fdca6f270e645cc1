// SPDX-License-Identifier: Apache-2.0

/// A language for dosage sentences.
///
/// There are more than interface languages (`Language`): a sentence for the patient needs only the catalogues
/// of dosages, units, the lexicon, dates and lists.
public enum SentenceLanguage: String, CaseIterable, Sendable, Hashable, Codable {
  case en, de, nb, th, tr, fr, es, it, pt, nl

  /// Creates the sentence language of an interface language.
  public init(_ language: Language) {
    switch language {
    case .en: self = .en
    case .de: self = .de
    case .nb: self = .nb
    case .th: self = .th
    case .tr: self = .tr
    }
  }

  /// Creates the language of a BCP 47 tag, such as `fr-CA` or `no`; nil if there are no sentences in it.
  ///
  /// All forms of Norwegian map to Bokmål.
  public init?(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    switch primary {
    case "no", "nn": self = .nb
    default: self.init(rawValue: primary)
    }
  }

  /// Returns the best language for an Accept-Language header; nil if it names none that is supported.
  public static func negotiate(acceptLanguage: String?) -> SentenceLanguage? {
    AcceptLanguage.best(of: acceptLanguage) { SentenceLanguage(tag: $0) }
  }

  /// The interface language; nil if there are only sentences.
  public var interface: Language? { Language(rawValue: rawValue) }

  /// The value for `lang` attributes.
  public var tag: String { rawValue }
}

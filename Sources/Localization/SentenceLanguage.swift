// SPDX-License-Identifier: Apache-2.0

/// A language that dosage sentences exist in.
///
/// More than the languages of the interface (`Language`): a sentence for the patient needs only the
/// catalogues of dosages, units, the lexicon, dates and lists.
public enum SentenceLanguage: String, CaseIterable, Sendable, Hashable, Codable {
  case en, de, nb, th, tr, fr, es, it, pt, nl

  /// The language of an interface, for its sentences.
  public init(_ language: Language) {
    switch language {
    case .en: self = .en
    case .de: self = .de
    case .nb: self = .nb
    case .th: self = .th
    case .tr: self = .tr
    }
  }

  /// The language of a BCP 47 tag, `fr-CA` or `no`; nil when there are no sentences in it.
  ///
  /// Norwegian in any form is read as Bokmål.
  public init?(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    switch primary {
    case "no", "nn": self = .nb
    default: self.init(rawValue: primary)
    }
  }

  /// The best language for an Accept-Language header; nil when it names none that there is.
  public static func negotiate(acceptLanguage: String?) -> SentenceLanguage? {
    AcceptLanguage.best(of: acceptLanguage) { SentenceLanguage(tag: $0) }
  }

  /// The interface in this language; nil where there are sentences only.
  public var interface: Language? { Language(rawValue: rawValue) }

  /// The value for `lang` attributes.
  public var tag: String { rawValue }
}

// SPDX-License-Identifier: Apache-2.0

/// A language that every text of the program exists in.
public enum Language: String, CaseIterable, Sendable, Hashable, Codable {
  case en, de, nb, th, tr

  /// The language of a BCP 47 tag, `de-CH` or `nn`; nil when there are no texts for it.
  ///
  /// Norwegian in any form is read as Bokmål.
  public init?(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    switch primary {
    case "no", "nn": self = .nb
    default: self.init(rawValue: primary)
    }
  }

  /// The value for `lang` attributes and `Content-Language`.
  public var tag: String { rawValue }

  /// The language's own name for itself, for a list to choose from.
  public var nativeName: String {
    switch self {
    case .en: "English"
    case .de: "Deutsch"
    case .nb: "Norsk bokmål"
    case .th: "ไทย"
    case .tr: "Türkçe"
    }
  }

  /// The best language for an Accept-Language header (RFC 9110 section 12.5.4); English when none fits.
  public static func negotiate(acceptLanguage: String?) -> Language {
    AcceptLanguage.best(of: acceptLanguage) { Language(tag: $0) } ?? .en
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A language in which every text of the program exists.
public enum Language: String, CaseIterable, Sendable, Hashable, Codable {
  case en, de, nb, th, tr

  /// Creates the language of a BCP 47 tag, such as `de-CH` or `nn`; nil if it is not supported.
  ///
  /// All forms of Norwegian map to Bokmål.
  public init?(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    switch primary {
    case "no", "nn": self = .nb
    default: self.init(rawValue: primary)
    }
  }

  /// The value for `lang` attributes and `Content-Language`.
  public var tag: String { rawValue }

  /// The language's own name for itself, for a selection list.
  public var nativeName: String {
    switch self {
    case .en: "English"
    case .de: "Deutsch"
    case .nb: "Norsk bokmål"
    case .th: "ไทย"
    case .tr: "Türkçe"
    }
  }

  /// Returns the best language for an Accept-Language header (RFC 9110 section 12.5.4); English if none fits.
  public static func negotiate(acceptLanguage: String?) -> Language {
    AcceptLanguage.best(of: acceptLanguage) { Language(tag: $0) } ?? .en
  }
}

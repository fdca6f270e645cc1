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
    guard let acceptLanguage else { return .en }
    var best: (language: Language, quality: Double)?
    // A real header names a handful of languages; more than 32 are not looked at.
    for entry in acceptLanguage.split(separator: ",", maxSplits: 32).prefix(32) {
      let fields = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let tag = fields.first, let language = Language(tag: tag) else { continue }
      let quality = Self.quality(in: fields.dropFirst())
      if quality > 0, quality > best?.quality ?? 0 { best = (language, quality) }
    }
    return best?.language ?? .en
  }

  private static func quality(in parameters: ArraySlice<String>) -> Double {
    for parameter in parameters where parameter.lowercased().hasPrefix("q=") {
      guard let value = Double(parameter.dropFirst(2)), value >= 0, value <= 1 else { return 0 }
      return value
    }
    return 1
  }
}

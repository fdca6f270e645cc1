// SPDX-License-Identifier: Apache-2.0

/// Reads Accept-Language headers (RFC 9110 section 12.5.4).
enum AcceptLanguage {
  /// Returns the language that a header prefers among those that `language` recognises by their tags.
  static func best<Known>(of header: String?, _ language: (String) -> Known?) -> Known? {
    guard let header else { return nil }
    var best: (language: Known, quality: Double)?
    // A real header names a handful of languages; more than 32 are ignored.
    for entry in header.split(separator: ",", maxSplits: 32).prefix(32) {
      let fields = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let tag = fields.first, let known = language(tag) else { continue }
      let quality = quality(in: fields.dropFirst())
      if quality > 0, quality > best?.quality ?? 0 { best = (known, quality) }
    }
    return best?.language
  }

  private static func quality(in parameters: ArraySlice<String>) -> Double {
    for parameter in parameters where parameter.lowercased().hasPrefix("q=") {
      guard let value = Double(parameter.dropFirst(2)), value >= 0, value <= 1 else { return 0 }
      return value
    }
    return 1
  }
}

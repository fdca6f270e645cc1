// SPDX-License-Identifier: Apache-2.0

/// A parameter of a FHIR search.
///
/// Repetitions of a name are separate parameters, which must all match.
public struct SearchParameter: Sendable, Hashable {
  /// The name without modifier, such as `status`.
  public let name: String
  /// The text after the first colon of the name, such as `not` or `missing`; nil without a colon.
  public let modifier: String?
  /// The alternatives, any of which may match, without escapes.
  public let values: [String]
  /// The alternatives as tokens, split at the first `|` that is not escaped.
  public let tokens: [TokenSearchValue]

  /// Creates a parameter from a decoded name with modifier and a decoded value with `\` escapes.
  init(decodedName: String, decodedValue: String) {
    let parts = decodedName.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts.first ?? "")
    modifier = parts.count == 2 ? String(parts[1]) : nil
    let alternatives = SearchEscapes.split(decodedValue, at: ",")
    values = alternatives.map(SearchEscapes.resolve)
    tokens = alternatives.map(TokenSearchValue.init(escaped:))
  }
}

/// A token value: `code`, `system|code`, `|code` (no system) or `system|` (any code of it).
public struct TokenSearchValue: Sendable, Hashable {
  /// The system; nil for any, empty for none.
  public let system: String?
  /// The code; nil for any.
  public let code: String?

  /// Creates a token.
  public init(system: String?, code: String?) {
    self.system = system
    self.code = code
  }

  init(escaped text: String) {
    let parts = SearchEscapes.split(text, at: "|", limit: 1).map(SearchEscapes.resolve)
    guard parts.count == 2 else {
      system = nil
      code = parts.first
      return
    }
    system = parts[0]
    code = parts[1].isEmpty ? nil : parts[1]
  }
}

/// The backslash escapes of FHIR search values: `\,` `\|` `\$` `\\`.
enum SearchEscapes {
  /// Splits a text at separators that are not escaped; the parts keep their escapes.
  static func split(_ text: String, at separator: Unicode.Scalar, limit: Int = .max) -> [String] {
    var parts: [String] = []
    var part = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == separator, !isEscaped, parts.count < limit {
        parts.append(String(part))
        part = String.UnicodeScalarView()
        continue
      }
      isEscaped = scalar == "\\" && !isEscaped
      part.append(scalar)
    }
    parts.append(String(part))
    return parts
  }

  /// Replaces each escape with its character; a backslash before any other character stays.
  static func resolve(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var resolved = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        if !"\\,|$".unicodeScalars.contains(scalar) { resolved.append("\\") }
        resolved.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        resolved.append(scalar)
      }
    }
    if isEscaped { resolved.append("\\") }
    return String(resolved)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Text inside an XML document.
enum XMLText {
  /// Appends text as it is written in an attribute or between tags.
  ///
  /// Line ends and tabs are escaped, because a reader would turn them into spaces.
  static func append(_ text: String, to output: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;".utf8
      case "<": output += "&lt;".utf8
      case ">": output += "&gt;".utf8
      case "\"": output += "&quot;".utf8
      case "\t", "\n", "\r": output += "&#\(scalar.value);".utf8
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}".utf8
      default: output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }
}

/// The narrative of a resource, which JSON has as a string.
enum NarrativeText {
  /// Returns a `div` that can be part of an XML document.
  ///
  /// XHTML's named characters, which XML does not know, are written as the characters themselves. Text that is no
  /// well-formed `div` even then is shown as text.
  static func wellFormed(_ text: String) -> String {
    if XMLTree.isNarrative(text) { return text }
    let replaced = replacingNames(in: text)
    if XMLTree.isNarrative(replaced) { return replaced }
    var escaped: [UInt8] = []
    XMLText.append(text, to: &escaped)
    return "<div xmlns=\"\(XMLLimits.xhtmlNamespace)\">"
      + String(decoding: escaped, as: UTF8.self) + "</div>"
  }

  private static func replacingNames(in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      let name = rest.prefix(12).prefix { $0 != ";" }
      if name.endIndex < rest.endIndex, rest[name.endIndex] == ";",
        let character = characters[String(name)]
      {
        result += character
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        result += "&"
      }
    }
    return result + rest
  }

  /// The named characters that occur in narratives.
  private static let characters: [String: String] = [
    "nbsp": "\u{A0}", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "plusmn": "±",
    "micro": "µ", "middot": "·", "para": "¶", "sect": "§", "times": "×", "divide": "÷",
    "frac12": "½", "frac14": "¼", "frac34": "¾", "sup2": "²", "sup3": "³", "laquo": "«",
    "raquo": "»", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bdquo": "„",
    "ndash": "–", "mdash": "—", "hellip": "…", "bull": "•", "euro": "€", "pound": "£",
    "yen": "¥", "cent": "¢", "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓", "harr": "↔",
    "le": "≤", "ge": "≥", "ne": "≠", "asymp": "≈", "minus": "−", "auml": "ä", "ouml": "ö",
    "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "aring": "å", "Aring": "Å",
    "aelig": "æ", "AElig": "Æ", "oslash": "ø", "Oslash": "Ø", "eacute": "é", "Eacute": "É",
    "egrave": "è", "agrave": "à", "ecirc": "ê", "acirc": "â", "ccedil": "ç", "Ccedil": "Ç",
    "ntilde": "ñ", "alpha": "α", "beta": "β", "gamma": "γ", "mu": "μ",
  ]
}

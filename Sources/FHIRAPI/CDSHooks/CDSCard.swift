// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization

/// A card that the calling system shows.
struct CDSCard: Sendable, Hashable {
  /// The importance of a card.
  enum Indicator: String, Sendable, Hashable, CaseIterable {
    case critical, warning, info
  }

  /// A reason for which someone dismisses a card, as a code.
  enum OverrideReason: String, Sendable, CaseIterable {
    /// The benefit outweighs the risk.
    case benefit
    /// The patient is monitored for it.
    case monitored
    /// The patient has taken it before without a problem.
    case tolerated
    /// The card does not apply to this patient.
    case inapplicable
    case other

    /// The address of the list of codes.
    static let system = "urn:regimen:override-reason"

    func json(_ localizer: Localizer) -> JSONValue {
      [
        "code": .string(rawValue), "system": .string(Self.system),
        "display": .string(localizer.text("cds.override", ["reason": .text(rawValue)])),
      ]
    }
  }

  /// The summary must be shorter than this.
  static let summaryLimit = 140

  /// The importance.
  let indicator: Indicator
  /// The finding in one sentence, which is cut if it is too long.
  let title: String
  /// The paragraphs below it, as plain text.
  var paragraphs: [String] = []
  /// The items of a list at the end, as plain text.
  var items: [String] = []
  /// True if dismissing it needs a reason.
  var isOverridable = true

  /// Returns the card as JSON.
  ///
  /// - Parameters:
  ///   - id: A new UUID.
  ///   - url: The address of this server.
  func json(id: String, url: String, _ localizer: Localizer) -> JSONValue {
    let summary = Self.cut(Self.line(title))
    var card: JSONValue = [
      "uuid": .string(id), "summary": .string(summary), "indicator": .string(indicator.rawValue),
      "source": ["label": "Regimen", "url": .string(url)],
    ]
    let whole = summary == Self.line(title) ? [] : [title]
    let list = items.map { "- \(Self.escaped($0))" }.joined(separator: "\n")
    let detail = ((whole + paragraphs).map(Self.escaped) + [list]).filter { !$0.isEmpty }
      .joined(separator: "\n\n")
    if !detail.isEmpty { card["detail"] = .string(detail) }
    if isOverridable {
      card["overrideReasons"] = .array(OverrideReason.allCases.map { $0.json(localizer) })
    }
    return card
  }

  /// Returns a text that is short enough for a summary, at whole characters.
  static func cut(_ text: String) -> String {
    guard text.utf16.count >= summaryLimit else { return text }
    var short = ""
    var length = 0
    for character in text {
      length += character.utf16.count
      guard length < summaryLimit - 1 else { break }
      short.append(character)
    }
    return short + "…"
  }

  /// Returns a text as Markdown that shows exactly this text on one line.
  ///
  /// Names of medicines come from other systems and people, and must not become links, images or markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    // Scalars, because a mark after a character does not change its meaning in Markdown.
    for scalar in line(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "@": result += "\\\(scalar)"
      // Bare addresses would become links.
      case ":" where isAddress(result, ["http", "https", "ftp"]): result += "\\:"
      case "." where isAddress(result, ["www"]): result += "\\."
      default: result.unicodeScalars.append(scalar)
      }
    }
    return withoutListMark(result)
  }

  private static func isAddress(_ text: String, _ beginnings: [String]) -> Bool {
    let word = text.suffix(5).lowercased()
    return beginnings.contains { word.hasSuffix($0) }
  }

  /// Escapes a beginning that would make the line a heading, an item of a list or a rule.
  private static func withoutListMark(_ text: String) -> String {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    let marks = digits.isEmpty ? "#+-=" : ".)"
    guard let first = rest.first, marks.contains(first) else { return text }
    return "\(digits)\\\(rest)"
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: { $0.isNewline || $0.isWhitespace }).joined(separator: " ")
  }
}

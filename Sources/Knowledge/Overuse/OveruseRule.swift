// SPDX-License-Identifier: Apache-2.0

/// The days of a month from which a headache medicine can itself cause headaches.
public struct OveruseRule: Sendable, Hashable {
  /// The uses of a medicine to which a rule applies.
  public enum Use: String, Sendable, Hashable {
    /// It is taken for headaches only, so the rule always applies.
    case headache
    /// The rule applies if the person says that they take it for headaches.
    case stated
  }

  /// The days of a month from which headache medicines of several kinds together are too much.
  public static let mixedDays = 10
  /// The ids of the sources of ``mixedDays``.
  public static let mixedSources = ["W29"]

  /// The identifier, such as `triptans`.
  public let id: String
  /// The uses to which the rule applies.
  public let use: Use
  /// The days of a month from which the sources speak of overuse.
  public let days: Int
  /// The ids of the sources.
  public let sources: [String]
  /// The certainty about the content of the sources.
  public let facts: FactsStatus
  /// The reviewer of the line.
  public let review: Review
  /// The normalised words that identify the medicine.
  let names: [String]
  let codes: Set<String>

  static func rules(in content: String, noting note: (Int, String) -> Void) -> [OveruseRule] {
    ContentBlock.blocks(in: content, noting: note).compactMap { block in
      let sources = block.list("sources", separator: ",")
      let names = block.list("names", separator: ";").map(NameNormalizer.normalised)
      guard let days = block["days"].flatMap({ Int($0) }), (2...31).contains(days),
        let use = block["use"].flatMap(Use.init(rawValue:)),
        let facts = block["facts"].flatMap(FactsStatus.init(rawValue:)),
        let review = block["review"].flatMap(Review.init(text:)), !names.isEmpty, !sources.isEmpty
      else {
        note(block.line, "\(block.name): something is missing or not understood")
        return nil
      }
      return OveruseRule(
        id: block.name, use: use, days: days, sources: sources, facts: facts, review: review,
        names: names, codes: Set(block.list("codes", separator: ";")))
    }
  }
}

extension Handbook {
  /// The maximum number of characters of a name that are compared.
  private static let longestOveruseName = 300

  /// Returns the rule with the fewest days for a medicine; nil if none is listed.
  ///
  /// - Parameters:
  ///   - names: the name of the medicine, and those of its ingredients.
  ///   - codes: its ATC codes.
  public func overuseRule(names: [String], codes: [String]) -> OveruseRule? {
    let texts = names.map { name in
      NameNormalizer.normalised(String(name.unicodeScalars.prefix(Self.longestOveruseName)))
    }
    func isNamed(_ candidate: String) -> Bool {
      // Thai has no spaces between words.
      let isLatin = candidate.utf8.allSatisfy { $0 < 0x80 }
      return texts.contains { text in
        isLatin ? " \(text) ".contains(" \(candidate) ") : text.contains(candidate)
      }
    }
    return overuseRules.filter { rule in
      !rule.codes.isDisjoint(with: codes) || rule.names.contains(where: isNamed)
    }.min { ($0.days, $0.use.rawValue) < ($1.days, $1.use.rawValue) }
  }
}

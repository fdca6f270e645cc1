// SPDX-License-Identifier: Apache-2.0

/// The maximum frequency of a medicine that is dangerous when taken more often, such as weekly or in cycles.
public struct FrequencyRule: Sendable, Hashable {
  /// The identifier, such as `methotrexate`.
  public let id: String
  /// The medicine's name as written in the list.
  public let name: String
  /// The maximum number of doses within ``days``.
  public let doses: Int
  /// The number of consecutive days that the rule covers.
  public let days: Int
  /// The smallest dose that the rule applies to, in milligrams; nil for any dose.
  public let fromMilligrams: Double?
  /// The dose in milligrams from which the rule no longer applies; nil for none.
  public let belowMilligrams: Double?
  /// The smallest dose that the rule applies to, in international units; nil if units do not matter.
  public let fromUnits: Double?
  /// The ids of the sources.
  public let sources: [String]
  /// The certainty about the content of the sources.
  public let facts: FactsStatus
  /// The reviewer of the line.
  public let review: Review
  /// The normalised words that identify the medicine.
  let names: [String]
  let codes: Set<String>
  /// The plan forms that the rule applies to; empty for all.
  let forms: Set<String>
  let otherForms: Set<String>
  let otherWords: [String]

  static func rules(in content: String, noting note: (Int, String) -> Void) -> [FrequencyRule] {
    ContentBlock.blocks(in: content, noting: note).compactMap { block in
      let written = block.list("names", separator: ";")
      let names = written.map(NameNormalizer.normalised)
      let sources = block.list("sources", separator: ",")
      func number(_ key: String) -> Double? { block[key].flatMap { Double($0) } }
      guard let doses = block["doses"].flatMap({ Int($0) }), (1...100).contains(doses),
        let days = block["days"].flatMap({ Int($0) }), (2...200).contains(days),
        let facts = block["facts"].flatMap(FactsStatus.init(rawValue:)),
        let review = block["review"].flatMap(Review.init(text:)),
        let name = written.first, !sources.isEmpty,
        ["from-mg", "below-mg", "from-iu"].allSatisfy({ block[$0] == nil || number($0) != nil })
      else {
        note(block.line, "\(block.name): something is missing or not understood")
        return nil
      }
      return FrequencyRule(
        id: block.name, name: name, doses: doses, days: days,
        fromMilligrams: number("from-mg"), belowMilligrams: number("below-mg"),
        fromUnits: number("from-iu"), sources: sources, facts: facts, review: review,
        names: names, codes: Set(block.list("codes", separator: ";")),
        forms: Set(block.list("forms", separator: ";")),
        otherForms: Set(block.list("not-forms", separator: ";")),
        otherWords: block.list("not-words", separator: ";").map(NameNormalizer.normalised))
    }
  }

  /// The average number of doses a day; the lowest is the strictest.
  private var rate: Double { Double(doses) / Double(days) }

  /// Returns true if the rule applies to a dose; nil if the dose decides and is not known.
  private func applies(milligrams: Double?, units: Double?) -> Bool? {
    if let fromUnits, let units { return units >= fromUnits }
    if fromMilligrams == nil && belowMilligrams == nil && fromUnits == nil { return true }
    if let milligrams {
      return milligrams >= (fromMilligrams ?? 0) && milligrams < (belowMilligrams ?? .infinity)
    }
    // Vitamin D is usually taken daily in small doses: only a known large dose raises a question.
    return fromUnits == nil ? nil : false
  }

  /// Returns the strictest of the rules that apply to one medicine.
  ///
  /// If the dose is not known, rules for any dose count, and without one the least strict of the
  /// rules for some doses.
  static func strictest(
    _ rules: [FrequencyRule], milligrams: Double?, units: Double?
  ) -> FrequencyRule? {
    let certain = rules.filter { $0.applies(milligrams: milligrams, units: units) == true }
    if let strictest = certain.min(by: { $0.rate < $1.rate }) { return strictest }
    let possible = rules.filter { $0.applies(milligrams: milligrams, units: units) == nil }
    return possible.max { $0.rate < $1.rate }
  }
}

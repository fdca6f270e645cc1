// SPDX-License-Identifier: Apache-2.0

/// The measure that selects a row of a dose table.
public enum DoseMeasure: String, Sendable, Hashable {
  case ageMonths = "age-months"
  case kilograms = "weight-kg"
  case pounds = "weight-lb"
}

/// A row of a dose table.
public struct DoseTableRow: Sendable, Hashable {
  /// The start of the row, in thousandths of the table's measure.
  public let from: Int
  /// The end of the row, exclusive; nil for none.
  public let below: Int?
  /// The minimum amount.
  public let least: IngredientMass
  /// The maximum amount.
  public let most: IngredientMass
  /// The maximum number of doses in 24 hours.
  public let doses: Int
  /// The weight in grams that the child must exceed; nil for none.
  public let heavierThan: Int?
  /// True if the child must have been born after 37 weeks.
  public let needsTerm: Bool
  /// The ids of the sources.
  public let sources: [String]
  /// The certainty about the content of the source.
  public let facts: FactsStatus

  func holds(_ value: Int) -> Bool { value >= from && below.map { value < $0 } ?? true }
}

/// The doses of one ingredient under the rules of one region, as stated by the source.
public struct DoseTable: Sendable, Hashable {
  /// The identifier, such as `paracetamol-uk-120`.
  public let id: String
  /// The version, which increases with every change; an approval covers only one version.
  public let version: Int
  /// The ingredient, by its international name.
  public let ingredient: String
  /// The region whose rules apply.
  public let region: Region
  /// The measure that selects a row.
  public let measure: DoseMeasure
  /// The strengths that the table covers.
  public let strengths: [LiquidStrength]
  /// The minimum age in months.
  public let fromMonths: Int
  /// The minimum time between two doses, in hours.
  public let hours: Int
  /// The daily maximum per kilogram.
  public let dayPerKilogram: IngredientMass?
  /// The daily maximum regardless of the weight.
  public let dayInAll: IngredientMass?
  /// The sources of the daily maximum.
  public let daySources: [String]
  /// The ids of the sources.
  public let sources: [String]
  /// The certainty about the content of the source.
  public let facts: FactsStatus
  /// The rows, which do not overlap.
  public let rows: [DoseTableRow]

  /// True if everything in it was read in its source, so that nothing is marked for the approver.
  public var isReRead: Bool { facts == .read && rows.allSatisfy { $0.facts == .read } }

  static func tables(in content: String, noting note: (Int, String) -> Void) -> [DoseTable] {
    var seen: Set<String> = []
    return ContentBlock.blocks(in: content, noting: note).compactMap { block in
      guard let table = DoseTable(block, noting: note) else {
        note(block.line, "\(block.name): something is missing or not understood")
        return nil
      }
      if !seen.insert(table.id).inserted { note(block.line, "\(table.id) appears twice") }
      return table
    }
  }

  private init?(_ block: ContentBlock, noting note: (Int, String) -> Void) {
    let sources = block.list("sources", separator: ",")
    let listed = block.list("strengths", separator: ";")
    let strengths = listed.compactMap { LiquidStrength(text: $0) }
    guard let version = block["version"].flatMap({ Int($0) }), version > 0,
      let ingredient = block["ingredient"],
      let region = block["region"].flatMap(Region.init(rawValue:)),
      let measure = block["by"].flatMap(DoseMeasure.init(rawValue:)),
      let hours = block["hours"].flatMap({ Int($0) }), hours > 0,
      let doses = block["doses"].flatMap({ Int($0) }), doses > 0,
      let facts = block["facts"].flatMap(FactsStatus.init(rawValue:)),
      !sources.isEmpty, !listed.isEmpty, strengths.count == listed.count
    else { return nil }
    id = block.name
    self.version = version
    self.ingredient = ingredient
    self.region = region
    self.measure = measure
    self.strengths = strengths
    self.hours = hours
    self.sources = sources
    self.facts = facts
    fromMonths = block["from-months"].flatMap { Int($0) } ?? 0
    dayPerKilogram = block["day-mg-per-kg"].flatMap { thousandths($0) }
      .map { IngredientMass(micrograms: $0) }
    dayInAll = block["day-mg"].flatMap { thousandths($0) }.map { IngredientMass(micrograms: $0) }
    daySources = block.list("day-sources", separator: ",")
    var end: Int? = 0
    var rows: [DoseTableRow] = []
    for (line, text) in block.rows {
      guard let row = DoseTableRow(text, doses: doses, sources: sources, facts: facts) else {
        note(line, "\(block.name): row not understood: \(text)")
        continue
      }
      if end.map({ row.from < $0 }) ?? true { note(line, "\(block.name): rows overlap") }
      if strengths.contains(where: {
        $0.volume(of: row.least) == nil || $0.volume(of: row.most) == nil
      }) {
        note(line, "\(block.name): a dose is no exact volume of every strength")
      }
      end = row.below
      rows.append(row)
    }
    if rows.isEmpty { return nil }
    if (dayPerKilogram != nil || dayInAll != nil) && daySources.isEmpty {
      note(block.line, "\(block.name): the day's maximum has no source")
    }
    self.rows = rows
  }
}

extension DoseTableRow {
  /// Reads `FROM TO LEAST-MG MOST-MG` and optional `key=value` parts.
  fileprivate init?(_ text: String, doses: Int, sources: [String], facts: FactsStatus) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count >= 4, let from = thousandths(words[0]),
      let least = thousandths(words[2]), let most = thousandths(words[3]), 0 < least, least <= most
    else { return nil }
    let below = thousandths(words[1])
    guard below != nil || words[1] == "-", below.map({ $0 > from }) ?? true else { return nil }
    var options: [Substring: String] = [:]
    for word in words.dropFirst(4) {
      let halves = word.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { return nil }
      options[halves[0]] = String(halves[1])
    }
    self.from = from
    self.below = below
    self.least = IngredientMass(micrograms: least)
    self.most = IngredientMass(micrograms: most)
    self.doses = options["doses"].flatMap { Int($0) } ?? doses
    heavierThan = options["over-kg"].flatMap { thousandths($0) }
    needsTerm = options["term"] == "yes"
    self.sources = options["sources"].map { $0.split(separator: ",").map(String.init) } ?? sources
    self.facts = options["facts"].flatMap(FactsStatus.init(rawValue:)) ?? facts
    let known: Set<Substring> = ["doses", "over-kg", "term", "sources", "facts"]
    if !known.isSuperset(of: options.keys) { return nil }
  }
}

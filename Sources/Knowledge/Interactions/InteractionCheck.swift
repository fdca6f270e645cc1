// SPDX-License-Identifier: Apache-2.0
import Localization

/// A warning to show before and while medicines are taken.
public struct InteractionWarning: Sendable, Hashable {
  /// The kind of the warning.
  public enum Kind: String, CaseIterable, Sendable, Hashable {
    /// Two medicines.
    case drug
    /// One ingredient in two products.
    case duplicate
    /// A recorded allergy or intolerance.
    case allergy
    /// A medicine in the same group as a recorded allergy.
    case group
    /// A recorded illness or condition of the person.
    case condition
    case food, herb
    /// Advice that applies to everyone who takes it.
    case advice
  }

  /// The kind of the warning.
  public let kind: Kind
  /// The severity.
  public let severity: InteractionSeverity
  /// The ids of the medicines; of two different ones, the row's first side comes first.
  public let substances: [String]
  /// The subject that is not a medicine of the list: the shared ingredient, the allergy, or the food in
  /// English.
  public let subject: String
  /// The row of the list; nil if the warning needs none.
  public let interaction: Interaction?
  /// The group of medicines of an allergy.
  public let group: AllergyGroup?

  /// The key under which a person acknowledges the warning.
  ///
  /// A row with a higher severity than before is a new warning.
  public var key: String {
    let what = interaction?.id ?? group?.id ?? ""
    let about =
      [.duplicate, .allergy, .group].contains(kind) ? NameNormalizer.normalised(subject) : ""
    return ([kind.rawValue, what, about, severity.rawValue] + substances.sorted())
      .joined(separator: "|")
  }

  /// True if it is shown before a medicine is saved, and not only next to it.
  public var comesFirst: Bool {
    switch kind {
    case .drug, .condition: severity < .minor
    case .duplicate, .allergy, .group: true
    case .food, .herb: severity <= .severe
    case .advice: false
    }
  }
}

/// The findings of the list about medicines that are taken together.
public struct InteractionReport: Sendable, Hashable {
  /// The warnings, the most serious first.
  public var warnings: [InteractionWarning] = []
  /// The ids of medicines that the list does not know.
  public var unlisted: [String] = []
  /// The ids of medicines of which the list knows only a part.
  public var incomplete: [String] = []
  /// The allergies that the list does not know, as the person typed them.
  public var unlistedAllergies: [String] = []
  /// The number of pairs of medicines that the list does not cover.
  public var silentPairs = 0

  /// Returns the findings about one of the medicines.
  public func about(_ substance: String) -> InteractionReport {
    var report = self
    report.warnings = warnings.filter { $0.substances.contains(substance) }
    report.unlisted = unlisted.filter { $0 == substance }
    report.incomplete = incomplete.filter { $0 == substance }
    return report
  }

  /// Returns ``about(_:)`` for each of some medicines, with only one pass over the warnings.
  public func about(each substances: [String]) -> [InteractionReport] {
    var found: [String: [InteractionWarning]] = [:]
    for warning in warnings {
      for substance in Set(warning.substances) { found[substance, default: []].append(warning) }
    }
    return substances.map { substance in
      var report = self
      report.warnings = found[substance] ?? []
      report.unlisted = unlisted.filter { $0 == substance }
      report.incomplete = incomplete.filter { $0 == substance }
      return report
    }
  }
}

/// The required time between two medicines, in hours.
public struct Spacing: Sendable, Hashable {
  /// The hours from the first, taken earlier, to the second; nil if none are known for this order.
  public var firstThenSecond: Double?
  /// The hours from the second, taken earlier, to the first; nil if none are known for this order.
  public var secondThenFirst: Double?
  /// The severity if they are not kept apart.
  public var severity: InteractionSeverity
  /// The rows that require it.
  public var rows: [String]
}

extension InteractionList {
  /// Checks medicines against each other and against the data about a person.
  ///
  /// An empty result never means that they are safe.
  ///
  /// - Parameter conditions: such as `cond:asthma`.
  public func check(
    _ substances: [Substance], conditions: Set<String> = [], allergies: [KnownAllergy] = []
  ) -> InteractionReport {
    var report = InteractionReport()
    let sides = substances.map(index.rows)
    for (number, substance) in substances.enumerated() {
      if !substance.isKnown { report.unlisted.append(substance.id) }
      if substance.isKnown && !substance.isComplete { report.incomplete.append(substance.id) }
      report.warnings += alone(substance, sides[number].first, conditions)
      for allergy in allergies {
        if let warning = Self.warning(substance, allergy) { report.warnings.append(warning) }
      }
      for other in substances.indices.dropFirst(number + 1) {
        if let found = together(substance, sides[number], substances[other], sides[other]) {
          report.warnings.append(found)
        } else {
          report.silentPairs += 1
        }
      }
    }
    report.unlistedAllergies = allergies.filter { !$0.isKnown }.map(\.name)
    // Each key is created once, because a file of many prescriptions has thousands of warnings.
    report.warnings = report.warnings.map { (warning: $0, key: $0.key) }
      .sorted { ($0.warning.severity, $0.key) < ($1.warning.severity, $1.key) }.map(\.warning)
    return report
  }

  /// Returns the hours between two medicines, by every row that names a time; nil if none does.
  public func spacing(between first: Substance, and second: Substance) -> Spacing? {
    spacing(index.rows(of: first), index.rows(of: second))
  }

  // MARK: Pairs

  typealias Sides = (first: InteractionIndex.Rows, second: InteractionIndex.Rows)

  /// Returns the single warning for a pair: the strictest in the list.
  ///
  /// Two different pieces of advice for one pair would leave the choice to the person. Among equally strict
  /// rows, a shared ingredient comes first, then the row that names the two most specifically.
  private func together(
    _ one: Substance, _ ones: Sides, _ other: Substance, _ others: Sides
  ) -> InteractionWarning? {
    let forward = InteractionIndex.common(ones.first, others.second)
    let backward = InteractionIndex.common(ones.second, others.first)
      .filter { !forward.contains($0) }
    let shared = one.contents.filter { other.contents.contains($0) }
    var strictest: (warning: InteractionWarning, fit: Int)?
    func consider(_ warning: InteractionWarning, fit: Int) {
      if let known = strictest,
        (known.warning.severity, -known.fit) <= (warning.severity, -fit)
      {
        return
      }
      strictest = (warning, fit)
    }
    if !shared.isEmpty {
      let row = (forward + backward).first { interactions[$0].isDuplicate }
      consider(
        InteractionWarning(
          kind: .duplicate, severity: row.map { interactions[$0].severity } ?? .severe,
          substances: [one.id, other.id], subject: shared.joined(separator: ", "),
          interaction: row.map { interactions[$0] }, group: nil), fit: .max)
    }
    for (numbers, pair) in [(forward, (one, other)), (backward, (other, one))] {
      for number in numbers where shared.isEmpty || !interactions[number].isDuplicate {
        let row = interactions[number]
        consider(
          InteractionWarning(
            kind: .drug, severity: row.severity, substances: [pair.0.id, pair.1.id], subject: "",
            interaction: row, group: nil),
          fit: Self.fit(row.firstCodes, pair.0) + Self.fit(row.secondCodes, pair.1))
      }
    }
    return strictest?.warning
  }

  /// Returns the length of the longest code on a row's side that matches a medicine's codes.
  private static func fit(_ codes: [String], _ substance: Substance) -> Int {
    codes.filter { code in substance.codes.contains { $0.hasPrefix(code) } }
      .map(\.utf8.count).max() ?? 0
  }

  // MARK: Single medicines

  private func alone(
    _ substance: Substance, _ rows: InteractionIndex.Rows, _ conditions: Set<String>
  ) -> [InteractionWarning] {
    InteractionIndex.numbers(rows).compactMap { number in
      let row = interactions[number]
      guard let kind = kind(of: row, conditions) else { return nil }
      return InteractionWarning(
        kind: kind, severity: row.severity, substances: [substance.id], subject: row.second,
        interaction: row, group: nil)
    }
  }

  /// Returns the kind of warning in a row about anything except another medicine; nil if it does not apply to
  /// the person.
  private func kind(of row: Interaction, _ conditions: Set<String>) -> InteractionWarning.Kind? {
    if row.others.contains(where: conditions.contains) { return .condition }
    if row.others.contains(Self.stopping) { return .advice }
    if row.others.contains(where: { $0.hasPrefix("food:") }) { return .food }
    return row.others.contains { $0.hasPrefix("herb:") } ? .herb : nil
  }

  private static func warning(
    _ substance: Substance, _ allergy: KnownAllergy
  ) -> InteractionWarning? {
    func made(
      _ kind: InteractionWarning.Kind, _ severity: InteractionSeverity, _ group: AllergyGroup?
    ) -> InteractionWarning {
      InteractionWarning(
        kind: kind, severity: severity, substances: [substance.id], subject: allergy.name,
        interaction: nil, group: group)
    }
    if substance.contents.contains(where: allergy.substance.contents.contains) {
      return made(.allergy, .contraindicated, nil)
    }
    for group in allergy.groups where substance.codes.contains(where: group.holds) {
      return made(.group, .severe, group)
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import Localization

/// The severity of an interaction, in the project's own grades, from the worst.
public enum InteractionSeverity: String, CaseIterable, Sendable, Hashable, Comparable {
  case contraindicated, severe, moderate, minor

  /// Returns true if the left severity is worse.
  public static func < (left: InteractionSeverity, right: InteractionSeverity) -> Bool {
    let order = Self.allCases
    return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
  }
}

/// The kind of a row of the list.
public enum InteractionKind: String, CaseIterable, Sendable, Hashable {
  case drug, food, herb, condition
}

/// An interaction between two medicines, or between a medicine and a food, an herb or an illness.
public struct Interaction: Sendable, Hashable {
  /// The identifier, such as `i001`.
  public let id: String
  /// The kind of the row.
  public let kind: InteractionKind
  /// The severity.
  public let severity: InteractionSeverity
  /// True if it must be confirmed before anyone relies on it.
  public let isToBeConfirmed: Bool
  /// The source of the row.
  public let citation: Source
  /// True if the operator of this server wrote it.
  public let isOwn: Bool
  /// The first side, in English: a medicine or a group of them.
  public let first: String
  /// The second side, in English.
  public let second: String
  /// The minimum number of hours from the first, taken earlier, to the second.
  public let beforeHours: Double?
  /// The minimum number of hours from the second, taken earlier, to the first.
  public let afterHours: Double?
  /// True if it states that both have the same ingredient.
  let isDuplicate: Bool
  let firstCodes: [String]
  /// The ATC codes of the second side, or their prefixes.
  let secondCodes: [String]
  /// The items on the second side that are not medicines: `food:alcohol`, `herb:st_johns_wort`,
  /// `cond:asthma`.
  let others: [String]
  let effects: [String]

  /// Returns the side of a medicine; nil for neither.
  func side(of medicine: CatalogueMedicine) -> Side? {
    if firstCodes.contains(where: { medicine.atc.hasPrefix($0) }) { return .first }
    if secondCodes.contains(where: { medicine.atc.hasPrefix($0) }) { return .second }
    return nil
  }

  enum Side { case first, second }
}

/// An interaction as shown on the page of a medicine.
public struct InteractionNote: Sendable, Hashable {
  /// The severity.
  public let severity: InteractionSeverity
  /// The other side of the interaction.
  public let other: String
  /// The effects and the advice.
  public let effects: [String]
  /// True if it must be confirmed before anyone relies on it.
  public let isToBeConfirmed: Bool
  /// The source of the row.
  public let citation: Source
}

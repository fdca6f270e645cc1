// SPDX-License-Identifier: Apache-2.0
import Localization

/// How bad it is when two things meet; the project's own grades, from the worst.
public enum InteractionSeverity: String, CaseIterable, Sendable, Hashable, Comparable {
  case contraindicated, severe, moderate, minor

  /// Whether it is worse.
  public static func < (left: InteractionSeverity, right: InteractionSeverity) -> Bool {
    let order = Self.allCases
    return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
  }
}

/// What a row of the list is about.
public enum InteractionKind: String, CaseIterable, Sendable, Hashable {
  case drug, food, herb, condition
}

/// Two things that do not go together: two medicines, or a medicine and food, an herb, an illness.
public struct Interaction: Sendable, Hashable {
  /// `i001`.
  public let id: String
  /// What the row is about.
  public let kind: InteractionKind
  /// How bad it is.
  public let severity: InteractionSeverity
  /// Whether it has to be confirmed before anybody relies on it.
  public let isToBeConfirmed: Bool
  /// Where it comes from.
  public let citation: Source
  /// Whether the operator of this server wrote it.
  public let isOwn: Bool
  /// The first side, in English: a medicine or a group of them.
  public let first: String
  /// The second side, in English.
  public let second: String
  /// The least number of hours from the first, taken earlier, to the second.
  public let beforeHours: Double?
  /// The least number of hours from the second, taken earlier, to the first.
  public let afterHours: Double?
  /// Whether it says that both hold the same ingredient.
  let isDuplicate: Bool
  let firstCodes: [String]
  /// The ATC codes of the second side, or their beginnings.
  let secondCodes: [String]
  /// What is no medicine on the second side: `food:alcohol`, `herb:st_johns_wort`, `cond:asthma`.
  let others: [String]
  let effects: [String]

  /// Whether a medicine is on the first side, on the second, or on neither.
  func side(of medicine: CatalogueMedicine) -> Side? {
    if firstCodes.contains(where: { medicine.atc.hasPrefix($0) }) { return .first }
    if secondCodes.contains(where: { medicine.atc.hasPrefix($0) }) { return .second }
    return nil
  }

  enum Side { case first, second }
}

/// An interaction as it is told on the page of a medicine.
public struct InteractionNote: Sendable, Hashable {
  /// How bad it is.
  public let severity: InteractionSeverity
  /// What the medicine does not go with.
  public let other: String
  /// What happens and what to do.
  public let effects: [String]
  /// Whether it has to be confirmed before anybody relies on it.
  public let isToBeConfirmed: Bool
  /// Where it comes from.
  public let citation: Source
}

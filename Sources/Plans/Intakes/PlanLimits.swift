// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// The most that a plan allows, as it is asked about before an intake is recorded.
///
/// Kept as one text beside the plan, so that an answer never parses the prescription.
package struct PlanLimits: Sendable, Hashable, Codable {
  /// So many doses within so long a time, wherever that time begins.
  package struct Count: Sendable, Hashable, Codable {
    package let most: Int
    package let milliseconds: Int64
  }

  /// So much within so long a time, wherever that time begins.
  package struct Quantity: Sendable, Hashable, Codable {
    /// A decimal as written.
    package let value: String
    package let unit: String
    package let code: String?
    package let milliseconds: Int64

    package var amount: Amount { Amount(stored: value, unit: unit, code: code) }
  }

  /// What one unit of the dose holds, such as 500 mg in a tablet.
  package struct Strength: Sendable, Hashable, Codable {
    package let value: String
    package let unit: String
    package let code: String?
    package let perValue: String
    package let perUnit: String
    package let perCode: String?
  }

  /// Milliseconds from one intake to the next; stated by as-needed dosages alone.
  package var gap: Int64?
  package var counts: [Count] = []
  package var amounts: [Quantity] = []
  /// On how many days of a calendar month, on the person's own clock.
  package var days: Int?
  var doseValue: String?
  var doseUnit: String?
  var doseCode: String?
  package var strength: Strength?

  /// What one intake counts as where it states no amount itself.
  package var dose: Amount? {
    get { doseValue.map { Amount(stored: $0, unit: doseUnit ?? "", code: doseCode) } }
    set {
      doseValue = newValue?.value
      doseUnit = newValue?.unit
      doseCode = newValue?.code
    }
  }

  /// Whether something is limited besides the gap, which plans keep for themselves.
  package var isLimiting: Bool { !counts.isEmpty || !amounts.isEmpty || days != nil }

  /// Whether it says anything at all: what a dose holds counts too, for the limits of other plans.
  var isEmpty: Bool { gap == nil && !isLimiting && strength == nil && doseValue == nil }

  /// How far from an intake others count with it, in milliseconds: a month at most, or the longest time.
  package var reach: Int64 {
    let longest = (counts.map(\.milliseconds) + amounts.map(\.milliseconds)).max() ?? 0
    return max(longest, days == nil ? 0 : Self.month, gap ?? 0)
  }

  private static let month: Int64 = 32 * 24 * 3_600_000

  /// The text that is kept.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Numbers and texts alone: nothing in it can fail to be written.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads what ``text`` writes; nil for anything else.
  package init?(text: String) {
    guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = read
  }

  /// No limits yet.
  package init() {}
}

/// How much, in the unit of its kind: milligrams, millilitres, or the thing counted.
package struct Measure: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case mass, volume
    /// The raw value of a `DoseUnit`.
    case unit(String)
    /// A sender's own word.
    case word(String)
  }

  package let kind: Kind
  package let value: Decimal

  init(kind: Kind, value: Decimal) {
    self.kind = kind
    self.value = value
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// The limits that a plan states, checked before an intake is recorded.
///
/// Stored as one text next to the plan, so that an answer never parses the prescription.
package struct PlanLimits: Sendable, Hashable, Codable {
  /// A maximum number of doses within any stretch of a given length.
  package struct Count: Sendable, Hashable, Codable {
    /// The maximum number of doses.
    package let most: Int
    /// The length of the stretch in milliseconds.
    package let milliseconds: Int64
  }

  /// A maximum amount within any stretch of a given length.
  package struct Quantity: Sendable, Hashable, Codable {
    /// The maximum, a decimal as written.
    package let value: String
    /// The unit as written.
    package let unit: String
    /// The unit's code; nil if it has none.
    package let code: String?
    /// The length of the stretch in milliseconds.
    package let milliseconds: Int64

    /// The maximum as an amount.
    package var amount: Amount { Amount(stored: value, unit: unit, code: code) }
  }

  /// The content of one unit of the dose, such as 500 mg in a tablet.
  package struct Strength: Sendable, Hashable, Codable {
    /// The content, a decimal as written, such as "500".
    package let value: String
    /// The unit of the content as written, such as "mg".
    package let unit: String
    /// The code of the content's unit; nil if it has none.
    package let code: String?
    /// The number of units that hold the content, a decimal as written, such as "1".
    package let perValue: String
    /// The unit that holds the content as written, such as "tablet".
    package let perUnit: String
    /// The code of the unit that holds the content; nil if it has none.
    package let perCode: String?
  }

  /// The least time between two intakes in milliseconds; only as-needed dosages state it.
  package var gap: Int64?
  /// The limits on the number of doses; every one applies.
  package var counts: [Count] = []
  /// The limits on the amount; every one applies.
  package var amounts: [Quantity] = []
  /// The maximum number of days with an intake in a calendar month, in the person's own time zone;
  /// nil for no limit.
  package var days: Int?
  var doseValue: String?
  var doseUnit: String?
  var doseCode: String?
  /// The strength of the medicine; nil unless the request states exactly one.
  package var strength: Strength?

  /// The amount that an intake counts as if it states none itself.
  package var dose: Amount? {
    get { doseValue.map { Amount(stored: $0, unit: doseUnit ?? "", code: doseCode) } }
    set {
      doseValue = newValue?.value
      doseUnit = newValue?.unit
      doseCode = newValue?.code
    }
  }

  /// True if a number, an amount or days are limited; the gap does not count.
  package var isLimiting: Bool { !counts.isEmpty || !amounts.isEmpty || days != nil }

  /// True if the plan states nothing; the content of a dose counts as a statement, because other plans'
  /// limits use it.
  var isEmpty: Bool { gap == nil && !isLimiting && strength == nil && doseValue == nil }

  /// The distance in milliseconds within which intakes count together: the longest stretch or gap,
  /// and 32 days if days of a month are limited.
  package var reach: Int64 {
    let longest = (counts.map(\.milliseconds) + amounts.map(\.milliseconds)).max() ?? 0
    return max(longest, days == nil ? 0 : Self.month, gap ?? 0)
  }

  private static let month: Int64 = 32 * 24 * 3_600_000

  /// The JSON that is stored.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Cannot fail: it encodes only numbers and strings.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads the JSON that is stored; nil for anything else.
  package init?(text: String) {
    guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = read
  }

  /// Creates limits that limit nothing.
  package init() {}
}

/// An amount in the standard unit of its kind: milligrams, millilitres, or pieces.
package struct Measure: Sendable, Hashable {
  /// A kind of unit.
  ///
  /// Only measures of the same kind can be compared.
  package enum Kind: Sendable, Hashable {
    case mass, volume
    /// The raw value of a `DoseUnit`.
    case unit(String)
    /// A unit as the sender wrote it.
    case word(String)
  }

  /// The kind of unit.
  package let kind: Kind
  /// The number of milligrams, millilitres or pieces.
  package let value: Decimal

  init(kind: Kind, value: Decimal) {
    self.kind = kind
    self.value = value
  }
}

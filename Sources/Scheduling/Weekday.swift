// SPDX-License-Identifier: Apache-2.0

/// A day of the week, numbered as in ISO 8601: Monday is 1, Sunday is 7.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// Parses a code of FHIR's days-of-week value set ("mon" to "sun"); nil for any other text.
  public init?(code: String) {
    for weekday in Weekday.allCases where weekday.code.isSame(as: code) {
      self = weekday
      return
    }
    return nil
  }

  /// The code in FHIR's days-of-week value set.
  public var code: String {
    switch self {
    case .monday: "mon"
    case .tuesday: "tue"
    case .wednesday: "wed"
    case .thursday: "thu"
    case .friday: "fri"
    case .saturday: "sat"
    case .sunday: "sun"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A unit of time, by its UCUM code in FHIR.
enum TimingUnit: Hashable, Sendable {
  case second, minute, hour, day, week, month, year

  init?(code: String) {
    if code.isSame(as: "s") {
      self = .second
    } else if code.isSame(as: "min") {
      self = .minute
    } else if code.isSame(as: "h") {
      self = .hour
    } else if code.isSame(as: "d") {
      self = .day
    } else if code.isSame(as: "wk") {
      self = .week
    } else if code.isSame(as: "mo") {
      self = .month
    } else if code.isSame(as: "a") {
      self = .year
    } else {
      return nil
    }
  }

  /// The unit in elapsed milliseconds; nil for calendar units.
  var milliseconds: Int64? {
    switch self {
    case .second: 1_000
    case .minute: 60_000
    case .hour: 3_600_000
    case .day, .week, .month, .year: nil
    }
  }
}

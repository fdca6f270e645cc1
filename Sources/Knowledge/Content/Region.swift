// SPDX-License-Identifier: Apache-2.0

/// The rules of a country.
///
/// Only one set is shown at a time; they are never mixed.
public enum Region: String, CaseIterable, Sendable, Hashable {
  /// The United Kingdom.
  case uk
  /// The United States.
  case us
  /// Thailand.
  case th
}

/// The regions in which a statement, a dose table or an age limit applies.
public enum Reach: Sendable, Hashable {
  case everywhere
  case only(Region)

  init?(text: String) {
    if text == "all" {
      self = .everywhere
    } else if let region = Region(rawValue: text) {
      self = .only(region)
    } else {
      return nil
    }
  }

  /// Returns true if it applies under the rules of a region.
  public func includes(_ region: Region) -> Bool {
    switch self {
    case .everywhere: true
    case .only(let own): own == region
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans

/// The press of a button.
package struct HomeCommand: Sendable, Hashable {
  /// The button.
  package enum Press: String, Sendable, Hashable, CaseIterable {
    case taken, skip, snooze

    /// The answer that the button gives to each due dose.
    package var action: AnswerAction {
      switch self {
      case .taken: .taken
      case .skip: .skipped
      case .snooze: .later
      }
    }
  }

  /// The most bytes of a press.
  private static let mostBytes = 512
  /// The most characters of a key.
  private static let longestKey = 64

  /// The button.
  package let press: Press
  /// The doses that it answers, as the state named them.
  package let doseKey: String

  /// Creates a press.
  package init(_ press: Press, doseKey: String) {
    self.press = press
    self.doseKey = doseKey
  }

  /// Reads a payload; nil if it is not a press.
  package init?(payload: [UInt8]) {
    guard payload.count <= Self.mostBytes, let object = try? JSONValue(parsing: payload),
      let press = object["press"]?.string.flatMap(Press.init(rawValue:)),
      let key = object["dose_key"]?.string, !key.isEmpty, key.utf8.count <= Self.longestKey
    else { return nil }
    self.press = press
    doseKey = key
  }
}

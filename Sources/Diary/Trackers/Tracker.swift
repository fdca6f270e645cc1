// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The kind of answer that a tracker takes.
package enum TrackerShape: Sendable, Hashable {
  /// A whole number from 0 to 10.
  case score
  case yesNo
  /// A number in one of some units; the first one is canonical.
  case measurement([DiaryUnit])
  /// A number in a unit that the person named, which may be empty.
  case number(unit: String)
  /// Two blood pressures in mmHg.
  case pressure
  case text
  /// Words, with a strength from 0 to 10.
  case gradedText

  /// The scores of a score and of a strength.
  package static let scores = 0...10

  /// The name of the kind, as pages and programs are told.
  package var kind: String {
    switch self {
    case .score: "score"
    case .yesNo: "yes-no"
    case .measurement, .number: "number"
    case .pressure: "pressure"
    case .text: "text"
    case .gradedText: "graded-text"
    }
  }

  /// True if its values can be drawn.
  package var isDrawn: Bool {
    switch self {
    case .score, .measurement, .number, .pressure: true
    case .yesNo, .text, .gradedText: false
    }
  }
}

/// The scale of a person's own tracker, as it is stored.
package enum OwnScale: String, Sendable, Hashable, CaseIterable {
  case score
  case yesNo = "yes-no"
  case number, text
}

/// Something that a person writes down again and again.
package struct Tracker: Sendable, Hashable {
  /// The standard tracker that it is; nil for a person's own.
  package let standard: StandardTracker?
  /// The identifier.
  package let id: TrackerID
  /// The name of an own tracker; empty for a standard one, whose name is translated.
  package let name: String
  /// The kind of answer.
  package let shape: TrackerShape
  /// The unit used last; nil for a tracker that was not used yet, and for those without a choice.
  package var unit: DiaryUnit?
  /// True if it is listed first: it is the person's own, or was used and not put away.
  package var isMine: Bool

  /// Creates a standard tracker.
  package init(_ standard: StandardTracker, unit: DiaryUnit? = nil, isMine: Bool = false) {
    self.standard = standard
    id = standard.id
    name = ""
    shape = standard.shape
    self.unit = unit
    self.isMine = isMine
  }

  /// Creates an own tracker.
  package init(own id: TrackerID, name: String, scale: OwnScale, unit: String) {
    standard = nil
    self.id = id
    self.name = name
    shape =
      switch scale {
      case .score: .score
      case .yesNo: .yesNo
      case .number: .number(unit: unit)
      case .text: .text
      }
    self.unit = nil
    isMine = true
  }

  /// The units that can be chosen; empty if there is no choice.
  package var units: [DiaryUnit] {
    guard case .measurement(let units) = shape else { return [] }
    return units
  }

  /// True if a reminder to enter a value makes sense.
  package var canRemind: Bool { standard?.canRemind ?? true }
}

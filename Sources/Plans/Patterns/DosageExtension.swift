// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling

/// An extension of a Dosage written by Regimen for what R4 has no element for; see docs/plans.md.
package enum DosageExtension: String, Sendable, CaseIterable {
  /// The tablets that one dose is made of.
  case mix = "urn:regimen:mix"
  /// A number of doses with a minimum distance, between two times of day; `timeOfDay` states the
  /// times.
  case spread = "urn:regimen:spread"
  /// Hours counted from the dose that was actually taken.
  case afterIntake = "urn:regimen:after-intake"
  case limits = "urn:regimen:limits"

  /// The extensions that affect the times.
  static let ofTimes: [DosageExtension] = [.spread, .afterIntake]

  /// Returns the extension in a dosage.
  func of(_ dosage: DosageView) -> JSONValue? {
    dosage.json["extension"]?.array?.first { $0["url"]?.string == rawValue }
  }

  /// Returns a dosage without these extensions, for sentences that express them in another way.
  package static func without(_ dosage: DosageView) -> DosageView {
    guard let extensions = dosage.json["extension"]?.array else { return dosage }
    let own = Set(allCases.map(\.rawValue))
    var json = dosage.json
    let others = extensions.filter { !own.contains($0["url"]?.string ?? "") }
    json["extension"] = others.isEmpty ? nil : .array(others)
    return DosageView(json)
  }
}

extension DayWindow {
  static let fromPart = "from"
  static let untilPart = "until"

  /// The parts of the extension.
  var elements: [JSONValue] {
    [
      ["url": .string(Self.fromPart), "valueTime": .string(from.text)],
      ["url": .string(Self.untilPart), "valueTime": .string(until.text)],
    ]
  }

  /// Reads the window from an extension.
  init?(_ element: JSONValue) {
    func time(_ name: String) -> ClockTime? {
      element["extension"]?.array?.first { $0["url"]?.string == name }?["valueTime"]?.string
        .flatMap { ClockTime(text: $0) }
    }
    guard let from = time(Self.fromPart), let until = time(Self.untilPart) else { return nil }
    self.init(from: from, until: until)
  }
}

/// The contents of the extension for spread doses.
package struct StatedSpread: Sendable, Hashable {
  private static let countPart = "count"
  private static let gapPart = "hours"

  /// The number of doses a day, 1 to 24.
  package let count: Int
  /// The least time between two doses in hours, 1 to 23.
  package let gapHours: Int
  /// The part of the day in which the doses fall.
  package let window: DayWindow

  /// Reads the extension of a dosage; nil if there is none or it cannot be read.
  package init?(_ dosage: DosageView) {
    guard let own = DosageExtension.spread.of(dosage), let window = DayWindow(own) else {
      return nil
    }
    func number(_ name: String) -> Int? {
      own["extension"]?.array?.first { $0["url"]?.string == name }?["valuePositiveInt"]?.number?
        .integer
    }
    guard let count = number(Self.countPart), let gap = number(Self.gapPart),
      (1...24).contains(count), (1...23).contains(gap)
    else { return nil }
    self.count = count
    gapHours = gap
    self.window = window
  }

  static func element(_ spread: DraftSpread) -> JSONValue {
    let parts: [JSONValue] = [
      ["url": .string(countPart), "valuePositiveInt": .number(JSONNumber(spread.count))],
      ["url": .string(gapPart), "valuePositiveInt": .number(JSONNumber(spread.gapHours))],
    ]
    return [
      "url": .string(DosageExtension.spread.rawValue),
      "extension": .array(parts + spread.window.elements),
    ]
  }
}

/// A schedule that counts hours from the dose that was actually taken, within waking hours if the dosage
/// states them.
package struct AfterIntake: Sendable, Hashable {
  /// The waking hours within which doses fall; nil for any time.
  package let waking: DayWindow?

  init(waking: DayWindow?) { self.waking = waking }

  /// Reads the extension of a dosage; nil if there is none or its waking hours cannot be read.
  package init?(_ dosage: DosageView) {
    guard let own = DosageExtension.afterIntake.of(dosage) else { return nil }
    waking = DayWindow(own)
    // Unreadable waking hours must not count as none.
    if waking == nil, own["extension"] != nil { return nil }
  }

  var element: JSONValue {
    var element: JSONValue = ["url": .string(DosageExtension.afterIntake.rawValue)]
    if let waking {
      element["extension"] = .array(waking.elements)
    } else {
      element["valueBoolean"] = true
    }
    return element
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling

/// A change of a medicine on a day, read from the versions of its MedicationRequest.
package struct EffectChange: Sendable, Hashable {
  /// A kind of change, in the order of importance on one day.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The day of the first dose, or of the first version without doses.
    case start
    case stop, pause, resume
    /// Another amount or strength.
    case dose
    /// Other times, with the same amounts.
    case schedule
  }

  /// A version of the request.
  package struct Version: Sendable, Hashable {
    /// The day on which it was written.
    package let day: CivilDate
    /// The request; nil for its deletion.
    package let request: JSONValue?

    /// Creates a version.
    package init(day: CivilDate, request: JSONValue?) {
      self.day = day
      self.request = request
    }
  }

  /// The day of the change.
  package let day: CivilDate
  /// The kind of change.
  package let kind: Kind

  /// Creates a change.
  package init(day: CivilDate, kind: Kind) {
    self.day = day
    self.kind = kind
  }

  /// Returns the changes, oldest first; a day has at most one of each kind.
  ///
  /// - Parameters:
  ///   - versions: the versions, oldest first.
  ///   - firstDue: the day of the very first dose; nil if there was none.
  package static func all(_ versions: [Version], firstDue: CivilDate?) -> [EffectChange] {
    var changes: [EffectChange] = []
    func add(_ day: CivilDate, _ kind: Kind) {
      let change = EffectChange(day: day, kind: kind)
      if !changes.contains(change) { changes.append(change) }
    }
    if let start = firstDue ?? versions.first?.day { add(start, .start) }
    for (earlier, later) in zip(versions, versions.dropFirst()) {
      let (old, new) = (Standing(earlier.request), Standing(later.request))
      if old != new {
        switch new {
        case .ended: add(later.day, .stop)
        case .paused: add(later.day, .pause)
        case .running where old != .draft: add(later.day, .resume)
        case .running, .draft: break
        }
      }
      guard let before = earlier.request, let after = later.request else { continue }
      if Self.amounts(before) != Self.amounts(after) {
        add(later.day, .dose)
      } else if Self.times(before) != Self.times(after) {
        add(later.day, .schedule)
      }
    }
    let order = Kind.allCases
    return changes.sorted { left, right in
      let (first, second) = (order.firstIndex(of: left.kind), order.firstIndex(of: right.kind))
      return (left.day, first ?? 0) < (right.day, second ?? 0)
    }
  }

  /// The state of a request, as far as it matters here.
  private enum Standing: Sendable, Hashable {
    case draft, running, paused, ended

    init(_ request: JSONValue?) {
      switch request?["status"]?.string {
      case "active", "unknown": self = .running
      case "on-hold": self = .paused
      case "draft": self = .draft
      default: self = .ended
      }
    }
  }

  /// The amounts and the strength of a request.
  private static func amounts(_ request: JSONValue) -> [JSONValue?] {
    (request["dosageInstruction"]?.array ?? []).map { $0["doseAndRate"] }
      + [request["medicationCodeableConcept"], request["medicationReference"]]
  }

  /// The times of a request.
  private static func times(_ request: JSONValue) -> [JSONValue?] {
    (request["dosageInstruction"]?.array ?? []).flatMap { [$0["timing"], $0["asNeededBoolean"]] }
  }
}

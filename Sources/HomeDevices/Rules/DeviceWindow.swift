// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The choice of the doses that a sign of an intake is about, by the doses' own windows: a pure value.
struct DeviceWindow: Sendable {
  /// The parts of a dose that the choice needs.
  struct Candidate: Sendable, Hashable {
    let id: DoseID
    let due: Timestamp
    /// The start of the on-time window.
    let opens: Timestamp
    /// The end of the late window.
    let ends: Timestamp
    var state: DoseState.Stored

    func holds(_ time: Timestamp) -> Bool { opens <= time && time < ends }

    func distance(_ time: Timestamp) -> Int64 {
      abs(time.milliseconds - due.milliseconds)
    }
  }

  /// The answer to the question which doses a sign is about.
  enum Choice: Sendable, Hashable {
    /// These doses are due and open.
    case open([DoseID])
    /// The doses of this time were taken.
    case taken([DoseID])
    /// The doses of this time were skipped or refused.
    case answered([DoseID])
    /// The next dose is not due yet.
    case early([DoseID])
    /// The last dose was not answered in its time.
    case over([DoseID])
    case nothing
  }

  /// The milliseconds by which doses that are taken together may be due apart.
  private static let together: Int64 = 30 * 60_000
  /// The milliseconds before a dose in which a sign is about it, although its window has not begun.
  private static let ahead: Int64 = 24 * 3_600_000
  /// The milliseconds after a dose in which a sign is about it, although its window is over.
  private static let behind: Int64 = 12 * 3_600_000

  /// The doses of the time around the signs, of any medicine.
  var candidates: [Candidate]

  /// Returns the doses that a sign is about.
  ///
  /// - Parameter plan: The only medicine of the compartment; nil for any.
  func choice(at time: Timestamp, plan: PlanID?) -> Choice {
    let known = candidates.filter {
      (plan == nil || $0.id.plan == plan) && $0.state != .cancelled && $0.state != .withheld
    }
    // Of each medicine the dose nearest to the sign, so that yesterday's missed dose is not answered instead of one
    // that was just taken.
    var nearest: [PlanID: Candidate] = [:]
    for dose in known where dose.holds(time) {
      let other = nearest[dose.id.plan]
      if other.map({ dose.distance(time) < $0.distance(time) }) ?? true {
        nearest[dose.id.plan] = dose
      }
    }
    let byDistance = nearest.values.sorted {
      ($0.distance(time), $0.id.text) < ($1.distance(time), $1.id.text)
    }
    guard let first = byDistance.first else { return outside(time, known) }
    let group = byDistance.filter {
      abs($0.due.milliseconds - first.due.milliseconds) <= Self.together
    }
    let open = group.filter { $0.state == .open }
    if !open.isEmpty { return .open(open.map(\.id)) }
    let taken = group.filter { $0.state == .taken }
    return taken.isEmpty ? .answered(group.map(\.id)) : .taken(taken.map(\.id))
  }

  /// Returns the choice for a sign outside every window.
  private func outside(_ time: Timestamp, _ known: [Candidate]) -> Choice {
    let open = known.filter { $0.state == .open }
    let last = open.filter { $0.ends <= time && $0.distance(time) <= Self.behind }
      .min { ($0.distance(time), $0.id.text) < ($1.distance(time), $1.id.text) }
    let next = open.filter { $0.due > time && $0.distance(time) <= Self.ahead }
      .min { ($0.distance(time), $0.id.text) < ($1.distance(time), $1.id.text) }
    switch (last, next) {
    case (let last?, let next?):
      return last.distance(time) <= next.distance(time) ? .over([last.id]) : .early([next.id])
    case (let last?, nil): return .over([last.id])
    case (nil, let next?): return .early([next.id])
    case (nil, nil): return .nothing
    }
  }

  /// Notes that doses were answered meanwhile.
  mutating func set(_ state: DoseState.Stored, of doses: [DoseID]) {
    for index in candidates.indices where doses.contains(candidates[index].id) {
      candidates[index].state = state
    }
  }
}

extension DeviceWindow.Candidate {
  init(_ dose: Dose) {
    self.init(
      id: dose.id, due: dose.due,
      opens: dose.due.adding(
        milliseconds: dose.due.milliseconds.subtractingClamped(dose.onTimeUntil.milliseconds)),
      ends: dose.lateUntil, state: dose.storedState)
  }
}

extension Dose {
  /// The state as it is stored, from the one computed for a moment.
  var storedState: DoseState.Stored {
    switch state {
    case .scheduled, .due, .later, .missed: .open
    case .taken: .taken
    case .skipped: .skipped
    case .refused: .refused
    case .withheld: .withheld
    case .cancelled: .cancelled
    }
  }
}

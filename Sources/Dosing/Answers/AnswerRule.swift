// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// The rule that the first answer wins: a pure function of a request and the state of a dose.
enum AnswerRule {
  /// The parts of a dose that the rule needs.
  struct Standing: Sendable, Hashable {
    var version: Int64
    var isCancelled: Bool
    var inForce: AnswerInForce?
  }

  enum Step: Sendable, Hashable {
    /// The dose already is in the requested state.
    case unchanged
    /// Record the answer, replacing the given one.
    case record(replacing: AnswerInForce?)
    /// Take the answer back and reopen the dose.
    case takeBack(AnswerInForce)
    case refuse(Conflict)
  }

  enum Conflict: Sendable, Hashable {
    case answered, stale, cancelled
  }

  static func step(for request: CheckedAnswer, on dose: Standing) -> Step {
    if dose.isCancelled { return .refuse(.cancelled) }
    let named = named(by: request.corrects, on: dose)
    if request.action == .undo { return undo(named, on: dose) }
    guard let inForce = dose.inForce, inForce.action != .later else {
      // "Later" is not an outcome: the first outcome after it wins.
      return named == .nothing || named == .current
        ? .record(replacing: dose.inForce) : .refuse(.stale)
    }
    switch named {
    case .nothing:
      return request.action == inForce.action ? .unchanged : .refuse(.answered)
    case .current:
      return request.saysNothingBeyond(inForce) ? .unchanged : .record(replacing: inForce)
    case .past, .future:
      // A correction sent twice names a version that the first one replaced.
      return request.saysNothingBeyond(inForce) ? .unchanged : .refuse(.stale)
    }
  }

  private static func undo(_ named: Named, on dose: Standing) -> Step {
    guard let inForce = dose.inForce else {
      // The dose is already open, as requested: the answer was taken back or never given.
      return named == .future ? .refuse(.stale) : .unchanged
    }
    switch named {
    case .nothing, .current: return .takeBack(inForce)
    case .past, .future: return .refuse(.stale)
    }
  }

  private enum Named {
    case nothing, current, past, future
  }

  /// Returns the answer that a version stands for: the one in force from the version that it created.
  private static func named(by version: Int64?, on dose: Standing) -> Named {
    guard let version else { return .nothing }
    if version > dose.version { return .future }
    return version >= (dose.inForce?.doseVersion ?? dose.version) ? .current : .past
  }
}

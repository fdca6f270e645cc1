// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// First answer wins, as a pure rule: what a request does to a dose as it stands.
enum AnswerRule {
  /// A dose as far as the rule needs to know it.
  struct Standing: Sendable, Hashable {
    var version: Int64
    var isCancelled: Bool
    var inForce: AnswerInForce?
  }

  enum Step: Sendable, Hashable {
    /// What is asked for is already so.
    case unchanged
    /// Record the answer; the one named is replaced by it.
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
      // A correction pressed twice names a version that the first press replaced.
      return request.saysNothingBeyond(inForce) ? .unchanged : .refuse(.stale)
    }
  }

  private static func undo(_ named: Named, on dose: Standing) -> Step {
    guard let inForce = dose.inForce else {
      // Taken back already, or never answered: the dose is open, as asked.
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

  /// Which answer a version stands for: the one in force from the version that it made onwards.
  private static func named(by version: Int64?, on dose: Standing) -> Named {
    guard let version else { return .nothing }
    if version > dose.version { return .future }
    return version >= (dose.inForce?.doseVersion ?? dose.version) ? .current : .past
  }
}

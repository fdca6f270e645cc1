// SPDX-License-Identifier: Apache-2.0

/// A beta-blocker with the properties that a detector needs: how fast its effect comes and goes, and how
/// strong it is.
public enum BetaBlocker: Int, Sendable, Hashable, CaseIterable {
  case bisoprolol
  /// Metoprolol with prolonged release, the usual form.
  case metoprolol
  case carvedilol
  case nebivolol
  case atenolol
  /// Any other, with average values.
  case other

  /// Creates an agent from its name in any case; an unknown one counts as `other`.
  public init(name: String) {
    self =
      switch name.lowercased() {
      case "bisoprolol": .bisoprolol
      case "metoprolol": .metoprolol
      case "carvedilol": .carvedilol
      case "nebivolol": .nebivolol
      case "atenolol": .atenolol
      default: .other
      }
  }

  private static let names = [
    "acebutolol", "atenolol", "betaxolol", "bisoprolol", "carvedilol", "celiprolol", "esmolol",
    "labetalol", "metoprolol", "nadolol", "nebivolol", "oxprenolol", "pindolol", "propranolol",
    "sotalol", "timolol",
  ]

  /// Returns true if a medicine's name contains that of a beta-blocker, in any of its salts.
  public static func isNamed(in name: String) -> Bool {
    let plain = name.lowercased()
    return names.contains { plain.contains($0) }
  }

  /// The half-life in hours.
  var halfLife: Double {
    switch self {
    case .bisoprolol: 10.5
    case .metoprolol: 5
    case .carvedilol: 8
    case .nebivolol: 18
    case .atenolol: 7.5
    case .other: 9
    }
  }

  /// The share absorbed in an hour; prolonged release makes it slow.
  var absorption: Double {
    switch self {
    case .metoprolol: 0.12
    default: 0.9
    }
  }

  /// The reduction of most people's resting heart rate by the usual dose, in bpm.
  var usualEffect: Double {
    switch self {
    case .carvedilol: 8
    case .nebivolol: 7.5
    default: 9
    }
  }

  /// The overshoot after withdrawal above the state without medicine, as a share of the effect.
  var rebound: Double {
    switch self {
    case .metoprolol: 0.35
    case .atenolol: 0.3
    case .bisoprolol: 0.22
    case .carvedilol, .nebivolol: 0.12
    case .other: 0.2
    }
  }
}

/// The time of day at which the monitored medicine is taken.
public enum DosingSlot: Int, Sendable, Hashable, CaseIterable {
  case morning
  case evening
  case twice

  /// Creates a slot from its name; an unknown one counts as the morning.
  public init(name: String) {
    self =
      switch name.lowercased() {
      case "evening": .evening
      case "twice": .twice
      default: .morning
      }
  }

  /// The hours at which doses are assumed.
  var hours: [Double] {
    switch self {
    case .morning: [8]
    case .evening: [20]
    case .twice: [8, 20]
    }
  }
}

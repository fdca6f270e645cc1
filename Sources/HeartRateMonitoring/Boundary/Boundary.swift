// SPDX-License-Identifier: Apache-2.0

/// A limit for the resting heart rate, and who set it.
public struct Boundary: Sendable, Hashable {
  /// The person who decides about the limit.
  public enum Owner: Sendable, Hashable {
    /// A care provider: the limit never moves automatically and counts from the first day.
    case provider
    /// The person, or the program for them.
    case own
  }

  /// The limit in bpm; a reading above it raises a question.
  public var value: Double
  /// The person who set it.
  public var owner: Owner

  /// Creates a limit with its owner.
  public init(value: Double, owner: Owner) {
    self.value = value
    self.owner = owner
  }
}

/// The rules for finding a first limit.
public enum BoundaryCalibration {
  /// The phase of the days of the average: with the medicine or before it.
  public enum Phase: Sendable, Hashable {
    case onMedicine
    case beforeMedicine
  }

  /// The number of days that the average needs if a provider is present: a week or two.
  public static let days = 7...14

  /// The distance, in bpm, at which a provider sets the limit: above the average, or below it
  /// before the medicine.
  public static let gap = 4.0...7.0

  /// Returns a provider's limit from the averages of 7 to 14 days; nil with fewer or more days, or a gap out
  /// of range.
  public static func provider(
    dailyAverages: [Double], phase: Phase, gap chosen: Double
  ) -> Boundary? {
    guard days.contains(dailyAverages.count), gap.contains(chosen) else { return nil }
    let average = dailyAverages.reduce(0, +) / Double(dailyAverages.count)
    return Boundary(
      value: phase == .onMedicine ? average + chosen : average - chosen, owner: .provider)
  }
}

/// The rule by which a limit found without a provider starts wide and narrows as more days are known.
public struct GapConvergence: Sendable, Hashable {
  /// The gap on the first day, in bpm.
  public let begin: Double
  /// The number of days after which the wanted gap is reached.
  public let days: Int

  /// The standard: wide at first, because with two weeks known an average may be off by some beats.
  public static let standard = GapConvergence(begin: 12, days: 28)

  /// Creates a convergence; a length below one day counts as one.
  public init(begin: Double, days: Int) {
    self.begin = begin
    self.days = max(1, days)
  }

  /// Returns the gap a number of days after the limit was first found; never below the wanted one.
  public func gap(afterDays passed: Int, toward wanted: Double) -> Double {
    guard begin > wanted else { return wanted }
    let share = Double(min(max(passed, 0), days)) / Double(days)
    return begin + (wanted - begin) * share
  }
}

/// The advice that a person gets about their limit.
public enum BoundaryAdvice: Sendable, Hashable {
  /// The limit is 10 bpm or more above the average, so warnings would come late: set it again.
  case reset(over: Double)
  /// The answer was "yes, taken" three times in fourteen days: the provider should check the limit.
  case seeProvider

  /// Returns the advice about a limit, compared with the average.
  public static func about(_ boundary: Boundary, average: Double) -> BoundaryAdvice? {
    let over = boundary.value - average
    return over >= 10 ? .reset(over: over) : nil
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The share of missing doses on days for which a model gave a probability.
public struct CalibrationCurve: Sendable, Hashable {
  /// The days of one tenth of the probabilities.
  public struct Bin: Sendable, Hashable {
    /// The number of days.
    public fileprivate(set) var days = 0
    fileprivate var sum = 0.0
    fileprivate var missing = 0

    /// The mean probability; nil without days.
    public var foretold: Double? { days == 0 ? nil : sum / Double(days) }
    /// The share of days on which a dose was missing; nil without days.
    public var observed: Double? { days == 0 ? nil : Double(missing) / Double(days) }
  }

  /// The tenths from 0 to 1.
  public private(set) var bins = [Bin](repeating: Bin(), count: 10)

  /// Creates a curve without days.
  public init() {}

  /// Adds a day.
  mutating func add(_ probability: Double, isMissing: Bool) {
    let bin = min(max(Int(probability * 10), 0), 9)
    bins[bin].days += 1
    bins[bin].sum += probability
    if isMissing { bins[bin].missing += 1 }
  }

  /// The mean distance between probability and share, weighted by days.
  public var error: Double {
    let days = bins.reduce(0) { $0 + $1.days }
    guard days > 0 else { return 0 }
    return bins.reduce(0) { sum, bin in
      guard let foretold = bin.foretold, let observed = bin.observed else { return sum }
      return sum + abs(foretold - observed) * Double(bin.days) / Double(days)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The difference between the daily values before and after a change, with an interval of 95 %.
///
/// Values of neighbouring days resemble each other, so there is less to learn from them than from as many independent
/// ones, and the usual interval would be too narrow. The interval assumes a first-order autocorrelation, the same in
/// both periods:
///
/// - `r` is the correlation of neighbouring values around the mean of their period, from both periods together. It is
///   estimated too low in short series, so that `(1 + 3r) / n` is added (Kendall 1954, Marriott and Pope 1954), with
///   `n` the mean number of values. It is kept between 0 and 0.9.
/// - The mean of `n` such values varies like that of `n / (1 + 2 Σ (1 - k/n) r^k)` independent ones.
/// - The interval is that of Student's t with the two numbers of independent values less 2 as its degrees of freedom.
///
/// With four weeks on each side, Newey and West's estimator has too few neighbours to go on: its intervals are too
/// narrow. `Benchmarks/effect_interval.py` compares both.
package struct EffectEstimate: Sendable, Hashable {
  /// The mean before the change.
  package let before: Double
  /// The mean after the change.
  package let after: Double
  /// The number of values before the change.
  package let daysBefore: Int
  /// The number of values after the change.
  package let daysAfter: Int
  /// The correlation of neighbouring values.
  package let correlation: Double
  /// Half the length of the interval; nil if the values do not vary.
  package let margin: Double?

  /// The difference: after less before.
  package var difference: Double { after - before }

  /// The interval of the difference; nil if the values do not vary.
  package var interval: ClosedRange<Double>? {
    margin.map { (difference - $0)...(difference + $0) }
  }

  /// The strongest correlation that is assumed.
  private static let strongest = 0.9
  /// The quantile of the normal distribution for an interval of 95 %.
  private static let normal = 1.959963984540054

  /// Compares daily values in the order of their days; nil if a side has fewer than 3.
  package init?(before: [Double], after: [Double]) {
    guard before.count >= 3, after.count >= 3 else { return nil }
    let (left, right) = (Deviations(before), Deviations(after))
    self.before = left.mean
    self.after = right.mean
    daysBefore = before.count
    daysAfter = after.count
    let squares = left.squares + right.squares
    guard squares > 0 else {
      correlation = 0
      margin = nil
      return
    }
    let (first, second) = (Double(before.count), Double(after.count))
    let raw = (left.products + right.products) / (first + second - 2) * (first + second) / squares
    let typical = (first + second) / 2
    let corrected = raw + (1 + 3 * max(raw, 0)) / typical
    correlation = min(Self.strongest, max(0, corrected))
    let share = Self.variance(ofMeanOf: before.count, correlation: correlation)
    let otherShare = Self.variance(ofMeanOf: after.count, correlation: correlation)
    let variance = squares / (first * (1 - share) + second * (1 - otherShare))
    let freedom = max(2, 1 / share + 1 / otherShare - 2)
    margin = Self.quantile(freedom: freedom) * (variance * (share + otherShare)).squareRoot()
  }

  /// Returns the variance of the mean of autocorrelated values as a share of the variance of one.
  static func variance(ofMeanOf count: Int, correlation: Double) -> Double {
    var sum = 1.0
    var power = 1.0
    for distance in 1..<max(2, count) where distance < count {
      power *= correlation
      sum += 2 * (1 - Double(distance) / Double(count)) * power
    }
    return sum / Double(count)
  }

  /// Returns the quantile 0.975 of Student's t by its expansion around the normal distribution.
  static func quantile(freedom: Double) -> Double {
    let z = normal
    let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z)
    let first = (z3 + z) / 4
    let second = (5 * z5 + 16 * z3 + 3 * z) / 96
    let third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384
    return z + first / freedom + second / (freedom * freedom)
      + third / (freedom * freedom * freedom)
  }
}

/// Values as their distances from their mean.
private struct Deviations {
  let mean: Double
  /// The sum of the squared distances.
  let squares: Double
  /// The sum of the products of neighbouring distances.
  let products: Double

  init(_ values: [Double]) {
    let mean = values.reduce(0, +) / Double(values.count)
    self.mean = mean
    let distances = values.map { $0 - mean }
    squares = distances.reduce(0) { $0 + $1 * $1 }
    products = zip(distances, distances.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
  }
}

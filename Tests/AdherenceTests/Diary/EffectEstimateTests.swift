// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing

@testable import Diary

/// The difference of two means against numbers computed by hand, and its interval against simulated people.
@Suite struct EffectEstimateTests {
  private static func isNear(_ left: Double, _ right: Double, within: Double = 1e-9) -> Bool {
    abs(left - right) < within
  }

  @Test func `means, difference and interval are those computed by hand`() throws {
    let found = try #require(
      EffectEstimate(
        before: [10, 12, 11, 13, 12, 14, 13, 12, 11, 12],
        after: [14, 15, 13, 16, 15, 14, 16, 15, 17, 15]))
    #expect(found.before == 12 && found.after == 15 && found.difference == 3)
    #expect(found.daysBefore == 10 && found.daysAfter == 10)
    // The products of neighbours add up to -2 and the squares to 24: -2 / 18 · 20 / 24 + 1 / 10.
    #expect(Self.isNear(found.correlation, 0.007_407_407_407_4))
    #expect(Self.isNear(try #require(found.margin), 1.094_145_858_126))
    let interval = try #require(found.interval)
    #expect(interval.contains(2) && !interval.contains(0))
  }

  @Test func `values that rise steadily tell little, as if they were few`() throws {
    let rising = (1...10).map(Double.init)
    let found = try #require(EffectEstimate(before: rising, after: rising.map { $0 + 1 }))
    #expect(found.correlation == 0.9)
    #expect(Self.isNear(try #require(found.margin), 27.692_972_055, within: 1e-6))
  }

  @Test func `constant values have no interval, and too few have nothing`() throws {
    let constant = try #require(EffectEstimate(before: [5, 5, 5], after: [6, 6, 6]))
    #expect(constant.difference == 1 && constant.interval == nil)
    #expect(EffectEstimate(before: [5, 6], after: [6, 6, 6]) == nil)
    #expect(EffectEstimate(before: [], after: []) == nil)
  }

  @Test(
    arguments: [
      (2, 0.5, 0.75), (4, 0, 0.25), (3, 0.5, 0.611_111_111_1), (1, 0.9, 1),
    ] as [(Int, Double, Double)])
  func `the variance of a mean grows with the correlation`(
    count: Int, correlation: Double, share: Double
  ) {
    let found = EffectEstimate.variance(ofMeanOf: count, correlation: correlation)
    #expect(Self.isNear(found, share))
  }

  /// The quantiles of a table of Student's t.
  @Test(
    arguments: [(5, 2.571), (10, 2.228), (30, 2.042), (1_000_000, 1.960)] as [(Double, Double)])
  func `the quantiles are those of the table`(freedom: Double, quantile: Double) {
    #expect(Self.isNear(EffectEstimate.quantile(freedom: freedom), quantile, within: 0.004))
  }

  /// Returns 28 values before and 28 after a change that does nothing, with 8 days between them.
  private static func unchanged(
    correlation: Double, using random: inout SeededGenerator
  ) -> (before: [Double], after: [Double]) {
    func normal() -> Double {
      // The variance of six uniform numbers is one half.
      (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        * 2.0.squareRoot()
    }
    let noise = (1 - correlation * correlation).squareRoot()
    var value = normal()
    var values: [Double] = []
    for _ in 0..<64 {
      values.append(60 + 4 * value)
      value = correlation * value + noise * normal()
    }
    return (Array(values.prefix(28)), Array(values.suffix(28)))
  }

  /// The share of people without any effect whose interval contains 0, at least and at most.
  @Test(
    arguments: [(0, 0.92, 0.99), (0.3, 0.9, 0.98), (0.6, 0.89, 0.98)] as [(Double, Double, Double)])
  func `without an effect the interval contains 0 for about 95 of 100`(
    correlation: Double, least: Double, most: Double
  ) throws {
    var random = SeededGenerator(seed: 34)
    let people = 400
    var count = 0
    for _ in 0..<people {
      let (before, after) = Self.unchanged(correlation: correlation, using: &random)
      let found = try #require(EffectEstimate(before: before, after: after))
      if try #require(found.interval).contains(0) { count += 1 }
    }
    let share = Double(count) / Double(people)
    #expect(least <= share && share <= most, "\(share)")
  }
}

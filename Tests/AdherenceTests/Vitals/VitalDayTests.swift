// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Adherence

/// The same measurements make the same day, however they come.
struct VitalDayTests {
  private static func sample(
    _ metric: VitalMetric, second: Int, value: Int64?, stamp: Int64 = 0, isTotal: Bool = false
  ) -> VitalSample {
    VitalSample(
      metric: metric, day: "2026-03-01", second: second, at: Int64(1_772_323_200 + second),
      zoneOffset: 3_600, stamp: stamp, thousandths: value, source: "Watch",
      motion: UInt8(second % 3), isDayTotal: isTotal)
  }

  private static func day(_ samples: [VitalSample]) throws -> VitalDay {
    var counts = VitalCounts()
    var day = VitalDay(try #require(samples.first))
    for sample in samples { day.add(sample, to: &counts) }
    day.fold()
    #expect(counts.stored + counts.replaced + counts.unchanged == samples.count)
    return day
  }

  @Test(arguments: VitalMetric.allCases)
  func `in any order, late and twice, the same samples make the same day`(metric: VitalMetric)
    throws
  {
    var random = SeededGenerator(seed: 15)
    for _ in 0..<200 {
      let count = Int.random(in: 1...40, using: &random)
      // Of one moment there may be several values where samples are kept by the second.
      let samples = (0..<count).map { index in
        Self.sample(
          metric, second: Int.random(in: 0..<(metric.isSampled ? 30 : 86_400), using: &random),
          value: Int64.random(in: 40...90, using: &random) * 1_000,
          stamp: metric.isSampled ? Int64(index % 5) : Int64(index))
      }
      let wanted = try Self.day(samples)
      for _ in 0..<5 {
        let again = samples + samples.filter { _ in Bool.random(using: &random) }
        #expect(try Self.day(again.shuffled(using: &random)) == wanted)
      }
    }
  }

  @Test func `a better value of the day takes the place of the one before, and a later one of two`()
    throws
  {
    let first = Self.sample(.restingHeartRate, second: 0, value: 61_000, stamp: 10)
    let better = Self.sample(.restingHeartRate, second: 0, value: 58_000, stamp: 20)
    #expect(try Self.day([first, better]).value == 58_000)
    #expect(try Self.day([better, first]).value == 58_000)
    // Worked out at the same moment: what came later counts.
    let corrected = Self.sample(.restingHeartRate, second: 0, value: 57_000, stamp: 20)
    #expect(try Self.day([better, corrected]).value == 57_000)
  }

  @Test func `what was taken back stays away until something newer comes`() throws {
    let first = Self.sample(.restingHeartRate, second: 0, value: 61_000, stamp: 10)
    let gone = Self.sample(.restingHeartRate, second: 0, value: nil, stamp: 20)
    let newer = Self.sample(.restingHeartRate, second: 0, value: 59_000, stamp: 30)
    #expect(try Self.day([first, gone]).value == nil)
    #expect(try Self.day([gone, first]).value == nil)
    #expect(try Self.day([gone, newer, first]).value == 59_000)
  }

  @Test func `samples are counted, added up and the least is known`() throws {
    let day = try Self.day([
      Self.sample(.heartRate, second: 5, value: 70_000),
      Self.sample(.heartRate, second: 9, value: 64_500),
      Self.sample(.heartRate, second: 5, value: 70_000),
    ])
    #expect(day.count == 2)
    #expect(day.value == 134_500)
    #expect(day.minimum == 64_500)
  }

  @Test func `the total that a device gives counts instead of the sum`() throws {
    let parts = [
      Self.sample(.steps, second: 5, value: 700_000), Self.sample(.steps, second: 9, value: 20_000),
    ]
    let total = Self.sample(.steps, second: 20, value: 4_210_000, isTotal: true)
    #expect(try Self.day(parts).value == 720_000)
    #expect(try Self.day(parts + [total]).value == 4_210_000)
    #expect(try Self.day([total] + parts).value == 4_210_000)
  }

  @Test func `packed samples come back as they were`() throws {
    var random = SeededGenerator(seed: 16)
    for _ in 0..<100 {
      var samples = DaySamples()
      for _ in 0..<Int.random(in: 0...300, using: &random) {
        _ = samples.add(
          .init(
            tenths: Int64.random(in: 0...2_000_000, using: &random),
            motion: UInt8.random(in: 0...2, using: &random)),
          at: Int.random(in: 0...DaySamples.total, using: &random))
      }
      #expect(DaySamples(packed: samples.packed) == samples)
    }
    #expect(DaySamples(packed: [0x80]) == nil)
  }

  @Test(arguments: VitalMetric.allCases)
  func `a day without one of its measurements is the day that never had it`(metric: VitalMetric)
    throws
  {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<300 {
      let seconds = Array(0..<Int.random(in: 2...20, using: &random)).map { $0 * 60 }
      let samples = seconds.map { second in
        Self.sample(
          metric, second: second, value: Int64.random(in: 40...90, using: &random) * 1_000,
          stamp: Int64(second))
      }.shuffled(using: &random)
      let place = Int.random(in: 0..<samples.count, using: &random)
      var others = samples
      let gone = others.remove(at: place)
      var day = try Self.day(samples)
      day.withdraw(gone, leaving: others)
      let never = try Self.day(others)
      #expect(day.value == never.value && day.minimum == never.minimum)
      #expect(day.count == never.count && day.at == never.at)
      #expect(day.samples == never.samples)
      // And back: as if it had only been late.
      var counts = VitalCounts()
      day.add(gone, to: &counts)
      day.fold()
      #expect(try day == Self.day(samples))
    }
  }

  @Test func `the last of its measurements leaves a day empty`() throws {
    for metric in VitalMetric.allCases {
      let only = Self.sample(metric, second: 5, value: 61_000, stamp: 10)
      var day = try Self.day([only])
      day.withdraw(only, leaving: [])
      #expect(day.value == nil && day.count == 0 && day.minimum == nil)
    }
  }

  @Test func `parts hold whole days and few samples`() {
    let batch = VitalBatch(
      (0..<500).map { index in
        VitalSample(
          metric: .heartRate, day: "2026-03-0\(1 + index % 5)", second: index, at: 0,
          zoneOffset: 0, stamp: 0, thousandths: 60_000, source: "Watch")
      })
    let parts = batch.parts(samples: 250)
    #expect(parts.map(\.count) == [200, 200, 100])
    #expect(parts.reduce(0) { $0 + $1.dayCount } == 5)
  }
}

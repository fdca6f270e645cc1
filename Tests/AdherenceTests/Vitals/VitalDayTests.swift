// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing
import TestSupport

@testable import Observations

/// The same measurements make the same day, in any order.
struct VitalDayTests {
  private static func sample(
    _ metric: VitalMetric, second: Int, value: Int64?, stamp: Int64 = 0, isTotal: Bool = false
  ) -> VitalSample {
    VitalSample(
      metric: metric, day: "2026-03-01", second: second, at: Int64(1_772_323_200 + second),
      zoneOffset: 3_600, stamp: stamp, thousandths: value, source: "Watch",
      motion: UInt8(second % 3), isDayTotal: isTotal)
  }

  private static let now: Int64 = 2_000_000_000

  private static func day(_ samples: [VitalSample]) throws -> VitalDay {
    var counts = VitalCounts()
    var day = VitalDay(try #require(samples.first))
    for sample in samples { day.add(sample, to: &counts) }
    day.fold()
    #expect(counts.stored + counts.replaced + counts.unchanged == samples.count)
    return day
  }

  @Test(arguments: VitalMetric.allCases)
  func `the same samples make the same day in any order, late or repeated`(metric: VitalMetric)
    throws
  {
    var random = SeededGenerator(seed: 15)
    for _ in 0..<200 {
      let count = Int.random(in: 1...40, using: &random)
      // Samples stored by the second may have several values for one moment.
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

  @Test func `a better value of the day replaces the previous, or a later one`() throws {
    let first = Self.sample(.restingHeartRate, second: 0, value: 61_000, stamp: 10)
    let better = Self.sample(.restingHeartRate, second: 0, value: 58_000, stamp: 20)
    #expect(try Self.day([first, better]).value == 58_000)
    #expect(try Self.day([better, first]).value == 58_000)
    // Computed at the same moment: the later arrival counts.
    let corrected = Self.sample(.restingHeartRate, second: 0, value: 57_000, stamp: 20)
    #expect(try Self.day([better, corrected]).value == 57_000)
  }

  @Test func `a withdrawn value stays away until a newer one arrives`() throws {
    let first = Self.sample(.restingHeartRate, second: 0, value: 61_000, stamp: 10)
    let gone = Self.sample(.restingHeartRate, second: 0, value: nil, stamp: 20)
    let newer = Self.sample(.restingHeartRate, second: 0, value: 59_000, stamp: 30)
    #expect(try Self.day([first, gone]).value == nil)
    #expect(try Self.day([gone, first]).value == nil)
    #expect(try Self.day([gone, newer, first]).value == 59_000)
  }

  @Test func `samples give a count, a sum and a minimum`() throws {
    let day = try Self.day([
      Self.sample(.heartRate, second: 5, value: 70_000),
      Self.sample(.heartRate, second: 9, value: 64_500),
      Self.sample(.heartRate, second: 5, value: 70_000),
    ])
    #expect(day.count == 2)
    #expect(day.value == 134_500)
    #expect(day.minimum == 64_500)
  }

  @Test func `a total reported by a device replaces the sum`() throws {
    let parts = [
      Self.sample(.steps, second: 5, value: 700_000), Self.sample(.steps, second: 9, value: 20_000),
    ]
    let total = Self.sample(.steps, second: 20, value: 4_210_000, isTotal: true)
    #expect(try Self.day(parts).value == 720_000)
    #expect(try Self.day(parts + [total]).value == 4_210_000)
    #expect(try Self.day([total] + parts).value == 4_210_000)
  }

  @Test func `packed samples are read back unchanged`() throws {
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
  func `removing a measurement gives the day that never had it`(metric: VitalMetric) throws {
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
      day.withdraw(gone, leaving: others, at: Self.now)
      let never = try Self.day(others)
      #expect(day.value == never.value && day.minimum == never.minimum)
      #expect(day.count == never.count && day.at == never.at)
      #expect(day.samples == never.samples)
      // The same value stays deleted, and entered again it counts as if it had only been late.
      var counts = VitalCounts()
      let without = day
      day.add(gone, to: &counts)
      #expect(day == without && counts.unchanged == 1)
      day.reinstate(gone)
      day.add(gone, to: &counts)
      day.fold()
      #expect(try day == Self.day(samples))
    }
  }

  @Test func `the last of its measurements leaves a day empty`() throws {
    for metric in VitalMetric.allCases {
      let only = Self.sample(metric, second: 5, value: 61_000, stamp: 10)
      var day = try Self.day([only])
      day.withdraw(only, leaving: [], at: Self.now)
      #expect(day.value == nil && day.count == 0 && day.minimum == nil)
    }
  }

  @Test(arguments: VitalMetric.allCases)
  func `a deleted value stays away in any order of arrival`(metric: VitalMetric) throws {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<200 {
      let samples = (0..<8).map { index in
        // Two values in a second, too: the larger hides the smaller until it is deleted.
        Self.sample(
          metric, second: metric.isSampled ? index / 2 : index * 900,
          value: Int64(40 + 5 * index) * 1_000, stamp: Int64(index))
      }
      let gone = try #require(samples.randomElement(using: &random))
      let left = samples.filter { $0 != gone }
      let wanted = try Self.day(left)
      for _ in 0..<5 {
        // It is deleted at some moment; the rest, and the same one again, come after that.
        let shuffled = samples.shuffled(using: &random)
        let before = shuffled.prefix(Int.random(in: 1...8, using: &random))
        var day = try Self.day(Array(before) + [gone])
        day.withdraw(gone, leaving: [], at: Self.now)
        var counts = VitalCounts()
        for sample in shuffled.shuffled(using: &random) { day.add(sample, to: &counts) }
        day.fold()
        #expect(day.value == wanted.value && day.minimum == wanted.minimum)
        #expect(day.samples == wanted.samples && day.revisions == wanted.revisions)
      }
    }
  }

  @Test func `a withdrawn day accepts another or a recalculated value`() throws {
    let first = Self.sample(.restingHeartRate, second: 0, value: 61_000, stamp: 10)
    var day = try Self.day([first])
    day.takeBack(at: 50)
    var counts = VitalCounts()
    func after(_ value: Int64, stamp: Int64) -> Int64? {
      var copy = day
      copy.add(
        Self.sample(.restingHeartRate, second: 0, value: value, stamp: stamp), to: &counts)
      return copy.value
    }
    #expect(after(61_000, stamp: 10) == nil)
    #expect(after(61_000, stamp: 20) == nil)
    #expect(after(61_000, stamp: 60) == 61_000)
    // An earlier time and another value: the source really sends something new.
    #expect(after(58_000, stamp: 5) == 58_000)
    var samples = try Self.day([Self.sample(.heartRate, second: 5, value: 70_000)])
    samples.takeBack(at: 50)
    samples.add(Self.sample(.heartRate, second: 5, value: 70_000), to: &counts)
    samples.fold()
    #expect(samples.value == nil)
    samples.add(Self.sample(.heartRate, second: 5, value: 71_000), to: &counts)
    samples.fold()
    #expect(samples.value == 71_000)
  }

  @Test func `revisions and deletions are read back unchanged`() {
    var random = SeededGenerator(seed: 24)
    for _ in 0..<100 {
      var revisions: [VitalRevision] = []
      var withdrawn = WithdrawnSamples()
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let stamp = Int64.random(in: -5...2_000_000_000, using: &random)
        let value =
          Bool.random(using: &random) ? Int64.random(in: 0...300_000, using: &random) : nil
        revisions.keep(
          VitalRevision(
            stamp: stamp, value: value,
            at: stamp - Int64.random(in: -90_000...90_000, using: &random),
            zoneOffset: Int.random(in: -43_200...50_400, using: &random)))
        withdrawn.add(tenths: value ?? 5, at: Int.random(in: 0...86_400, using: &random))
        withdrawn.add(value ?? 7, until: stamp)
      }
      #expect(revisions.count <= 24)
      #expect([VitalRevision](packed: revisions.packed) == revisions)
      #expect(WithdrawnSamples(packed: withdrawn.packed) == withdrawn)
    }
    #expect([VitalRevision](packed: []) == nil && WithdrawnSamples(packed: [9]) == nil)
  }

  @Test func `parts contain whole days and a limited number of samples`() {
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

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HeartRateMonitoring

/// Artefacts inserted at random, and the direction in which evidence moves the probability.
@Suite struct RobustnessTests {
  /// A mistake of a device, a program or a person in the data of one day.
  enum Artefact: CaseIterable {
    case duplicate, impossible, halved, doubled, perSecond, shifted, foreignHour, swapped, outlier
  }

  /// Reproducible random numbers.
  private struct Random {
    private var split: SplitMix

    init(_ seed: UInt64) { split = SplitMix(state: seed) }

    mutating func below(_ limit: Int) -> Int { split.below(limit) }

    /// Returns about a standard normal number.
    mutating func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double(split.below(1_000)) / 1_000 }
    }
  }

  /// Days of a person who takes every dose, with noise by day and by reading.
  private func days(_ seed: UInt64, count: Int = 240) -> [PatientDay] {
    var random = Random(seed)
    let level = 55 + Double(random.below(25))
    return (0..<count).map { number in
      let today = level + 1.8 * random.normal()
      let readings = (0..<4).map { index in
        HeartRateReading(
          hour: 9 + Double(index) * 3, bpm: (today + 2.5 * random.normal()).rounded(),
          source: "watch")
      }
      return PatientDay(
        day: number, agent: .metoprolol, readings: readings, steps: 4_000 + random.below(4_000))
    }
  }

  private func spoiled(
    _ day: PatientDay, _ artefact: Artefact, _ random: inout Random
  ) -> PatientDay {
    var day = day
    let index = random.below(day.readings.count)
    let reading = day.readings[index]
    switch artefact {
    case .duplicate: day.readings += day.readings
    case .impossible:
      day.readings.append(HeartRateReading(hour: reading.hour, bpm: 250, source: "watch"))
      day.readings.append(HeartRateReading(hour: reading.hour, bpm: -1, source: "watch"))
      day.readings.append(HeartRateReading(hour: reading.hour, bpm: .nan, source: "watch"))
    case .halved: day.readings[index].bpm = reading.bpm / 2
    case .doubled: day.readings[index].bpm = reading.bpm * 2
    // Another unit: beats a second, for the whole day.
    case .perSecond: for place in day.readings.indices { day.readings[place].bpm /= 60 }
    // A clock that is some hours off.
    case .shifted:
      let shift = Double(random.below(23))
      for place in day.readings.indices {
        day.readings[place].hour = (day.readings[place].hour + shift)
          .truncatingRemainder(dividingBy: 24)
      }
    case .foreignHour: day.readings[index].hour = 24 + Double(random.below(30))
    case .swapped: day.readings.reverse()
    // One reading during a walk.
    case .outlier: day.readings[index].bpm += 25
    }
    return day
  }

  /// Returns the days with an alert among all days after the first fourteen.
  private func alerts(_ days: [PatientDay]) throws -> Int {
    var model = HeartModel(budget: 0.5)
    var count = 0
    for day in days where try model.judge(day).isAlert {
      count += 1
      model.hear(.taken)
    }
    return count
  }

  @Test func `Artefacts at random raise no alerts above the budget`() throws {
    var (found, months) = (0, 0.0)
    for seed in 1...4 as ClosedRange<UInt64> {
      var random = Random(seed + 100)
      let mixed = days(seed, count: 164).map { day in
        random.below(5) > 0
          ? day : spoiled(day, Artefact.allCases[random.below(Artefact.allCases.count)], &random)
      }
      found += try alerts(mixed)
      months += Double(mixed.count - learningDays) / 30
    }
    #expect(Double(found) <= 0.5 * months, "\(found) in \(months) months")
  }

  @Test(arguments: Artefact.allCases)
  func `One kind of artefact every tenth day raises no alerts above the budget`(
    artefact: Artefact
  ) throws {
    var random = Random(200)
    let spoiled = days(3, count: 134).map { day in
      day.day % 10 == 9 ? self.spoiled(day, artefact, &random) : day
    }
    let found = try alerts(spoiled)
    // Four months at half a day a month.
    #expect(found <= 2, "\(found)")
  }

  @Test func `A new watch, a pause and a year's gap raise no alert on their own`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = Random(seed + 300)
      let offset = Double(random.below(17)) - 8
      var all = days(seed, count: 120)
      for index in 60..<120 {
        // From day 60 another watch; then five weeks without one, and a year's gap.
        all[index].day = index + (index < 80 ? 0 : index < 100 ? 35 : 400)
        for place in all[index].readings.indices {
          all[index].readings[place].source = "new"
          all[index].readings[place].bpm += offset
        }
      }
      var model = HeartModel(budget: 0.5)
      var found = 0
      for day in all where try model.judge(day).isAlert { found += 1 }
      #expect(found <= 1, "\(found), offset \(offset), seed \(seed)")
    }
  }

  @Test func `A day is rejected unless it is later, and nothing changes`() throws {
    var model = HeartModel(budget: 0.5)
    let plain = days(9, count: 60)
    for day in plain { _ = try model.judge(day) }
    var untouched = model
    for day in plain.reversed() {
      #expect(throws: HeartDayError.notAfter(last: 59)) { _ = try model.judge(day) }
    }
    var next = plain[59]
    next.day = 60
    #expect(try model.judge(next) == untouched.judge(next))
  }

  /// Returns the model after two months of taken doses, and the days that follow.
  private func settled(_ seed: UInt64) throws -> (model: HeartModel, next: ArraySlice<PatientDay>) {
    var model = HeartModel(budget: 0.5)
    let all = days(seed, count: 65)
    for day in all.prefix(60) { _ = try model.judge(day) }
    return (model, all.suffix(5))
  }

  /// Returns the probability on the last of some days, with a rise of each reading.
  private func probability(
    _ start: HeartModel, _ days: ArraySlice<PatientDay>, _ rise: (Int, HeartRateReading) -> Double
  ) throws -> Double {
    var model = start
    var last = 0.0
    for day in days {
      var day = day
      for place in day.readings.indices {
        day.readings[place].bpm += rise(day.day, day.readings[place])
      }
      last = try #require(try model.judge(day).finding.probability)
    }
    return last
  }

  @Test func `A larger rise up to a missed dose's doesn't lower the probability`() throws {
    var sums = [Double](repeating: 0, count: 7)
    for seed in 1...6 as ClosedRange<UInt64> {
      let (model, next) = try settled(seed)
      var last = 0.0
      for rise in sums.indices {
        let found = try probability(model, next.prefix(1)) { _, _ in Double(rise) }
        // A rise speaks for other causes too, so one person's may stay level.
        #expect(found >= last - 0.02, "seed \(seed), \(rise) bpm")
        sums[rise] += found
        last = found
      }
    }
    for (smaller, larger) in zip(sums, sums.dropFirst()) { #expect(larger >= smaller) }
    #expect(sums[6] > 2 * sums[0], "\(sums)")
  }

  @Test func `A longer lapse doesn't lower the probability`() throws {
    let profile = LossProfile.of(.metoprolol, .morning)
    var sums = [Double](repeating: 0, count: 5)
    for seed in 1...6 as ClosedRange<UInt64> {
      let (model, next) = try settled(seed)
      var last = 0.0
      for length in sums.indices {
        let found = try probability(model, next) { day, reading in
          9 * profile.at(reading.hour)[min(max(0, day - 64 + length), 4)]
        }
        // A rise that lasts speaks for an illness too, so a person with noisy days may lose a little.
        #expect(found >= last - 0.15, "seed \(seed), \(length) days")
        sums[length] += found
        last = found
      }
    }
    for (shorter, longer) in zip(sums, sums.dropFirst()) { #expect(longer >= shorter) }
    #expect(sums[1] > 2 * sums[0] && sums[2] > 2 * sums[1], "\(sums)")
  }
}

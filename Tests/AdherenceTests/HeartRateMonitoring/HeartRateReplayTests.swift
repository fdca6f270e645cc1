// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import HeartRate
@testable import Plans

/// Repeated judgment of stored days.
@Suite struct HeartRateReplayTests {
  private static let start = 20_000

  private static func day(
    _ number: Int, bpm: Double?, doses: MonitoredDoses = .allTaken, answer: HeartAnswer? = nil
  ) -> HeartRateInput.Day {
    var day = HeartRateInput.Day(day: start + number)
    day.values = bpm.map { [.init(bpm: $0, source: "Watch")] } ?? []
    day.doses = doses
    day.answer = answer
    return day
  }

  private static func input(
    _ method: HeartRateMethod = .dynamic, _ days: [HeartRateInput.Day],
    _ boundaries: [BoundarySetting] = []
  ) -> HeartRateInput {
    var input = HeartRateInput()
    input.settings.method = method
    input.days = days
    input.boundaries = boundaries
    return input
  }

  private static func limit(
    _ value: Double?, _ owner: BoundarySetting.Owner, since: Int, gap: Double = 7
  ) -> BoundarySetting {
    BoundarySetting(
      since: CivilDate(daysSinceEpoch: start + since), owner: owner, value: value, gap: gap,
      byName: "Dr", created: Timestamp(milliseconds: Int64(since)))
  }

  @Test(arguments: HeartRateMethod.allCases)
  func `nothing is asked in the first fourteen days`(method: HeartRateMethod) {
    let days = (0..<14).map { Self.day($0, bpm: $0 % 2 == 0 ? 55 : 110) }
    let outcome = HeartRateReplay.run(Self.input(method, days))
    #expect(outcome.days.allSatisfy { !$0.isAlert })
    #expect(outcome.daysToLearn == 1)
  }

  @Test func `a provider's limit applies from the first day and never moves`() {
    let days = (0..<60).map { Self.day($0, bpm: $0 < 30 ? 60 : 64) }
    let outcome = HeartRateReplay.run(
      Self.input(.dynamic, days, [Self.limit(63, .provider, since: 0)]))
    #expect(outcome.boundary == 63)
    #expect(outcome.days.filter { $0.isAlert }.count == 30)
    let early = HeartRateReplay.run(
      Self.input(.dynamic, [Self.day(0, bpm: 70)], [Self.limit(63, .provider, since: 0)]))
    #expect(early.days.map(\.isAlert) == [true])
    #expect(early.daysToLearn == 0)
  }

  @Test func `a personal limit rises slowly, and not while a dose is in doubt`() {
    // The heart rate rises slowly, one beat in three days.
    func days(_ doses: MonitoredDoses) -> [HeartRateInput.Day] {
      (0..<160).map { Self.day($0, bpm: 60 + Double($0) / 3, doses: $0 < 14 ? .allTaken : doses) }
    }
    let set = [Self.limit(70, .own, since: 14, gap: 10)]
    let free = HeartRateReplay.run(Self.input(.dynamic, days(.allTaken), set))
    let limits = free.days.compactMap(\.finding.boundary)
    #expect((limits.max() ?? 0) <= 78.001)
    for (index, limit) in limits.enumerated() where index >= 7 {
      #expect(limit - limits[index - 7] <= 2.001)
    }
    let held = HeartRateReplay.run(Self.input(.dynamic, days(.inDoubt), set))
    #expect((held.days.compactMap(\.finding.boundary).max() ?? 0) <= 70)
  }

  @Test func `after three yes in 14 days it stays and advises seeing the provider`() {
    let days = (0..<40).map { number in
      Self.day(
        number, bpm: [20, 24, 28].contains(number) ? 90 : 60,
        answer: [20, 24, 28].contains(number) ? .taken : nil)
    }
    #expect(HeartRateReplay.run(Self.input(.dynamic, days)).advice == .seeProvider)
    let two = days.map { day in
      var day = day
      if day.day == Self.start + 28 { day.answer = .missed }
      return day
    }
    #expect(HeartRateReplay.run(Self.input(.dynamic, two)).advice == nil)
  }

  @Test func `a limit ten above the average should be reset`() {
    let days = (0..<30).map { Self.day($0, bpm: 60) }
    let outcome = HeartRateReplay.run(
      Self.input(.boundary, days, [Self.limit(72, .provider, since: 0)]))
    #expect(outcome.advice == .reset(over: 12))
    // A limit that follows the average comes down automatically.
    #expect(HeartRateReplay.run(Self.input(.dynamic, days)).advice == nil)
  }

  @Test func `unworn weeks ask nothing, and a new limit counts from its day`() {
    var days = (0..<20).map { Self.day($0, bpm: 60) }
    days += (20..<41).map { Self.day($0, bpm: nil) }
    days += (41..<50).map { Self.day($0, bpm: 66) }
    let outcome = HeartRateReplay.run(
      Self.input(
        .boundary, days, [Self.limit(70, .own, since: 14), Self.limit(65, .own, since: 45)])
    )
    #expect(outcome.days.filter { $0.isAlert }.map { $0.day - Self.start } == [45, 46, 47, 48, 49])
    #expect(outcome.days.first { $0.day == Self.start + 42 }?.finding.boundary == 70)
    #expect(outcome.boundary == 65)
  }

  @Test func `a rarely worn source asks nothing`() {
    var days = (0..<30).map { Self.day($0, bpm: 60) }
    days[29].values = [.init(bpm: 110, source: "Ring")]
    let outcome = HeartRateReplay.run(Self.input(.dynamic, days))
    #expect(outcome.days.last?.isAlert == false)
    days[29].values.append(.init(bpm: 110, source: "Watch"))
    #expect(HeartRateReplay.run(Self.input(.dynamic, days)).days.last?.isAlert == true)
  }

  // MARK: Days from stored data

  private static func moment(_ day: Int, hour: Double) -> Timestamp {
    Timestamp(milliseconds: Int64((Double(day) * 24 + hour) * 3_600_000))
  }

  private static func days(
    values: [MonitoredValue], doses: [MonitoredDose] = [], now: Timestamp
  ) -> [HeartRateInput.Day] {
    HeartRateDays(
      values: values, steps: [], doses: doses, settings: HeartRateSettings(), zone: .utc, now: now,
      answers: [:]
    ).days
  }

  @Test func `today's value counts if it was computed within the window`() {
    func counts(measured: Double, now: Double) -> Bool {
      let value = MonitoredValue(
        day: start, source: "Watch", bpm: 60, measured: Self.moment(start, hour: measured))
      return Self.days(values: [value], now: Self.moment(start, hour: now))[0].values.count == 1
    }
    let start = Self.start
    #expect(!counts(measured: 13.9, now: 15))
    #expect(counts(measured: 14, now: 15))
    #expect(counts(measured: 19.9, now: 20))
    #expect(!counts(measured: 20.1, now: 21))
    // A clock that is ahead.
    #expect(!counts(measured: 16, now: 15))
    // Yesterday's value counts whenever it was calculated.
    let old = MonitoredValue(
      day: start - 1, source: "Watch", bpm: 60, measured: Self.moment(start - 1, hour: 6))
    #expect(Self.days(values: [old], now: Self.moment(start, hour: 15))[0].values.count == 1)
  }

  @Test func `values closer than ten minutes count as one, the later`() {
    func counted(_ hours: [Double], isOver: Bool = false) -> [Double] {
      var value = MonitoredValue(
        day: Self.start, source: "Watch", bpm: 50, measured: Self.moment(Self.start, hour: 23))
      value.readings = hours.enumerated().map { index, hour in
        .init(bpm: 60 + Double(index), measured: Self.moment(Self.start, hour: hour))
      }
      let now = Self.moment(Self.start + (isOver ? 1 : 0), hour: isOver ? 15 : 21)
      return Self.days(values: [value], now: now)[0].values.map(\.bpm)
    }
    #expect(counted([14, 14.2, 16]) == [60, 61, 62])
    // Eight minutes after the first one, it replaces that; after sixteen, it is separate.
    #expect(counted([14, 14.134, 14.267]) == [61, 62])
    #expect(counted([9, 13.99, 20]) == [])
    #expect(counted([9, 15], isOver: true) == [61])
    // A past day without a value in the window counts by the last calculated value.
    #expect(counted([9, 23], isOver: true) == [50])
  }

  @Test func `the mean of the readings in the day's window is evaluated`() {
    var days = (0..<20).map { Self.day($0, bpm: 60) }
    days[19].values = [
      .init(bpm: 60, source: "Watch", hour: 14.5), .init(bpm: 90, source: "Watch", hour: 16),
    ]
    var input = Self.input(.boundary, days, [Self.limit(70, .own, since: 14)])
    let outcome = HeartRateReplay.run(input)
    #expect(outcome.days.last?.finding.heartRate == 75 && outcome.days.last?.isAlert == true)
    // The hours are the selected ones, and the model uses only the last value.
    input.settings.window = 15..<17
    #expect(HeartRateReplay.run(input).days.last?.finding.heartRate == 90)
    input.settings.method = .model
    #expect(HeartRateReplay.run(input).days.last?.finding.heartRate == 90)
  }

  @Test func `doses of the 48 hours before the window are checked`() {
    func dose(_ day: Int, _ state: DoseState.Stored) -> MonitoredDose {
      MonitoredDose(
        due: Self.moment(Self.start + day, hour: 8),
        lateUntil: Self.moment(Self.start + day, hour: 20),
        state: state, amount: 1)
    }
    let values = (0..<5).map {
      MonitoredValue(
        day: Self.start + $0, source: "Watch", bpm: 60,
        measured: Self.moment(Self.start + $0, hour: 15))
    }
    let doses = [
      dose(0, .taken), dose(1, .skipped), dose(2, .taken), dose(3, .taken), dose(4, .open),
    ]
    let days = Self.days(values: values, doses: doses, now: Self.moment(Self.start + 4, hour: 16))
    #expect(days.map(\.doses) == [.allTaken, .inDoubt, .inDoubt, .allTaken, .inDoubt])
  }

  @Test func `a recorded dose change is noticed unless it can't be compared`() {
    func dose(_ day: Int, _ amount: Double?) -> MonitoredDose {
      MonitoredDose(
        due: Self.moment(Self.start + day, hour: 8),
        lateUntil: Self.moment(Self.start + day, hour: 20),
        state: .taken, amount: amount)
    }
    let changed = [dose(0, 2), dose(1, 2), dose(2, 1)].relativeDose(in: .utc)
    #expect(changed == [Self.start: 1, Self.start + 1: 1, Self.start + 2: 0.5])
    #expect([dose(0, 2), dose(1, nil)].relativeDose(in: .utc) == [:])
  }

  @Test func `the same values in any order give the same answer`() {
    var random = SeededGenerator(seed: 12)
    let values = (0..<40).flatMap { day in
      ["Ring", "Watch"].map { source in
        MonitoredValue(
          day: Self.start + day, source: source,
          bpm: Double(Int.random(in: 55...75, using: &random)),
          measured: Self.moment(Self.start + day, hour: 15))
      }
    }
    let now = Self.moment(Self.start + 39, hour: 16)
    let wanted = HeartRateReplay.run(Self.input(.dynamic, Self.days(values: values, now: now)))
    for _ in 0..<10 {
      let shuffled = values.shuffled(using: &random).sorted { $0.day < $1.day }
      #expect(
        HeartRateReplay.run(Self.input(.dynamic, Self.days(values: shuffled, now: now))) == wanted)
    }
  }
}

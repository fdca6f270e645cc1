// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Testing

/// The contract of every method.
@Suite struct DetectorContractTests {
  @Test func `Nothing is reported in the first fourteen days`() throws {
    for var detector in HeartDays.detectors {
      for number in 0..<14 {
        let verdict = try detector.judge(HeartDays.day(number, bpm: number < 4 ? 60 : 95))
        #expect(!verdict.isAlert)
        #expect(verdict.finding.silence == .learning)
      }
    }
  }

  @Test func `A high heart rate after usual days asks`() throws {
    for var detector in HeartDays.detectors {
      let usual = try HeartDays.settle(&detector)
      #expect(usual.filter(\.isAlert).isEmpty)
      let verdict = try detector.judge(HeartDays.day(40, bpm: 75))
      #expect(verdict.isAlert)
      #expect(verdict.finding.silence == nil)
      #expect(verdict.score > usual[39].score)
      let usualRate = try #require(verdict.finding.usual)
      #expect(abs(usualRate - 60.5) < 2)
    }
  }

  @Test func `A day is evaluated once, and days out of order change nothing`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      var untouched = detector
      for number in [39, 12, -3] {
        #expect(throws: HeartDayError.notAfter(last: 39)) {
          _ = try detector.judge(HeartDays.day(number, bpm: 90))
        }
      }
      let next = HeartDays.day(40, bpm: 70)
      #expect(try detector.judge(next) == untouched.judge(next))
    }
  }

  @Test func `Order and repetition of a day's readings make no difference`() throws {
    for detector in HeartDays.detectors {
      var straight = detector
      var turned = detector
      for number in 0..<60 {
        var day = HeartDays.day(number, bpm: number % 9 == 8 ? 72 : 60)
        day.readings.append(HeartRateReading(hour: 15.5, bpm: 64, source: "ring"))
        let expected = try straight.judge(day)
        day.readings = day.readings.reversed() + day.readings.shuffledByTurns(number)
        #expect(try turned.judge(day) == expected)
      }
    }
  }

  @Test func `A late reading counts as if it had arrived in time`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      let whole = HeartDays.day(40, bpm: 74)
      var early = whole
      early.readings.removeLast(3)
      // Keep the value from before the day, and judge the day again.
      var first = detector
      _ = try first.judge(early)
      var again = detector
      var inTime = detector
      #expect(try again.judge(whole) == inTime.judge(whole))
    }
  }

  @Test func `Only the preferred source may ask`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      let verdict = try detector.judge(HeartDays.day(40, bpm: 90, source: "phone"))
      #expect(!verdict.isAlert)
      #expect(verdict.finding.silence == .notMeasured)
    }
  }

  @Test func `A chosen source stays, however much another is worn`() throws {
    let chosen: [any HeartDetector] = [
      BoundaryRule(.dynamic, gap: 6, preferredSource: "ring"),
      HeartModel(threshold: 0.2, preferredSource: "ring"),
    ]
    for var detector in chosen {
      for number in 0..<60 {
        let verdict = try detector.judge(HeartDays.day(number, bpm: number > 30 ? 85 : 60))
        #expect(verdict.finding.silence == .notMeasured && !verdict.isAlert)
      }
    }
  }

  @Test func `A new device takes over once it is worn`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      for number in 40..<60 {
        _ = try detector.judge(HeartDays.day(number, bpm: 62, source: "ring"))
      }
      let verdict = try detector.judge(HeartDays.day(60, bpm: 62, source: "ring"))
      #expect(verdict.finding.silence == nil)
    }
  }

  @Test func `Readings of other days or without a source are ignored`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      var plain = detector
      var day = HeartDays.day(40, bpm: 60)
      let expected = try plain.judge(day)
      for (hour, bpm) in [
        (-2.0, 90.0), (24, 90), (25.5, 90), (15, 0), (15, 255), (.nan, 90), (15, .nan),
        (15, .infinity),
      ] {
        day.readings.insert(HeartRateReading(hour: hour, bpm: bpm, source: "watch"), at: 1)
      }
      #expect(try detector.judge(day) == expected)
    }
  }

  @Test func `Weeks without a watch raise nothing, and neither does the day after`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      for number in 40..<75 {
        let verdict = try detector.judge(PatientDay(day: number, agent: .bisoprolol, readings: []))
        #expect(!verdict.isAlert && verdict.finding.silence == .notMeasured)
      }
      #expect(try !detector.judge(HeartDays.day(75, bpm: 61)).isAlert)
      // Days without any readings make no difference.
      #expect(try !detector.judge(HeartDays.day(400, bpm: 61)).isAlert)
    }
  }

  @Test func `Days with a repeated or missing hour are ordinary days`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      var twice = HeartDays.day(40, bpm: 60)
      twice.readings += [2.25, 2.5, 2.25, 2.5].map {
        HeartRateReading(hour: $0, bpm: 57, source: "watch")
      }
      #expect(try !detector.judge(twice).isAlert)
      var without = HeartDays.day(41, bpm: 60)
      without.readings.removeAll { $0.hour >= 14 && $0.hour < 17 }
      #expect(try !detector.judge(without).isAlert)
      // Travel: the local day continues where the next begins, and its hours are local.
      var travel = HeartDays.day(43, bpm: 60)
      travel.readings = travel.readings.map {
        HeartRateReading(hour: $0.hour / 2, bpm: $0.bpm, source: $0.source)
      }
      #expect(try !detector.judge(travel).isAlert)
    }
  }

  @Test func `Nothing is monitored if the recorded dose is zero`() throws {
    for var detector in HeartDays.detectors {
      _ = try HeartDays.settle(&detector)
      for number in 40..<60 {
        let verdict = try detector.judge(HeartDays.day(number, bpm: 80, dose: 0))
        #expect(!verdict.isAlert && verdict.finding.silence == .noDose)
      }
    }
  }
}

extension Array {
  /// Returns another order, selected by a number.
  fileprivate func shuffledByTurns(_ turn: Int) -> [Element] {
    let cut = isEmpty ? 0 : turn % count
    return Array(self[cut...] + self[..<cut])
  }
}

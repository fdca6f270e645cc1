// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HeartRateMonitoring

/// Other causes of a rise, artefacts and people whose heart barely reacts.
@Suite struct AlternativesTests {
  private func settled(days: Int = 60) throws -> HeartModel {
    var model = HeartModel(budget: 0.5)
    for number in 0..<days { _ = try model.judge(HeartDays.day(number, bpm: 60)) }
    return model
  }

  @Test func `A longer lapse is not less probable`() throws {
    let profile = LossProfile.of(.bisoprolol, .morning)
    var probabilities: [Double] = []
    for length in 0...5 {
      var model = try settled()
      var last = 0.0
      for day in 60..<65 {
        let missed = max(0, day - 64 + length)
        var facts = HeartDays.day(64, bpm: 60)
        facts.day = day
        for index in facts.readings.indices {
          facts.readings[index].bpm += 9 * profile.at(facts.readings[index].hour)[min(missed, 4)]
        }
        last = try #require(try model.judge(facts).finding.probability)
      }
      probabilities.append(last)
    }
    for (shorter, longer) in zip(probabilities, probabilities.dropFirst()) {
      #expect(longer >= shorter - 0.02, "\(probabilities)")
    }
    #expect(probabilities[0] < 0.05 && probabilities[3] > 0.7, "\(probabilities)")
  }

  @Test func `A larger rise up to a missed dose's is not less probable`() throws {
    let model = try settled()
    var last = 0.0
    for rise in 0...7 {
      var copy = model
      let verdict = try copy.judge(HeartDays.day(60, bpm: 60 + Double(rise)))
      let probability = try #require(verdict.finding.probability)
      #expect(probability >= last)
      last = probability
    }
    #expect(last > 0.2)
  }

  @Test(arguments: [12.0, 15, 20, 25])
  func `An abrupt rise with usual activity is asked about, with few steps it isn't`(
    rise: Double
  ) throws {
    let model = try settled()
    var active = model
    #expect(try active.judge(HeartDays.day(60, bpm: 60 + rise)).isAlert)
    var lying = model
    #expect(try !lying.judge(HeartDays.day(60, bpm: 60 + rise, steps: 900)).isAlert)
  }

  @Test func `A week of illness asks nothing`() throws {
    var model = try settled()
    var causes: [HeartRateFinding.Cause?] = []
    for day in 0..<7 {
      let bpm = 60 + [6.0, 10, 12, 11, 9, 6, 4][day]
      let verdict = try model.judge(HeartDays.day(60 + day, bpm: bpm, steps: 1000))
      #expect(!verdict.isAlert)
      causes.append(verdict.finding.cause)
    }
    #expect(causes.contains(.illness))
  }

  @Test func `A new watch that reads higher asks nothing and is learned`() throws {
    for offset in [-9.0, -5, 4, 7, 9] {
      var model = try settled()
      for number in 60..<90 {
        let verdict = try model.judge(HeartDays.day(number, bpm: 60 + offset, source: "new"))
        #expect(!verdict.isAlert)
      }
      let usual = try model.judge(HeartDays.day(90, bpm: 60 + offset, source: "new")).finding.usual
      #expect(abs(try #require(usual) - 60.5 - offset) < 2)
    }
  }

  @Test(arguments: [1.0, 29, 105, 121, 140, 219, 255, 7200])
  func `A value that no dose explains is left out`(bpm: Double) throws {
    var model = try settled()
    var untouched = model
    var day = HeartDays.day(60, bpm: 60)
    let expected = try untouched.judge(day)
    day.readings.append(HeartRateReading(hour: 15.25, bpm: bpm, source: "watch"))
    #expect(try model.judge(day) == expected)
    // A whole day of them asks nothing either.
    #expect(try !model.judge(HeartDays.day(61, bpm: bpm + 2)).isAlert)
  }

  @Test func `A level that stays elsewhere is believed in the end, without a question`() throws {
    var model = try settled()
    for number in 60..<100 {
      #expect(try !model.judge(HeartDays.day(number, bpm: 115)).isAlert)
    }
    let usual = try model.judge(HeartDays.day(100, bpm: 115)).finding.usual
    #expect(abs(try #require(usual) - 115.5) < 3)
  }

  @Test func `After a year's gap the person is learned anew`() throws {
    var model = try settled()
    for number in 425..<439 {
      let verdict = try model.judge(HeartDays.day(number, bpm: 72))
      #expect(!verdict.isAlert && verdict.finding.silence == .learning)
    }
    let verdict = try model.judge(HeartDays.day(439, bpm: 72))
    #expect(!verdict.isAlert && verdict.finding.silence == nil)
  }

  @Test func `A heart that doesn't react is recognized by missed doses without a rise`() throws {
    var model = HeartModel(threshold: 0.02)
    for number in 0..<240 {
      let bpm = number % 12 == 0 ? 63.0 : 60
      let verdict = try model.judge(HeartDays.day(number, bpm: bpm))
      if verdict.isAlert { model.hear(.missed) }
    }
    let unmoved = try model.judge(HeartDays.day(240, bpm: 60)).finding.isUnmoved
    #expect(unmoved)
    #expect(try !settled(days: 240).judged(240).finding.isUnmoved)
  }

  @Test func `Answers that every dose was taken make the next question rarer for some weeks`()
    throws
  {
    var asked = try settled()
    for number in [60, 63, 66] {
      _ = try asked.judge(HeartDays.day(number, bpm: 67))
      asked.hear(.taken)
    }
    let fresh = try settled().judged(80, bpm: 67).score
    let cautious = try asked.judged(80, bpm: 67).score
    #expect(cautious < fresh)
  }

  @Test func `The days with a raised heart rate are counted`() throws {
    var model = try settled()
    for (number, bpm) in [(60, 60.0), (61, 68), (62, 68), (64, 69), (65, 60)] {
      let raised = try model.judge(HeartDays.day(number, bpm: bpm)).finding.daysRaised
      #expect(raised == [60: 0, 61: 1, 62: 2, 64: 3, 65: 0][number])
    }
  }
}

extension HeartModel {
  /// Returns the verdict on a day without changing the model.
  fileprivate func judged(_ number: Int, bpm: Double = 60) throws -> HeartVerdict {
    var copy = self
    return try copy.judge(HeartDays.day(number, bpm: bpm))
  }
}

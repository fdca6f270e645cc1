// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HeartRateMonitoring

/// The limit on one person's false questions.
@Suite struct QuestionBudgetTests {
  /// Asks once every `interval` days, with the same answer each time.
  private func asked(
    every interval: Int, days: Int = 180, probability: Double = 0.4, _ answer: HeartAnswer?,
    budget: Double = 0.5
  ) -> QuestionBudget {
    var questions = QuestionBudget(budget)
    for day in 1...days {
      questions.begin(after: 1)
      guard day % interval == 0 else { continue }
      questions.ask(probability)
      if let answer { questions.hear(answer) }
    }
    return questions
  }

  @Test func `More false questions need more, and none need less than the threshold`() {
    let cautions = [10, 20, 40, 80, 179].map { asked(every: $0, .taken).caution }
    for (more, fewer) in zip(cautions, cautions.dropFirst()) { #expect(more >= fewer) }
    #expect(cautions[0] > 1.5)
    #expect(asked(every: 1_000, days: 900, nil).caution == 0)
  }

  @Test func `Answers decide how far a question counts as false`() {
    let (taken, silent, missed) = (
      asked(every: 15, .taken).caution, asked(every: 15, nil).caution,
      asked(every: 15, .missed).caution
    )
    #expect(taken > silent && silent > missed)
    // Questions that found a missed dose cost hardly anything.
    #expect(missed < 0.2)
  }

  @Test func `A probability is not believed without an answer`() {
    let sure = asked(every: 15, probability: 1, nil)
    #expect(sure.caution == asked(every: 15, probability: 0.5, nil).caution)
    #expect(sure.caution > 0)
  }

  @Test func `A larger budget needs more false questions before it is cautious`() {
    let cautions = [0.25, 0.5, 1, 2].map { asked(every: 20, .taken, budget: $0).caution }
    for (smaller, larger) in zip(cautions, cautions.dropFirst()) { #expect(smaller > larger) }
  }

  @Test func `An answer without a question, and a second answer, change nothing more`() {
    var questions = asked(every: 20, .taken)
    questions.begin(after: 1)
    let before = questions
    questions.hear(.taken)
    #expect(questions == before)
    questions.ask(0.4)
    questions.hear(.taken)
    let once = questions
    questions.hear(.taken)
    #expect(abs(questions.caution - once.caution) < 1e-12)
    // The last answer replaces the one before.
    questions.hear(.missed)
    #expect(questions.caution < once.caution)
  }

  @Test func `A long pause is forgotten in bounded time`() {
    var questions = asked(every: 5, .taken)
    questions.begin(after: 1_000_000_000)
    #expect(questions.caution == 0)
    questions.begin(after: -5)
    #expect(questions.caution == 0)
  }

  @Test func `Someone asked in vain is asked less than by the threshold alone`() throws {
    func questions(_ start: HeartModel) throws -> Int {
      var model = start
      var asked = 0
      for number in 0..<240 {
        // Every ninth day the heart rate is high for another reason.
        let bpm = number % 9 == 8 ? 67.0 : 60
        if try model.judge(HeartDays.day(number, bpm: bpm)).isAlert {
          asked += 1
          model.hear(.taken)
        }
      }
      return asked
    }
    let limited = try questions(HeartModel(budget: 0.5))
    let free = try questions(HeartModel(threshold: DetectorThresholds.model(budget: 0.5)))
    #expect(limited * 3 <= free * 2, "\(limited) of \(free)")
  }
}

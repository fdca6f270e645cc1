// SPDX-License-Identifier: Apache-2.0

/// Keeps the false questions of one person within the accepted number.
///
/// People unlike the model's assumptions would be asked too often. So the false questions are estimated from
/// what was asked and answered, and the further their number exceeds a share of the budget, the more the
/// next question needs. Nobody's questions need less than the threshold.
struct QuestionBudget: Sendable, Hashable {
  /// The share of the budget from which questions need more; below 1, because the estimate lags behind.
  private static let share = 0.55
  /// The logarithm of the odds that a question needs more, for each logarithm of the excess.
  private static let firmness = 2.0
  /// The number of days exactly at the budget with which everyone begins.
  private static let firstDays = 60.0
  /// The share of earlier days that counts on the next one: half is left after four months.
  private static let fading = 1 - 1 / 180.0
  /// The greatest probability with which a question is believed before its answer.
  private static let trust = 0.5

  /// The accepted false questions a day.
  private let daily: Double
  private var falseQuestions: Double
  private var days = firstDays
  /// The share of today's question that counts as false; nil without a question.
  private var today: Double?
  /// The probability that today's question is right, before its answer.
  private var believed = 0.0

  /// Creates the state of a new person, for false questions in thirty days.
  init(_ budget: Double) {
    daily = budget / 30
    falseQuestions = daily * days
  }

  /// Begins a day, `count` days after the last one.
  mutating func begin(after count: Int) {
    today = nil
    // After two years nothing is left of the days before.
    for _ in 0..<min(max(count, 0), 730) {
      falseQuestions *= Self.fading
      days = days * Self.fading + 1
    }
  }

  /// Counts a question with the probability that it is right.
  mutating func ask(_ probability: Double) {
    believed = min(max(probability, 0), Self.trust)
    today = 1 - believed
    falseQuestions += 1 - believed
  }

  /// Counts today's question again, now that it is answered.
  mutating func hear(_ answer: HeartAnswer) {
    guard let before = today else { return }
    let chance = AnswerLikelihood.of(answer)
    let isFalse = (1 - believed) * chance.ifTaken
    let after = isFalse / (isFalse + believed * chance.ifMissed)
    falseQuestions += after - before
    today = after
  }

  /// The logarithm of the odds that the next question needs more; never below zero.
  var caution: Double {
    let excess = falseQuestions / days / (daily * Self.share)
    return max(0, Self.firmness * Exponential.logarithm(excess))
  }
}

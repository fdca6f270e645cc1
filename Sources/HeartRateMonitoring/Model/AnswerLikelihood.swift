// SPDX-License-Identifier: Apache-2.0

/// The probability of each answer in each state.
///
/// People say "taken" although a dose is missing, and now and then the opposite, so no answer decides anything.
enum AnswerLikelihood {
  private static let whenTaken = (taken: 0.88, missed: 0.025)
  private static let whenMissed = (taken: 0.15, missed: 0.70)
  private static let nextMissed: ByGap = [0.03, 0.3, 0.55, 0.75, 0.78, 0.03, 0.03, 0.03]
  private static let missedNow: ByGap = [0, 1, 1, 1, 1, 0, 0, 0]

  /// Returns the days on which a question is right: one dose is missing, or was until now.
  static func window(_ slot: DosingSlot) -> ByGap {
    slot == .evening ? [0, 1, 1, 1, 1, 0, 0, 0] : [0, 1, 1, 1, 1, 1, 1, 0]
  }

  /// Returns the chances of an answer if a dose is missing and if every dose was taken.
  static func of(_ answer: HeartAnswer) -> (ifMissed: Double, ifTaken: Double) {
    switch answer {
    case .taken: (whenMissed.taken, whenTaken.taken)
    case .missed: (whenMissed.missed, whenTaken.missed)
    case .none:
      (1 - whenMissed.taken - whenMissed.missed, 1 - whenTaken.taken - whenTaken.missed)
    }
  }

  static func of(_ answer: HeartAnswer, slot: DosingSlot) -> ByGap {
    // In the evening "today" may mean the dose that shows, yesterday's, or the one still to come.
    let missed = slot == .evening ? missedNow * 0.6 + nextMissed * 0.4 : missedNow
    let taken = 1 - missed
    let chance = of(answer)
    return missed * chance.ifMissed + taken * chance.ifTaken
  }
}

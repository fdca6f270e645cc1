// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The content of an alarm page, computed only from doses.
struct RingModel: Sendable, Hashable {
  /// A dose that needs an answer.
  struct Row: Sendable, Hashable {
    let dose: Dose
    /// The intakes of the same medicine more recent than its minimum gap, which raise a question.
    let question: [Intake]
    /// True if it can be postponed by ``laterMinutes``.
    let canWait: Bool
    /// True if its prescription changed and no one has reviewed the change yet.
    var needsReview = false

    /// True if the person must tick it to decide.
    var isAsked: Bool { needsReview || !question.isEmpty }
  }

  /// The next doses to ring.
  struct Next: Sendable, Hashable {
    let moment: Timestamp
    let rows: [Row]
  }

  /// The data about a person's medicines besides their doses.
  struct Surroundings: Sendable, Hashable {
    /// Intakes within the minimum gap, by plan.
    var withinGap: [PlanID: [Intake]] = [:]
    /// Minimum gaps in milliseconds, by plan.
    var gaps: [PlanID: Int64] = [:]
    /// Plans whose prescription changed and that no one has reviewed yet.
    var plansForReview: Set<PlanID> = []
    /// Plans paused or stopped since a dose was due: it can be answered but no longer rings.
    var silentPlans: Set<PlanID> = []
    /// The times at which doses ring whose reminders are held back.
    var held: [DoseID: Timestamp] = [:]
    /// Doses postponed so often that only their own page can postpone them again.
    var askedWhy: Set<DoseID> = []
  }

  /// The doses that wait for an answer, by the time at which they rang.
  let ringing: [Row]
  let next: Next?
  /// The doses of a group that are settled; on the open alarm page, only recently answered ones.
  let settled: [Dose]

  /// The minutes by which Later postpones.
  static let laterMinutes = 10
  /// The milliseconds within which doses ring together.
  static let groupReach: Int64 = 15 * 60_000
  /// The most doses that ring together.
  static let groupLimit = 16
  /// The milliseconds for which the open alarm page shows answered doses.
  static let answeredReach: Int64 = 15 * 60_000

  /// Creates the content of the open alarm page: the doses to answer now, and those that ring next.
  init(doses: [Dose], _ surroundings: Surroundings = Surroundings(), now: Timestamp) {
    func moment(_ dose: Dose) -> Timestamp { surroundings.held[dose.id] ?? Self.moment(dose) }
    let ordered = doses.sorted { (moment($0), $0.id.text) < (moment($1), $1.id.text) }
    ringing = ordered.filter {
      $0.state == .due && !surroundings.silentPlans.contains($0.plan) && moment($0) <= now
    }
    .prefix(Self.groupLimit).map { Self.row($0, surroundings, now) }
    let ahead = ordered.filter {
      $0.state == .later || $0.state == .scheduled || ($0.state == .due && moment($0) > now)
    }
    settled = ordered.filter { dose in
      guard dose.state.isAnswered, let answer = dose.answer else { return false }
      return answer.recorded > now.adding(milliseconds: -Self.answeredReach)
    }
    guard let first = ahead.first.map(moment) else {
      next = nil
      return
    }
    let end = first.adding(milliseconds: Self.groupReach)
    next = Next(
      moment: first,
      rows: ahead.prefix { moment($0) <= end }.prefix(Self.groupLimit)
        .map { Self.row($0, surroundings, first) })
  }

  /// Creates the content for one group that rang: the open doses, and the outcomes of the others.
  init(group: [Dose], _ surroundings: Surroundings = Surroundings(), now: Timestamp) {
    ringing = group.filter { $0.state == .due }.map { Self.row($0, surroundings, now) }
    settled = group.filter { $0.state != .due }
    next = settled.filter { $0.state == .later || $0.state == .scheduled }.map(Self.moment).min()
      .map { Next(moment: $0, rows: []) }
  }

  /// Returns when a dose rings: the time it was postponed to, else its due time.
  static func moment(_ dose: Dose) -> Timestamp { dose.laterUntil ?? dose.due }

  private static func row(_ dose: Dose, _ surroundings: Surroundings, _ now: Timestamp) -> Row {
    Row(
      dose: dose,
      question: (surroundings.withinGap[dose.plan] ?? []).filter { $0.dose != dose.id },
      canWait: !surroundings.askedWhy.contains(dose.id)
        && LaterChoices.minutes(
          for: dose, minimumGap: surroundings.gaps[dose.plan], now: now
        ).contains(laterMinutes),
      needsReview: surroundings.plansForReview.contains(dose.plan))
  }
}

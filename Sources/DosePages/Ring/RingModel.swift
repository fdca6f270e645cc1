// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// What a ringing page shows: pure, from doses alone.
struct RingModel: Sendable, Hashable {
  /// A dose that asks for an answer.
  struct Row: Sendable, Hashable {
    let dose: Dose
    /// Intakes of the same medicine less than its minimum gap ago: to be asked about.
    let question: [Intake]
    /// Whether there is room to put it off for ``laterMinutes``.
    let canWait: Bool
    /// Whether its prescription changed and nobody has looked at that yet.
    var needsReview = false

    /// Whether the person decides about it by a tick of their own.
    var isAsked: Bool { needsReview || !question.isEmpty }
  }

  /// What rings next.
  struct Next: Sendable, Hashable {
    let moment: Timestamp
    let rows: [Row]
  }

  /// What is known of a person's medicines besides their doses.
  struct Surroundings: Sendable, Hashable {
    /// Intakes within the minimum gap, by plan.
    var withinGap: [PlanID: [Intake]] = [:]
    /// Minimum gaps in milliseconds, by plan.
    var gaps: [PlanID: Int64] = [:]
    /// Plans whose prescription changed and that nobody has looked at yet.
    var plansForReview: Set<PlanID> = []
    /// Plans paused or stopped since a dose of theirs fell due: it takes an answer and rings no more.
    var silentPlans: Set<PlanID> = []
    /// When doses ring whose reminders hold back.
    var held: [DoseID: Timestamp] = [:]
    /// Doses that were put off so often that only their own page puts them off again.
    var askedWhy: Set<DoseID> = []
  }

  /// Waiting for an answer now, by the time at which they rang.
  let ringing: [Row]
  let next: Next?
  /// Those of a group that no longer ask; on the armed page what was answered a moment ago.
  let settled: [Dose]

  /// How long Later puts off, in minutes.
  static let laterMinutes = 10
  /// Doses whose times lie this close ring together, in milliseconds.
  static let groupReach: Int64 = 15 * 60_000
  /// At most so many ring together.
  static let groupLimit = 16
  /// How long the armed page shows what was answered, in milliseconds.
  static let answeredReach: Int64 = 15 * 60_000

  /// The armed page: what waits for a person's answer now, and what rings next.
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

  /// One group that rang: which of its doses still ask, and what became of the others.
  init(group: [Dose], _ surroundings: Surroundings = Surroundings(), now: Timestamp) {
    ringing = group.filter { $0.state == .due }.map { Self.row($0, surroundings, now) }
    settled = group.filter { $0.state != .due }
    next = settled.filter { $0.state == .later || $0.state == .scheduled }.map(Self.moment).min()
      .map { Next(moment: $0, rows: []) }
  }

  /// When a dose rings: when it was put off to, else when it is due.
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

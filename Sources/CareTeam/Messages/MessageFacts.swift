// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Identifiers
import Plans
import Scheduling
import Statistics
import Storage
import Supply

/// A dose, reduced to what the rules for messages need.
package struct MessageDose: Sendable, Hashable {
  /// The dose's identifier as text.
  package let id: String
  /// The plan that expects the dose.
  package let plan: PlanID
  /// The time at which it is due.
  package let due: Timestamp
  /// The end of the time in which it counts as taken on time.
  package let onTimeUntil: Timestamp
  /// The time from which on an unanswered dose counts as missed.
  package let lateUntil: Timestamp
  /// The stored state.
  package let state: DoseState.Stored
  /// The time when the answer in force was recorded; nil without an answer.
  package let recorded: Timestamp?
  /// The reason that the person gave; nil for none.
  package let reason: String?
  /// The name of the person who answered; nil without an answer.
  package let by: String?

  /// Creates a dose.
  package init(
    id: String, plan: PlanID, due: Timestamp, onTimeUntil: Timestamp, lateUntil: Timestamp,
    state: DoseState.Stored, recorded: Timestamp? = nil, reason: String? = nil, by: String? = nil
  ) {
    self.id = id
    self.plan = plan
    self.due = due
    self.onTimeUntil = onTimeUntil
    self.lateUntil = lateUntil
    self.state = state
    self.recorded = recorded
    self.reason = reason
    self.by = by
  }
}

/// A question about the heart rate, reduced to what the rules for messages need.
package struct MessageQuestion: Sendable, Hashable {
  /// The identifier of the question.
  package let id: String
  /// The time when it was asked.
  package let asked: Timestamp
  /// The answer; nil while there is none.
  package let answer: Warning.Answer?
  /// The time of the answer.
  package let answered: Timestamp?
  /// The name of the person who answered.
  package let by: String?

  /// Creates a question.
  package init(
    id: String, asked: Timestamp, answer: Warning.Answer? = nil, answered: Timestamp? = nil,
    by: String? = nil
  ) {
    self.id = id
    self.asked = asked
    self.answer = answer
    self.answered = answered
    self.by = by
  }
}

/// The data about a patient at one time that the rules for messages need.
package struct MessageFacts: Sendable {
  /// The time at which the rules are checked.
  package let now: Timestamp
  /// The patient's time zone, in which days are counted.
  package let zone: Zone
  /// The patient's recent doses, and those of the next hours.
  package var doses: [MessageDose]
  /// The patient's recent questions about the heart rate.
  package var questions: [MessageQuestion]
  /// The stocks that run low or have run out.
  package var stocks: [StockMark]

  /// Creates the data; lists that no rule needs stay empty.
  package init(
    now: Timestamp, zone: Zone, doses: [MessageDose] = [], questions: [MessageQuestion] = [],
    stocks: [StockMark] = []
  ) {
    self.now = now
    self.zone = zone
    self.doses = doses
    self.questions = questions
    self.stocks = stocks
  }

  func day(of instant: Timestamp) -> CivilDate { zone.date(at: Instant(instant)) }
}

/// The data that the sentence of a message is made from: identifiers, times and the person's own
/// words.
package struct CaregiverMessageDetail: Sendable, Hashable {
  /// The plan that the message is about.
  package var plan: PlanID?
  /// The time of the dose or question, or the day on which a medicine runs out.
  package var due: Timestamp?
  /// The reason that the person gave for refusing a dose.
  package var reason: String?
  /// The name of the person who answered.
  package var by: String?
  /// The number of doses or answers that the message sums up.
  package var count: Int?
  /// The number of days in which doses were missed.
  package var days: Int?
  /// The minute of the day by which doses should have been recorded.
  package var minute: Int?
  /// The stock that the message is about.
  package var stock: StockID?

  /// Creates the data; a topic sets only those that its sentence needs.
  package init(
    plan: PlanID? = nil, due: Timestamp? = nil, reason: String? = nil, by: String? = nil,
    count: Int? = nil, days: Int? = nil, minute: Int? = nil, stock: StockID? = nil
  ) {
    self.plan = plan
    self.due = due
    self.reason = reason
    self.by = by
    self.count = count
    self.days = days
    self.minute = minute
    self.stock = stock
  }
}

/// An event that a rule reports.
struct MessageFact: Sendable, Hashable {
  /// The key that distinguishes it from others of its kind.
  let key: String
  /// The time at which it became known.
  let at: Timestamp
  let detail: CaregiverMessageDetail
}

/// Finds the events for rules: a pure function of the known data, independent of its order.
enum MessageEvaluation {
  /// The time after which a question counts as not answered, in milliseconds.
  static let questionPatience: Int64 = 60 * 60_000
  /// The number of consecutive answers that is reported.
  static let running = 3

  /// Returns the events by time, then by key, without those from before the rule.
  static func facts(of rule: MessageRule, in known: MessageFacts) -> [MessageFact] {
    let found: [MessageFact] =
      switch rule.topic {
      case .refused: refused(known)
      case .missed: missed(known).map { fact($0) }
      case .missedOften: often(rule, known)
      case .warning: unanswered(known)
      case .heartYes: yes(known)
      case .morningDone: sleepIn(known)
      case .notRecorded: unrecorded(rule, known)
      case .stockLow: stocks(.low, known)
      case .stockOut: stocks(.out, known)
      case .more: []
      }
    return found.filter { $0.at >= rule.since && $0.at <= known.now }
      .sorted { ($0.at, $0.key) < ($1.at, $1.key) }
  }

  /// Returns the next time at which a rule may find something without new data.
  static func nextMoment(of rule: MessageRule, in known: MessageFacts) -> Timestamp? {
    switch rule.topic {
    case .refused, .heartYes, .morningDone, .stockLow, .stockOut, .more: nil
    case .missed, .missedOften:
      known.doses.filter { $0.state == .open && $0.lateUntil > known.now }.map(\.lateUntil).min()
    case .warning:
      known.questions.filter { $0.answer == nil }
        .map { $0.asked.adding(milliseconds: questionPatience) }.filter { $0 > known.now }.min()
    case .notRecorded:
      (0...1).compactMap { days in
        moment(rule, on: known.day(of: known.now).adding(days: days), known)
      }.first { $0 > known.now }
    }
  }

  private static func refused(_ known: MessageFacts) -> [MessageFact] {
    known.doses.compactMap { dose in
      guard dose.state == .refused, let recorded = dose.recorded else { return nil }
      return MessageFact(
        key: dose.id, at: recorded,
        detail: CaregiverMessageDetail(
          plan: dose.plan, due: dose.due, reason: dose.reason, by: dose.by))
    }
  }

  private static func missed(_ known: MessageFacts) -> [MessageDose] {
    known.doses.filter { $0.state == .open && $0.lateUntil <= known.now }
      .sorted { ($0.lateUntil, $0.id) < ($1.lateUntil, $1.id) }
  }

  private static func fact(_ dose: MessageDose) -> MessageFact {
    MessageFact(
      key: dose.id, at: dose.lateUntil,
      detail: CaregiverMessageDetail(plan: dose.plan, due: dose.due))
  }

  private static func often(_ rule: MessageRule, _ known: MessageFacts) -> [MessageFact] {
    let missed = missed(known)
    let reach = Int64(rule.days) * 86_400_000
    var found: [MessageFact] = []
    var first = 0
    for (index, dose) in missed.enumerated() {
      while missed[first].lateUntil.adding(milliseconds: reach) <= dose.lateUntil { first += 1 }
      let count = index - first + 1
      guard count >= rule.number else { continue }
      found.append(
        MessageFact(
          key: dose.id, at: dose.lateUntil,
          detail: CaregiverMessageDetail(count: count, days: rule.days)))
    }
    return found
  }

  private static func unanswered(_ known: MessageFacts) -> [MessageFact] {
    known.questions.compactMap { question in
      let at = question.asked.adding(milliseconds: questionPatience)
      guard question.answer == nil, at <= known.now else { return nil }
      return MessageFact(
        key: question.id, at: at, detail: CaregiverMessageDetail(due: question.asked))
    }
  }

  private static func yes(_ known: MessageFacts) -> [MessageFact] {
    var found: [MessageFact] = []
    var run = 0
    for question in known.questions.sorted(by: { ($0.asked, $0.id) < ($1.asked, $1.id) }) {
      guard question.answer == .yes else {
        run = 0
        continue
      }
      run += 1
      guard run.isMultiple(of: running), let answered = question.answered else { continue }
      found.append(
        MessageFact(
          key: question.id, at: answered,
          detail: CaregiverMessageDetail(due: question.asked, by: question.by, count: running)))
    }
    return found
  }

  /// Returns the stocks of a kind; one that is out is not also reported as running low.
  private static func stocks(_ kind: StockMark.Kind, _ known: MessageFacts) -> [MessageFact] {
    let out = Set(known.stocks.filter { $0.kind == .out }.map(\.stock))
    return known.stocks.filter { $0.kind == kind && (kind == .out || !out.contains($0.stock)) }
      .map { mark in
        MessageFact(
          key: mark.stock.text, at: mark.since,
          detail: CaregiverMessageDetail(due: mark.runsOut, stock: mark.stock))
      }
  }

  /// Returns true for a dose in the morning, as defined for statistics, on the person's clock.
  private static func isMorning(_ dose: MessageDose, _ known: MessageFacts) -> Bool {
    DayPart(hour: known.zone.local(at: Instant(dose.due)).time.hour) == .morning
  }

  private static func sleepIn(_ known: MessageFacts) -> [MessageFact] {
    let doses = known.doses.filter {
      $0.state != .cancelled && $0.state != .withheld && isMorning($0, known)
    }
    return Dictionary(grouping: doses) { known.day(of: $0.due) }.compactMap { day, doses in
      guard doses.allSatisfy({ $0.state == .taken }),
        let last = doses.compactMap(\.recorded).max()
      else { return nil }
      return MessageFact(
        key: day.text, at: last, detail: CaregiverMessageDetail(count: doses.count))
    }
  }

  private static func moment(
    _ rule: MessageRule, on day: CivilDate, _ known: MessageFacts
  ) -> Timestamp? {
    ClockTime(secondsOfDay: rule.minute * 60)
      .flatMap { known.zone.instant(of: day, at: $0)?.instant }.map { Timestamp($0) }
  }

  /// Returns doses that were not recorded; one that has just become due is not counted.
  private static func unrecorded(_ rule: MessageRule, _ known: MessageFacts) -> [MessageFact] {
    let open = known.doses.filter { $0.state == .open && $0.due <= known.now }
    return Dictionary(grouping: open) { known.day(of: $0.due) }.compactMap { day, doses in
      guard let moment = moment(rule, on: day, known), moment <= known.now else { return nil }
      let late = doses.filter { $0.onTimeUntil <= moment }
      guard let first = late.map(\.due).min() else { return nil }
      return MessageFact(
        key: day.text, at: moment,
        detail: CaregiverMessageDetail(due: first, count: late.count, minute: rule.minute))
    }
  }
}

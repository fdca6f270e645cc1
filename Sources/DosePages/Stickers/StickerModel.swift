// SPDX-License-Identifier: Apache-2.0

import Calendar
import Dosing
import Identifiers
import Plans
import Scheduling
import Storage

/// What a tap on a sticker prepares, computed only from the person's doses.
struct StickerModel: Sendable, Hashable {
  /// The milliseconds for which a taken dose warns against taking the medicine again.
  static let warned: Int64 = 12 * 3_600_000
  /// The milliseconds after an intake in which the next dose of the medicine is not logged at once.
  static let cautious: Int64 = 2 * 3_600_000

  /// An intake of one of the medicines.
  struct Taken: Sendable, Hashable {
    let plan: PlanID
    let name: String
    let at: Timestamp
    let by: String
  }

  /// The doses to answer now: one of each medicine, the one due nearest to now.
  let due: [Dose]
  /// The doses that are answered on their own pages, because something about them must be decided.
  let others: [Dose]
  /// The intakes of a short time ago, the latest first.
  let taken: [Taken]
  /// The next dose that comes.
  let next: Dose?
  /// True if one of the medicines was taken so recently that another intake may be a double dose.
  let isDoubtful: Bool

  /// Sorts the doses of a sticker by what a tap may do with them.
  ///
  /// - Parameters:
  ///   - doses: The person's doses around now, by due time.
  ///   - extras: The intakes of the last hours that answered no dose.
  ///   - review: The plans whose changed prescription waits for a decision.
  init(
    _ sticker: Sticker, doses: [Dose], extras: [Intake] = [], review: Set<PlanID>, zone: Zone,
    now: Timestamp
  ) {
    let own = doses.filter { dose in
      let time = zone.local(at: Instant(milliseconds: dose.due.milliseconds)).time
      return sticker.subject.includes(dose.plan, dueAt: time.hour * 60 + time.minute)
    }
    var nearest: [PlanID: Dose] = [:]
    for dose in own where Self.isDue(dose, at: now) && !review.contains(dose.plan) {
      guard let other = nearest[dose.plan] else {
        nearest[dose.plan] = dose
        continue
      }
      if Self.distance(dose, now) < Self.distance(other, now) { nearest[dose.plan] = dose }
    }
    let chosen = Set(nearest.values.map(\.id))
    due = own.filter { chosen.contains($0.id) }
    others = own.filter { dose in
      guard !chosen.contains(dose.id), dose.due <= now else { return false }
      return dose.state == .due || dose.state == .later || dose.state == .withheld
    }
    // An intake at another hour counts too: the medicine is the same.
    let plans = Set(own.map(\.plan)).union([sticker.plan].compactMap(\.self))
    let answered = doses.compactMap { dose -> Taken? in
      guard let answer = dose.answer, answer.action == .taken else { return nil }
      return Taken(plan: dose.plan, name: dose.medicineName, at: answer.at, by: answer.by)
    }
    let beside = extras.compactMap { intake in
      intake.plan.map {
        Taken(plan: $0, name: intake.medicineName, at: intake.taken, by: intake.by)
      }
    }
    let recent = (answered + beside).filter {
      plans.contains($0.plan) && now.milliseconds - $0.at.milliseconds < Self.warned
    }
    taken = recent.sorted { $0.at > $1.at }
    isDoubtful = recent.contains {
      nearest[$0.plan] != nil && now.milliseconds - $0.at.milliseconds < Self.cautious
    }
    next = own.first { $0.state == .scheduled && $0.due > now && !chosen.contains($0.id) }
  }

  /// Returns true if a dose is due, was put off, or is within its on-time window.
  private static func isDue(_ dose: Dose, at now: Timestamp) -> Bool {
    switch dose.state {
    case .due, .later: true
    case .scheduled: dose.onTimeFrom <= now
    case .taken, .skipped, .refused, .missed, .withheld, .cancelled: false
    }
  }

  private static func distance(_ dose: Dose, _ now: Timestamp) -> Int64 {
    abs(dose.due.milliseconds - now.milliseconds)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// The next step of a reminder whose time has come or that was woken: a pure rule over the row, the state of
/// its doses and the time.
struct ReminderStep: Sendable {
  struct Firing: Sendable, Hashable {
    let step: Int
    let doses: [RingingDose]
  }

  /// The timing of the steps.
  var timing = EscalationTiming.standard
  /// The row to store.
  var row: ReminderRow
  var fires: Firing?
  /// The doses that leave the group but still wake this reminder.
  var leaving: [RingingDose] = []
  /// The doses that a new generation included, with their time to ring.
  var joining: [RingingDose] = []
  /// The doses to process again at their own time.
  var released: [RingingDose] = []
  /// The doses that get reminders of their own.
  var parting: [ReminderGrouping.Group] = []
  /// The doses that did not ring in time.
  var summarised: [RingingDose] = []

  init(_ row: ReminderRow) {
    self.row = row
  }

  /// Returns the step of a reminder by the rule of its kind.
  static func next(
    _ row: ReminderRow, doses: [RingingDose] = [], alert: Alert? = nil,
    timing: EscalationTiming = .standard, now: Timestamp
  ) -> ReminderStep {
    var step = ReminderStep(row)
    step.timing = timing
    step.timing.isCritical =
      alert?.isCritical ?? doses.contains { $0.isCritical && $0.state == .open }
    row.kind.handler.follow(&step, doses: doses, alert: alert, now: now)
    return step
  }

  // MARK: A group of doses

  mutating func group(_ doses: Standing, now: Timestamp) {
    released = doses.moved
    guard !doses.present.isEmpty || !doses.candidates.isEmpty else {
      return finish(doses, now: now)
    }
    leaving = doses.absent.filter { $0.ringsAt != nil }
    // The dose's window closed before anything was handed over, so it did not ring in time.
    if row.handedOver == nil && row.outcome == nil { summarised = doses.expired }
    if doses.present.isEmpty {
      open(doses.candidates, now: now)
    } else {
      parting = ReminderGrouping.groups(doses.candidates)
      ring(for: doses.present, now: now)
    }
  }

  /// Starts the next generation, for doses that were all postponed or reopened.
  private mutating func open(_ candidates: [ReminderGrouping.Candidate], now: Timestamp) {
    var groups = ReminderGrouping.groups(candidates)
    let first = groups.removeFirst()
    parting = groups
    joining = first.doses
    row = row.next(starts: first.starts, due: first.due, ends: first.ends)
    if first.starts <= now { ring(for: first.doses, now: now) }
  }

  mutating func ring(for doses: [RingingDose], now: Timestamp) {
    row.ends = doses.map(\.lateUntil).max() ?? row.ends
    row.due = doses.map(\.due).min() ?? row.due
    if row.kind.handler.climbs {
      timing = timing.following(row, at: now)
      if row.step > 0 { row.escalation = timing.escalation }
    }
    let isTooLate = row.handedOver == nil && now > row.freshUntil
    guard row.step < timing.count(row.kind) else {
      return isTooLate ? summarise(doses, now: now) : wait(for: doses)
    }
    let time = timing.moment(row.step, started: row.started)
    guard now >= time else { return wait(for: doses) }
    // A reminder that was woken by a change of choices was not delayed by an outage.
    let delay = now.milliseconds.subtractingClamped(max(time, row.nextAt).milliseconds)
    // After an outage, the steps of a handed-over reminder continue, shifted by the outage.
    if isTooLate || (delay > EscalationTiming.patience && row.handedOver == nil) {
      return summarise(doses, now: now)
    }
    let unheld = timing.unheld(row.step, started: row.started)
    let shift = now.milliseconds.subtractingClamped(unheld.milliseconds)
    if row.step > 0, timing.held(at: now) != nil {
      // An outage moved it into the quiet hours: like the others it waits for their end.
      row.started = row.started.adding(milliseconds: shift)
      return wait(for: doses)
    }
    fires = Firing(step: row.step, doses: doses)
    // A late or delayed step moves the following ones.
    if shift > EscalationTiming.tolerance { row.started = row.started.adding(milliseconds: shift) }
    if row.kind.handler.climbs { row.escalation = timing.escalation }
    row.step += 1
    wait(for: doses)
  }

  /// Sleeps until the next step or the end; before the first hand-over, at most until it would be too late
  /// for one of the doses.
  private mutating func wait(for doses: [RingingDose]) {
    row.nextAt = row.ends
    if row.step < timing.count(row.kind) {
      row.nextAt = min(timing.moment(row.step, started: row.started), row.ends)
    }
    if row.handedOver == nil {
      let firstEnd = doses.map(\.lateUntil).min() ?? row.ends
      row.nextAt = min(row.nextAt, firstEnd, row.freshUntil.adding(milliseconds: 1))
    }
  }

  private mutating func summarise(_ doses: [RingingDose], now: Timestamp) {
    summarised += doses
    row.close(row.handedOver == nil ? .missed : .expired, at: now)
  }

  /// Closes the reminder because no dose is left to ring for.
  private mutating func finish(_ doses: Standing, now: Timestamp) {
    if let before = row.outcome {
      let isAnswered = doses.absent.contains(where: \.isAnswered) && doses.expired.isEmpty
      return row.close(isAnswered ? .answered : before, at: now)
    }
    if !doses.expired.isEmpty {
      if row.handedOver == nil { return summarise(doses.expired, now: now) }
      return row.close(.expired, at: now)
    }
    row.close(doses.absent.contains(where: \.isAnswered) ? .answered : .cancelled, at: now)
  }

  // MARK: A summary

  mutating func summary(_ doses: Standing, now: Timestamp) {
    leaving = doses.absent.filter { $0.ringsAt != nil }
    released = doses.moved
    parting = ReminderGrouping.groups(doses.candidates)
    let told = doses.present + doses.expired
    if row.outcome != nil || told.isEmpty {
      let isAnswered = told.isEmpty && doses.absent.contains(where: \.isAnswered)
      return row.close(isAnswered ? .answered : row.outcome ?? .cancelled, at: now)
    }
    if row.step == 0 {
      fires = Firing(step: 0, doses: told.sorted(by: RingingDose.inOrder))
      row.step = 1
      row.nextAt = row.ends
    } else if now >= row.ends {
      row.close(row.handedOver == nil ? .unreachable : .expired, at: now)
    } else {
      row.nextAt = row.ends
    }
  }

  // MARK: A notice

  mutating func notice(now: Timestamp) {
    if row.step == 0, row.outcome == nil, now < row.ends {
      fires = Firing(step: 0, doses: [])
      row.step = 1
      row.nextAt = row.ends
    } else {
      test(now: now)
    }
  }

  // MARK: A question

  /// Sends a question to those who act for the patient, and to the family if no one has answered by
  /// then.
  mutating func question(now: Timestamp) {
    timing = timing.following(row, at: now)
    if row.step > 0 { row.escalation = timing.escalation }
    let count = timing.count(row.kind)
    guard row.outcome == nil, now < row.ends, row.step < count else { return test(now: now) }
    if row.step > 0, let end = timing.held(at: now) {
      row.nextAt = min(row.ends, end)
      return
    }
    if now >= timing.moment(row.step, started: row.started) {
      row.escalation = timing.escalation
      fires = Firing(step: row.step, doses: [])
      // A late question moves the next step: the family is informed only of a question that was asked.
      let unheld = timing.unheld(row.step, started: row.started)
      let shift = now.milliseconds.subtractingClamped(unheld.milliseconds)
      if shift > EscalationTiming.tolerance {
        row.started = row.started.adding(milliseconds: shift)
      }
      row.step += 1
    }
    row.nextAt = row.ends
    if row.step < count {
      row.nextAt = min(row.ends, timing.moment(row.step, started: row.started))
    }
  }

  // MARK: A test

  mutating func test(now: Timestamp) {
    if now >= row.ends {
      row.close(row.handedOver == nil ? .missed : .expired, at: now)
    } else {
      row.nextAt = row.ends
    }
  }
}

extension ReminderStep {
  /// The doses of a reminder, sorted by their effect on it.
  struct Standing {
    /// Doses in the group, as they were added.
    var present: [RingingDose] = []
    /// Postponed or reopened doses, which ring from another time on.
    var candidates: [ReminderGrouping.Candidate] = []
    /// Doses moved by an edit, or reopened before they are due.
    var moved: [RingingDose] = []
    /// Open doses past their late window.
    var expired: [RingingDose] = []
    /// Doses that are answered, cancelled or withheld, or whose plan is not active.
    var absent: [RingingDose] = []

    init(_ doses: [RingingDose], row: ReminderRow, now: Timestamp) {
      let wasClosed = row.outcome != nil
      for dose in doses {
        if dose.state != .open || !dose.isPlanActive {
          absent.append(dose)
        } else if now >= dose.lateUntil {
          // A dose that left before its window closed was answered or cancelled.
          if dose.ringsAt == nil { absent.append(dose) } else { expired.append(dose) }
        } else if dose.ringsAt == dose.ring && (row.kind == .summary || !wasClosed) {
          present.append(dose)
        } else if let later = dose.laterUntil {
          candidates.append(.init(dose: dose, from: later))
        } else if dose.due > now {
          let away = dose.due.milliseconds.subtractingClamped(row.begin.milliseconds)
          let stays =
            dose.ringsAt != nil && !wasClosed
            && away.magnitude <= ReminderGrouping.windowMilliseconds.magnitude
          if stays { present.append(dose) } else { moved.append(dose) }
        } else {
          candidates.append(.init(dose: dose, from: min(now, row.nextAt)))
        }
      }
      present.sort(by: RingingDose.inOrder)
    }
  }
}

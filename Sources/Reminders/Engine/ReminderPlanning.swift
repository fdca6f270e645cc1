// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

extension ReminderEngine {
  /// Runs one round of planning: groups doses that are due to ring, and advances reminders that are due or
  /// that an answer woke.
  ///
  /// It plans deliveries for escalation steps, starts generations and closes reminders that have ended. It
  /// handles at most `limit` doses and as many reminders; repeat until the count is zero.
  package static func plan(
    limit: Int, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> ReminderRound {
    var planning = ReminderPlanning(context: context, writer: writer)
    try context.sources.alarms.takeUp(limit: limit, in: &planning)
    try planning.moveOn(limit: limit)
    try planning.takeUp(limit: limit)
    try planning.summarise()
    try planning.fire()
    return planning.round
  }
}

/// One round of planning within one transaction.
package struct ReminderPlanning {
  let context: ReminderContext
  let writer: any SQLWriter
  private(set) var round = ReminderRound()
  /// The doses that did not ring in time, by patient.
  private var missed: [PatientID: [RingingDose]] = [:]
  /// The steps that wait for their recipients, with `isNew` for a row that is not stored yet.
  private var firings: [(step: ReminderStep, firing: ReminderStep.Firing, isNew: Bool)] = []

  /// A cache of the patients' choices.
  private var timings: [PatientID: EscalationTiming] = [:]

  private var now: Timestamp { context.now }

  init(context: ReminderContext, writer: any SQLWriter) {
    self.context = context
    self.writer = writer
  }

  /// Counts a change for a patient.
  mutating func count(_ patient: PatientID) {
    round.count += 1
    round.changedPatients.insert(patient)
  }

  // MARK: Reminders whose time has come

  mutating func moveOn(limit: Int) throws(StorageError) {
    let rows = try ReminderStore.due(now, limit: limit, in: writer)
    guard !rows.isEmpty else { return }
    let doses = try RingingDoses.of(rows.map(\.subject), in: writer)
    let alerts = try AlertRows.of(rows.filter(\.kind.isAlert), in: writer)
    try lookUp(Set(rows.map(\.patient)))
    for row in rows {
      round.count += 1
      let handler = row.kind.handler
      var alert = alerts[row.subject]
      if try !handler.stands(row, alert, context, in: writer) {
        guard let open = alert else {
          var over = ReminderStep(row)
          over.row.close(.cancelled, at: now)
          try take(over, before: row)
          continue
        }
        alert = try AlertCommands.calledOff(open, at: now, in: writer)
      }
      let timing = handler.timing(of: row, from: timings[row.patient] ?? .standard)
      try take(
        ReminderStep.next(
          row, doses: doses[row.subject] ?? [], alert: alert, timing: timing, now: now),
        before: row)
    }
  }

  private mutating func lookUp(_ patients: Set<PatientID>) throws(StorageError) {
    let found = try EscalationReading.timings(
      patients.sorted(), zones: context.zones, in: writer)
    timings.merge(found) { _, new in new }
  }

  private mutating func take(_ step: ReminderStep, before: ReminderRow?) throws(StorageError) {
    let subject = step.row.subject
    round.changedPatients.insert(step.row.patient)
    for dose in step.leaving { try DoseStore.leave(dose, in: writer) }
    for dose in step.released { try DoseStore.release(dose.key, in: writer) }
    for dose in step.joining { try DoseStore.put(dose, into: subject, in: writer) }
    for group in step.parting { try open(group, patient: step.row.patient) }
    if !step.summarised.isEmpty { missed[step.row.patient, default: []] += step.summarised }
    if let firing = step.fires {
      firings.append((step, firing, before == nil))
      return
    }
    if let before {
      if step.row != before { try ReminderStore.update(step.row, in: writer) }
      if step.row.state == .closed {
        try DeliveryStore.finish(step.row, wasOutcome: before.outcome, now: now, in: writer)
      }
    } else {
      try ReminderStore.insert(step.row, in: writer)
    }
  }

  /// Adds a reminder for doses that ring together; it rings at once if its time has come.
  private mutating func open(_ group: ReminderGrouping.Group, patient: PatientID)
    throws(StorageError)
  {
    let row = ReminderRow(
      patient: patient, subject: context.newID(), kind: .doses, starts: group.starts,
      due: group.due, ends: group.ends, opened: now)
    for dose in group.doses { try DoseStore.put(dose, into: row.subject, in: writer) }
    let doses = group.doses.map(\.takenIn)
    let step =
      group.starts <= now
      ? ReminderStep.next(row, doses: doses, timing: timings[patient] ?? .standard, now: now)
      : ReminderStep(row)
    try take(step, before: nil)
  }

  // MARK: Doses whose time to ring has come

  mutating func takeUp(limit: Int) throws(StorageError) {
    let began = try ReminderClock.began(now, in: writer)
    let waiting = try RingingDoses.waiting(now, limit: limit, in: writer)
    guard let first = waiting.values.min() else { return }
    try lookUp(Set(waiting.keys))
    // A postponed dose was due before those that ring with it.
    let found = try RingingDoses.open(
      of: Array(waiting.keys), dueFrom: first,
      ringingUntil: now.adding(milliseconds: ReminderGrouping.windowMilliseconds), in: writer)
    let sleepIn = try SleepIn.of(Array(waiting.keys), zones: context.zones, in: writer)
    for (patient, doses) in found {
      var fresh: [ReminderGrouping.Candidate] = []
      var held: [ReminderGrouping.Candidate] = []
      for dose in doses {
        let isDue = dose.ring <= now
        // On weekends and holidays the reminder is delayed, not the dose.
        let opens = sleepIn[patient]?.rings(dose) ?? dose.ring
        if opens > max(now, dose.ring) {
          if isDue, dose.mayRing(at: now) {
            round.count += 1
            held.append(.init(dose: dose, from: opens))
          }
          if dose.mayRing(at: now) { continue }
        }
        // A reopened dose counts as new from then on; setting the clock back does not delay it.
        let freshFrom = dose.wasHeld ? now : dose.ringsAt ?? max(dose.ring, opens)
        let from = isDue ? min(freshFrom, now) : dose.ring
        if isDue { round.count += 1 }
        if isDue && !dose.isPlanActive {
          try DoseStore.neverRing(dose, in: writer)
        } else if isDue && !isFresh(dose, from: from) {
          // Skips doses missed before reminders were enabled.
          if from.adding(milliseconds: ReminderRow.freshMilliseconds) < began {
            try DoseStore.neverRing(dose, in: writer)
          } else {
            missed[patient, default: []].append(dose)
          }
        } else if dose.mayRing(at: now) {
          fresh.append(.init(dose: dose, from: from))
        }
      }
      for group in ReminderGrouping.groups(fresh) where group.starts <= now {
        try open(group, patient: patient)
      }
      for group in ReminderGrouping.groups(held) { try hold(group, patient: patient) }
    }
  }

  /// Adds doses to the reminder that waits for the same time, or to a new one.
  private mutating func hold(_ group: ReminderGrouping.Group, patient: PatientID)
    throws(StorageError)
  {
    let waiting = try ReminderStore.ringing(patients: [patient], in: writer).first {
      $0.kind == .doses && $0.step == 0 && $0.outcome == nil && $0.started == group.starts
    }
    guard let waiting else { return try open(group, patient: patient) }
    for dose in group.doses { try DoseStore.put(dose, into: waiting.subject, in: writer) }
  }

  private func isFresh(_ dose: RingingDose, from: Timestamp) -> Bool {
    now < dose.lateUntil
      && now <= from.adding(milliseconds: ReminderRow.freshMilliseconds)
  }

  // MARK: Doses that did not ring in time

  /// Plans one summary for each person.
  ///
  /// A summary that was not handed over yet also takes in later doses and is planned again.
  mutating func summarise() throws(StorageError) {
    guard !missed.isEmpty else { return }
    let waiting = try ReminderStore.ringing(patients: Array(missed.keys), in: writer)
      .filter { $0.kind == .summary && $0.handedOver == nil && $0.step > 0 && now < $0.ends }
    let told = try RingingDoses.of(waiting.map(\.subject), in: writer)
    for (patient, doses) in missed {
      round.missedDoses += doses.count
      let sorted = doses.sorted(by: RingingDose.inOrder)
      guard let earliest = sorted.first?.due else { continue }
      let ends = now.adding(milliseconds: Self.summaryMilliseconds)
      if let before = waiting.first(where: { $0.patient == patient }) {
        for dose in sorted { try DoseStore.put(dose, into: before.subject, in: writer) }
        let row = before.next(starts: now, due: min(before.due, earliest), ends: ends)
        let all = (told[before.subject] ?? []) + sorted.map(\.takenIn)
        try take(ReminderStep.next(row, doses: all, now: now), before: before)
        continue
      }
      let row = ReminderRow(
        patient: patient, subject: context.newID(), kind: .summary, starts: now,
        due: earliest, ends: ends, opened: now)
      for dose in sorted { try DoseStore.put(dose, into: row.subject, in: writer) }
      try take(
        ReminderStep.next(row, doses: sorted.map(\.takenIn), now: now), before: nil)
    }
  }

  /// The time for which a summary is sent, in milliseconds.
  private static let summaryMilliseconds: Int64 = 12 * 3_600_000

  // MARK: Deliveries

  /// Plans the deliveries of the steps, one for every current address of its recipients.
  mutating func fire() throws(StorageError) {
    guard !firings.isEmpty else { return }
    let patients = Array(Set(firings.map(\.step.row.patient)))
    var recipients = try ReminderRecipients.of(patients, at: now, in: writer)
    let accounts = Set(recipients.values.joined().map(\.account))
    if try PushSubscriptions.removeOfExpiredTokens(of: accounts, at: now, in: writer) > 0 {
      recipients = try ReminderRecipients.of(patients, at: now, in: writer)
    }
    for (step, firing, isNew) in firings {
      var row = step.row
      let handler = row.kind.handler
      let told =
        try handler.recipients(of: row, context, in: writer) ?? recipients[row.patient] ?? []
      let addresses = handler.addresses(
        firing, of: step, told: told, mailIsPossible: context.mailIsPossible, now: now)
      // A question that reaches no one may still go to the family.
      let isLast = row.step >= step.timing.count(row.kind)
      if handler.isToldOnce, addresses.isEmpty, row.handedOver == nil, isLast,
        try !DeliveryStore.isWaiting(row, in: writer)
      {
        row.close(.unreachable, at: now)
      }
      if isNew {
        try ReminderStore.insert(row, in: writer)
      } else {
        try ReminderStore.update(row, in: writer)
      }
      let doses = firing.doses.map(\.key.text).joined(separator: "\n")
      for address in addresses {
        try DeliveryStore.plan(
          context.newID(), row: row, step: firing.step, to: address, doses: doses,
          now: now, in: writer)
        round.planned[address.channel, default: 0] += 1
      }
      for dose in firing.doses {
        round.rungDoses.append(EscalationDose(patient: row.patient, dose: dose.key))
      }
    }
  }
}

extension RingingDose {
  /// The dose after a reminder has taken it in.
  var takenIn: RingingDose {
    RingingDose(
      key: key, due: due, lateUntil: lateUntil, laterUntil: laterUntil, state: state,
      isPlanActive: isPlanActive, ringsAt: ring, isCritical: isCritical)
  }
}

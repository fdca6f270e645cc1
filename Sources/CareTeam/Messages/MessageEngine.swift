// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HeartRate
import Identifiers
import People
import Plans
import Reminders
import Scheduling
import Storage

/// The engine that checks patients about whom others receive messages.
///
/// Each check of a patient is one transaction, so that a process that ends between two of them neither loses
/// nor repeats a message.
package enum MessageEngine {
  /// The time for which a message is sent to a device, in milliseconds; it stays in the inbox.
  static let worth: Int64 = 12 * 3_600_000

  /// Returns the patients who are due for a check, those who have waited longest first.
  package static func waiting(_ now: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [PatientID]
  {
    try reader.query(
      "SELECT patient FROM message_checks WHERE next_look <= $1 ORDER BY next_look LIMIT $2",
      [SQLValue(now), SQLValue(limit)]
    ).values()
  }

  /// Returns the time of the next check of any patient; nil if no rule is set.
  package static func nextMoment(in reader: any SQLReader) throws(StorageError) -> Timestamp? {
    try reader.first("SELECT next_look FROM message_checks ORDER BY next_look LIMIT 1")?.value()
  }

  /// Checks one patient: plans the messages that the rules ask for, and delivers those that are
  /// due.
  ///
  /// It does nothing if the patient is not due, or if another process checks them at the moment.
  ///
  /// - Returns: True if a message was delivered.
  package static func look(
    at patient: PatientID, _ context: ReminderContext, in writer: any SQLWriter
  ) throws -> Bool {
    let now = context.now
    let row = try writer.first(
      """
      SELECT next_look FROM message_checks WHERE patient = $1 AND next_look <= $2
        /*postgresql FOR UPDATE SKIP LOCKED */
      """, [.text(patient), SQLValue(now)])
    guard row != nil else { return false }
    let recipients = try MessageReading.recipients(
      of: patient, accounts: context.accounts, zones: context.zones, at: now, in: writer)
    let rules = recipients.flatMap(\.standing)
    let facts = try MessageReading.facts(
      of: patient, for: rules, zones: context.zones, at: now, in: writer)
    let first = facts.day(of: now).adding(days: -MessagePlan.daysBack)
    let known = try CaregiverMessageRows.of(patient, from: first, in: writer)
    let plan = MessagePlan(recipients: recipients, facts: facts, known: known)
    let isTold = try carryOut(plan, patient, recipients, context, in: writer)
    // When something is shared again, the rules apply again; a patient without any rule is not checked.
    if recipients.allSatisfy(\.rules.isEmpty) {
      try MessageCheckStore.end(patient, in: writer)
    } else {
      try MessageCheckStore.setNext(plan.next, of: patient, in: writer)
    }
    return isTold
  }

  private static func carryOut(
    _ plan: MessagePlan, _ patient: PatientID, _ recipients: [MessageRecipient],
    _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let now = context.now
    for (notice, more) in plan.counted {
      try CaregiverMessageStore.count(more, in: notice, patient: patient, at: now, in: writer)
    }
    for (notice, state) in plan.ended {
      try CaregiverMessageStore.end(notice, state, patient: patient, at: now, in: writer)
    }
    var due = plan.told.map { (id: $0.id, account: $0.account, way: $0.way, at: $0.happened) }
    for new in plan.new {
      let id = context.newIdentifier()
      guard try CaregiverMessageStore.add(new, id: id, patient: patient, at: now, in: writer) else {
        continue
      }
      if new.tellAt <= now { due.append((id, new.account, new.way, new.fact.at)) }
    }
    for notice in due {
      let recipient = recipients.first { $0.account == notice.account }
      var subject: ReminderID?
      // A recipient who muted notifications finds it in the inbox.
      if let recipient, !recipient.isMuted(at: now) {
        subject =
          notice.way == .atOnce
          ? try remind(patient, due: notice.at, context, in: writer)
          : try digest(of: recipient, patient, context, in: writer)
      }
      try CaregiverMessageStore.tell(
        notice.id, patient: patient, subject: subject, at: now, in: writer)
    }
    return !due.isEmpty
  }

  /// Plans the reminder that delivers a message.
  private static func remind(
    _ patient: PatientID, due: Timestamp, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> ReminderID {
    let subject: ReminderID = context.newID()
    try ReminderStore.insert(
      ReminderRow(
        patient: patient, subject: subject, kind: .news, starts: context.now, due: due,
        ends: context.now.adding(milliseconds: worth), opened: context.now), in: writer)
    return subject
  }

  /// Plans the single reminder of a recipient's daily digest, for all patients.
  private static func digest(
    of recipient: MessageRecipient, _ patient: PatientID, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> ReminderID {
    let day = recipient.zone.date(at: Instant(context.now)).text
    let arguments = [SQLValue.text(recipient.account), .text(day)]
    if let subject: ReminderID = try writer.first(
      "SELECT subject FROM message_digests WHERE account = $1 AND day = $2", arguments)?.value()
    {
      return subject
    }
    let subject = try remind(patient, due: context.now, context, in: writer)
    try writer.execute(
      "INSERT INTO message_digests (account, day, subject) VALUES ($1, $2, $3)",
      arguments + [.text(subject)])
    return subject
  }

  /// Schedules a check of a person now, because of an answer or a new choice.
  static func wake(_ patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try MessageCheckStore.wake(patient, at: now, in: writer)
  }

  /// Deletes messages that last changed before a time, and records of digests from earlier days.
  ///
  /// - Returns: the number of deleted messages, at most `limit`.
  package static func forgetOld(
    before: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      "DELETE FROM message_digests WHERE day < $1",
      [.text(Zone.utc.date(at: Instant(before)).text)])
    return try CaregiverMessageStore.deleteOld(before: before, limit: limit, in: writer)
  }
}

extension MessageEngine {
  /// Postpones the check of a patient, because it failed.
  package static func postpone(
    _ patient: PatientID, until later: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try MessageCheckStore.postpone(patient, until: later, in: writer)
  }
}

extension AnswerConsequence {
  /// The consequence of an answer: the patient's rules for messages are checked again.
  package static let messages = AnswerConsequence("messages") {
    (recorded, ledger) throws(AnswerError) in
    guard recorded.place.plan != nil,
      recorded.possible.mayWakeMessages(at: ledger.context.now)
    else { return }
    try storing { () throws(StorageError) in
      try MessageEngine.wake(ledger.patient, at: ledger.context.now, in: ledger.writer)
    }
  }
}

extension WarningConsequence {
  /// The consequence of a heart rate warning: the patient's rules for messages are checked again.
  package static let messages = WarningConsequence(
    "messages"
  ) { (patient, now, writer) throws(StorageError) in
    try MessageEngine.wake(patient, at: now, in: writer)
  }
}

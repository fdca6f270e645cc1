// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension ReminderEngine {
  /// Writes down what became of claimed deliveries.
  ///
  /// A result whose attempt is not the delivery's own, because its lease ran out and another took
  /// it over, changes nothing. Where an address is gone or cannot be used, mail takes over at once.
  package static func complete(
    _ results: [DeliveryResult], _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {
    let completion = ReminderCompletion(context: context, writer: writer)
    var handedOver: [Int64: [SQLValue]] = [:]
    for result in results {
      switch result.outcome {
      case .handedOver: handedOver[result.attempt, default: []].append(.text(result.delivery))
      case .gone: try completion.end(result, as: .gone, trouble: nil)
      case .failed(let trouble): try completion.end(result, as: .failed, trouble: trouble)
      case .retry(let seconds, let trouble):
        try completion.retry(result, afterSeconds: seconds, trouble: trouble)
      }
    }
    for (attempt, ids) in handedOver { try completion.handedOver(ids, attempt: attempt) }
  }
}

struct ReminderCompletion {
  let context: ReminderContext
  let writer: any SQLWriter

  private var now: Timestamp { context.now }

  func handedOver(_ ids: [SQLValue], attempt: Int64) throws(StorageError) {
    let rows = try writer.query(
      """
      UPDATE deliveries SET state = 'done', outcome = 'handedOver', handed_over = $1,
        lease_until = NULL, trouble = NULL, changed = $1
      WHERE attempt = $2 AND state = 'waiting' AND delivery IN (
      """, [SQLValue(now), .integer(attempt)], in: ids,
      " RETURNING subject, generation, channel, address")
    var subjects: [Int64: Set<String>] = [:]
    var devices: [String: Int64] = [:]
    for row in rows {
      subjects[try row.integer(1), default: []].insert(try row.text(0))
      if try row.text(2) == ReminderChannel.push.rawValue {
        devices[try row.text(3), default: 0] += 1
      }
    }
    for (generation, subjects) in subjects {
      try writer.execute(
        """
        UPDATE reminders SET handed_over = $1
        WHERE handed_over IS NULL AND generation = $2 AND subject IN (
        """, [SQLValue(now), .integer(generation)], in: subjects.map { .text($0) })
    }
    for (count, ids) in Dictionary(grouping: devices.keys, by: { devices[$0] ?? 1 }) {
      try PushSubscriptions.handedOver(
        count, to: ids.map { DeviceID($0) }, at: now, in: writer)
    }
  }

  /// Sets the next try: when the service asked for it, else after 1, 2, 4 … 60 seconds, a fifth
  /// more or less.
  func retry(_ result: DeliveryResult, afterSeconds: Int?, trouble: String)
    throws(StorageError)
  {
    if result.attempt >= Self.mostCalls, try isCallOrText(result) {
      return try end(result, as: .failed, trouble: trouble)
    }
    let delay = Self.delay(
      attempt: result.attempt, afterSeconds: afterSeconds, jitter: result.jitter)
    try writer.execute(
      """
      UPDATE deliveries SET next_try = $1, lease_until = NULL, trouble = $2, changed = $3
      WHERE patient = $4 AND delivery = $5 AND attempt = $6 AND state = 'waiting'
      """,
      [
        SQLValue(now.adding(milliseconds: delay)), .text(trouble), SQLValue(now),
        .text(result.patient), .text(result.delivery), .integer(result.attempt),
      ])
  }

  /// How often one text or call is tried: a gateway that gives no answer may have placed it all the same.
  private static let mostCalls = 4

  private func isCallOrText(_ result: DeliveryResult) throws(StorageError) -> Bool {
    let row = try writer.first(
      "SELECT channel FROM deliveries WHERE patient = $1 AND delivery = $2",
      [.text(result.patient), .text(result.delivery)])
    let channel = try row?.text(0)
    return channel == ReminderChannel.sms.rawValue || channel == ReminderChannel.call.rawValue
  }

  /// In milliseconds; a service is not obeyed beyond an hour, when nothing is fresh any more.
  static func delay(attempt: Int64, afterSeconds: Int?, jitter: Double) -> Int64 {
    if let afterSeconds { return Int64(min(max(afterSeconds, 1), 3_600)) * 1_000 }
    let seconds = attempt >= 7 ? 60 : min(60, 1 << max(attempt - 1, 0))
    let factor = 0.8 + 0.4 * min(max(jitter.isFinite ? jitter : 0.5, 0), 1)
    return Int64(Double(seconds) * 1_000 * factor)
  }

  /// Ends a delivery that will not get through; the next channel takes over at once.
  func end(_ result: DeliveryResult, as outcome: DeliveryOutcome, trouble: String?)
    throws(StorageError)
  {
    let row = try writer.query(
      """
      UPDATE deliveries SET state = 'done', outcome = $1, lease_until = NULL, trouble = $2,
        changed = $3
      WHERE patient = $4 AND delivery = $5 AND attempt = $6 AND state = 'waiting'
      RETURNING subject, generation, rung, recipient, channel, address, doses
      """,
      [
        .text(outcome.rawValue), SQLValue(trouble), SQLValue(now), .text(result.patient),
        .text(result.delivery), .integer(result.attempt),
      ]
    ).first
    guard let row else { return }
    let channel: ReminderChannel = try row.named(4)
    guard channel != .mail else { return }
    if outcome == .gone, channel == .push {
      try PushSubscriptions.bury(try row.id(5), at: now, in: writer)
    }
    try takeOver(row, from: channel)
  }

  /// Plans the next channels for the same rung: for a push the other ways and mail, unless another device of
  /// the recipient works; for others the devices that work, else mail.
  ///
  /// What may not go out in the quiet hours is held back when it is claimed, like everything.
  private func takeOver(_ row: SQLRow, from channel: ReminderChannel) throws(StorageError) {
    let (subject, recipient, failed) = (
      try row.text(0), try row.id(3) as AccountID, try row.text(5)
    )
    guard let reminder = try ReminderRows.one(subject, in: writer),
      reminder.kind != .test, reminder.outcome == nil,
      reminder.generation == (try row.integer(1))
    else { return }
    let rung = Int(clamping: try row.integer(2))
    let recipients =
      switch reminder.kind {
      case .news: try SentReminders.recipients(of: reminder, in: writer)
      case .message:
        try [ChatNotices.recipient(of: subject, patient: reminder.patient, at: now, in: writer)]
          .compactMap(\.self)
      default:
        try ReminderRecipients.of([reminder.patient], at: now, in: writer)[reminder.patient] ?? []
      }
    guard let person = recipients.first(where: { $0.account == recipient }) else { return }
    let working = person.devices.filter { $0.subscription != failed && !$0.isBroken(at: now) }
    var instead: [RungAddress] = []
    if reminder.kind == .message {
      if working.isEmpty, channel == .push {
        instead = person.of(ReminderRecipient.quietChannels)
      }
      if working.isEmpty, context.mailIsPossible, !person.isMailboxSilent {
        instead.append(
          RungAddress(recipient: recipient, channel: .mail, address: RungAddress.mailbox))
      }
    } else if reminder.kind == .lead || reminder.kind.isCalm {
      if working.isEmpty, channel == .push {
        instead = person.of(ReminderRecipient.quietChannels)
      }
    } else if !working.isEmpty {
      guard channel != .push else { return }
      instead = working.map {
        RungAddress(recipient: recipient, channel: .push, address: $0.subscription)
      }
    } else {
      if channel == .push { instead = person.others }
      if context.mailIsPossible, !person.isMailboxSilent {
        instead.append(
          RungAddress(recipient: recipient, channel: .mail, address: RungAddress.mailbox))
      }
    }
    for address in instead {
      try DeliveryRows.plan(
        context.newID(), row: reminder, rung: rung, to: address, doses: try row.text(6),
        now: now, in: writer)
    }
  }
}

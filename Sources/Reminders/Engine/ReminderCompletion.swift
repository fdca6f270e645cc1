// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension ReminderEngine {
  /// Records the results of claimed deliveries.
  ///
  /// A result changes nothing if its attempt is not the current one, because the lease ran out and another
  /// process took over. If an address no longer exists or cannot be used, mail takes over at once.
  package static func complete(
    _ results: [DeliveryResult], _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {
    let completion = ReminderCompletion(context: context, writer: writer)
    var handedOver: [Int64: [DeliveryID]] = [:]
    for result in results {
      switch result.outcome {
      case .handedOver: handedOver[result.attempt, default: []].append(result.delivery)
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

  func handedOver(_ ids: [DeliveryID], attempt: Int64) throws(StorageError) {
    var subjects: [Int64: Set<ReminderID>] = [:]
    var devices: [String: Int64] = [:]
    for delivery in try DeliveryStore.handedOver(ids, attempt: attempt, at: now, in: writer) {
      subjects[delivery.generation, default: []].insert(delivery.subject)
      if delivery.channel == .push { devices[delivery.address, default: 0] += 1 }
    }
    for (generation, subjects) in subjects {
      try ReminderStore.handedOver(subjects, generation: generation, at: now, in: writer)
    }
    for (count, ids) in Dictionary(grouping: devices.keys, by: { devices[$0] ?? 1 }) {
      try PushSubscriptions.handedOver(
        count, to: ids.map { DeviceID($0) }, at: now, in: writer)
    }
  }

  /// Schedules the next attempt: when the service asked for it, otherwise after 1, 2, 4 … 60 seconds, varied
  /// by a fifth.
  func retry(_ result: DeliveryResult, afterSeconds: Int?, trouble: String)
    throws(StorageError)
  {
    if result.attempt >= Self.mostCalls, try isCallOrText(result) {
      return try end(result, as: .failed, trouble: trouble)
    }
    let delay = Self.delay(
      attempt: result.attempt, afterSeconds: afterSeconds, jitter: result.jitter)
    try DeliveryStore.retry(
      result, at: now.adding(milliseconds: delay), trouble: trouble, now: now, in: writer)
  }

  /// The maximum number of attempts for a text or call: a gateway that does not answer may still have placed
  /// it.
  private static let mostCalls = 4

  private func isCallOrText(_ result: DeliveryResult) throws(StorageError) -> Bool {
    try DeliveryStore.channel(of: result.delivery, patient: result.patient, in: writer)?.isPhone
      ?? false
  }

  /// Returns the delay in milliseconds; at most an hour, because nothing is current after that.
  static func delay(attempt: Int64, afterSeconds: Int?, jitter: Double) -> Int64 {
    if let afterSeconds { return Int64(min(max(afterSeconds, 1), 3_600)) * 1_000 }
    let seconds = attempt >= 7 ? 60 : min(60, 1 << max(attempt - 1, 0))
    let factor = 0.8 + 0.4 * min(max(jitter.isFinite ? jitter : 0.5, 0), 1)
    return Int64(Double(seconds) * 1_000 * factor)
  }

  /// Ends a delivery that cannot be delivered; the next channel takes over at once.
  func end(_ result: DeliveryResult, as outcome: DeliveryOutcome, trouble: String?)
    throws(StorageError)
  {
    let ended = try DeliveryStore.end(
      result, as: outcome, trouble: trouble, at: now, in: writer)
    guard let ended, ended.channel != .mail else { return }
    if outcome == .gone, ended.channel == .push {
      try PushSubscriptions.bury(DeviceID(ended.address), at: now, in: writer)
    }
    try takeOver(ended)
  }

  /// Plans the next channels for the same step.
  private func takeOver(_ ended: EndedDelivery) throws(StorageError) {
    guard let reminder = try ReminderStore.one(ended.subject, in: writer),
      reminder.outcome == nil, reminder.generation == ended.generation,
      !reminder.kind.handler.provesAddress,
      let person = try recipients(of: reminder).first(where: { $0.account == ended.recipient })
    else { return }
    let failed = FailedAddress(
      channel: ended.channel, person: person,
      working: person.devices.filter {
        $0.subscription != ended.address && !$0.isBroken(at: now)
      },
      mailIsPossible: context.mailIsPossible)
    for address in reminder.kind.handler.addresses(insteadOf: failed) {
      try DeliveryStore.plan(
        context.newID(), row: reminder, step: ended.step, to: address, doses: ended.doses,
        now: now, in: writer)
    }
  }

  private func recipients(of reminder: ReminderRow) throws(StorageError) -> [ReminderRecipient] {
    let handler = reminder.kind.handler
    if let own = try handler.recipients(of: reminder, context, in: writer) { return own }
    let patient = reminder.patient
    return try ReminderRecipients.of([patient], at: now, in: writer)[patient] ?? []
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// The rules by which reminders of one kind become deliveries.
protocol PlannedReminder: Sendable {
  /// True if it follows the person's escalation policy; quiet hours delay all steps but the first.
  var climbs: Bool { get }

  /// True if it rings for an ``Alert``.
  var isAlert: Bool { get }

  /// True if it ends as unreachable when there is no address to send it to.
  var isToldOnce: Bool { get }

  /// Returns the timing of one reminder's steps, by the patient's choices.
  func timing(of row: ReminderRow, from chosen: EscalationTiming) -> EscalationTiming

  /// Returns true while the reminder is still needed; false cancels it, with its alert.
  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool

  /// Advances a reminder whose time has come or that was woken: a pure rule.
  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp)

  /// Returns the accounts that receive it; nil for those that receive reminders of the patient's doses.
  func recipients(of row: ReminderRow, _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]?

  /// Returns the addresses of a step, by the escalation policy that planned it.
  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress]

  /// Returns the addresses that replace one that cannot be used.
  ///
  /// Quiet hours are applied when the deliveries are claimed.
  func addresses(insteadOf failed: FailedAddress) -> [EscalationAddress]
}

extension PlannedReminder {
  var climbs: Bool { false }
  var isAlert: Bool { false }
  var isToldOnce: Bool { true }

  func timing(of row: ReminderRow, from chosen: EscalationTiming) -> EscalationTiming { chosen }

  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool { true }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp
  ) {
    step.notice(now: now)
  }

  func recipients(of row: ReminderRow, _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]?
  { nil }

  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    let escalation = step.timing.escalation
    // A kind without escalation has one step, by push.
    let fired =
      climbs && escalation.steps.indices.contains(firing.step)
      ? escalation.steps[firing.step] : EscalationStep(0, .push)
    return ReminderEscalation.addresses(
      fired, of: escalation, isFirst: firing.step == 0,
      recipients: told.filter { !$0.isFamily || $0.hears.contains(step.row.kind) },
      mailIsPossible: mailIsPossible, now: now)
  }

  func addresses(insteadOf failed: FailedAddress) -> [EscalationAddress] { failed.all }
}

/// An address that cannot be used, with its owner's other addresses.
struct FailedAddress {
  let channel: ReminderChannel
  let person: ReminderRecipient
  /// The other devices that work.
  let working: [ReminderRecipient.Device]
  let mailIsPossible: Bool

  /// The replacements: for push the other channels and mail, unless another device works; for other channels
  /// the working devices, otherwise mail.
  var all: [EscalationAddress] {
    if working.isEmpty { return (channel == .push ? person.others : []) + mail }
    guard channel != .push else { return [] }
    return working.map {
      EscalationAddress(recipient: person.account, channel: .push, address: $0.subscription)
    }
  }

  /// The replacements that neither ring nor call: for push only, unless another device works.
  var quiet: [EscalationAddress] {
    working.isEmpty && channel == .push ? person.of(ReminderRecipient.quietChannels) : []
  }

  /// The mailbox, if it may be used.
  var mail: [EscalationAddress] {
    guard mailIsPossible, !person.isMailboxSilent else { return [] }
    return [
      EscalationAddress(
        recipient: person.account, channel: .mail, address: EscalationAddress.mailbox)
    ]
  }
}

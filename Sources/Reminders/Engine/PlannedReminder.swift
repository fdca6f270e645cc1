// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// The rules by which reminders of one kind become deliveries.
protocol PlannedReminder: Sendable {
  /// True if it follows the person's escalation policy, of which quiet hours hold back all steps
  /// but the first.
  var climbs: Bool { get }

  /// True if it rings for an ``Alert``.
  var isAlert: Bool { get }

  /// True if it ends as unreachable where there is no address to tell it to.
  var isToldOnce: Bool { get }

  /// Returns the timing of one reminder's steps, by the patient's choices.
  func timing(of row: ReminderRow, from chosen: EscalationTiming) -> EscalationTiming

  /// Returns true while the reminder is still needed; false cancels it, with its alert.
  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool

  /// Moves a reminder on whose moment has come or that was woken: a pure rule.
  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp)

  /// Returns the accounts that it is for; nil for those that receive reminders of the patient's
  /// doses.
  func recipients(of row: ReminderRow, _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]?

  /// Returns the addresses of a step, by the escalation policy that planned it.
  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress]

  /// Returns the addresses that take over from one that cannot be used.
  ///
  /// What may not go out in the quiet hours is held back when it is claimed, like everything.
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
    // What does not climb has one step, by push.
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

/// An address that cannot be used, with what else its owner has.
struct FailedAddress {
  let channel: ReminderChannel
  let person: ReminderRecipient
  /// The other devices that work.
  let working: [ReminderRecipient.Device]
  let mailIsPossible: Bool

  /// For a push the other ways and mail, unless another device works; for others the devices that work,
  /// else mail.
  var all: [EscalationAddress] {
    if working.isEmpty { return (channel == .push ? person.others : []) + mail }
    guard channel != .push else { return [] }
    return working.map {
      EscalationAddress(recipient: person.account, channel: .push, address: $0.subscription)
    }
  }

  /// For a push what neither rings nor calls, unless another device works.
  var quiet: [EscalationAddress] {
    working.isEmpty && channel == .push ? person.of(ReminderRecipient.quietChannels) : []
  }

  /// The mailbox, where it may be used.
  var mail: [EscalationAddress] {
    guard mailIsPossible, !person.isMailboxSilent else { return [] }
    return [
      EscalationAddress(
        recipient: person.account, channel: .mail, address: EscalationAddress.mailbox)
    ]
  }
}

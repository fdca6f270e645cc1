// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import People
import Plans
import Storage

/// A delivery whose time has come, with everything needed to decide about it and to write it.
package struct WaitingDelivery: Sendable {
  /// The identifier of the delivery.
  package let delivery: DeliveryID
  /// The patient whom the reminder is about.
  package let patient: PatientID
  /// The identifier of the reminder.
  package let subject: ReminderID
  let generation: Int64
  let step: Int
  /// The account that it goes to.
  package let recipient: AccountID
  let channel: ReminderChannel
  let address: String
  let doses: String
  let attempt: Int64
  let due: Timestamp
  /// The time since which it can be claimed.
  let nextTry: Timestamp
  // The reminder.
  /// The kind of the reminder.
  package let kind: ReminderKind
  let currentGeneration: Int64
  let freshUntil: Timestamp
  let handedOver: Timestamp?
  let ends: Timestamp
  let isOver: Bool
  // The recipient and the address.
  let endpointSealed: [UInt8]?
  let keysSealed: [UInt8]?
  let emailSealed: [UInt8]?
  /// True if the recipient turned the mailbox's reminders off.
  let isMailboxSilent: Bool
  let settingsSealed: [UInt8]?
  let form: ChannelForm?
  /// True if the person confirmed a test of the address.
  let isProven: Bool
  /// The language of the recipient's account; nil if none is chosen.
  package let accountLanguage: Language?
  /// The name of the patient's time zone; nil without a row for the patient.
  package let patientZone: String?
  /// The patient's language; nil without a row for the patient.
  package let patientLanguage: Language?
  /// The patient's display name.
  package let patientName: String
  /// The patient's label, for recipients who act for several people.
  package let patientLabel: PersonLabel
  /// The number of patients for whom the recipient acts.
  let patientCount: Int64
  let isRecipient: Bool
  /// True if the recipient acts for the patient.
  package let isActing: Bool
  /// True if the recipient is a family member who is informed that no one answered.
  let isFamily: Bool
  /// True if the recipient does not want reminders on this channel.
  package let isSilenced: Bool
  /// True if notifications name medicines.
  let namesMedicine: Bool
  /// The alert that rings; nil for doses.
  let alert: WaitingAlert?
  /// The name that the person gave to the alarm.
  let alertName: String?
  let alarmKind: AlarmKind?
  /// True if a later step of the same generation goes to the same address.
  let isSuperseded: Bool
}

extension WaitingDelivery {
  /// The decision about a delivery: send it for some doses, keep it for later, or end it unsent.
  package enum Verdict: Sendable, Hashable {
    case send([RingingDose])
    case hold(until: Timestamp)
    case end(DeliveryOutcome)
  }

  /// True if its address can be used.
  package var hasAddress: Bool {
    switch channel {
    case .push: endpointSealed != nil && keysSealed != nil
    case .mail: emailSealed != nil && !isMailboxSilent
    case .ntfy, .webhook, .sms, .call:
      settingsSealed != nil && (isProven || kind.handler.provesAddress)
    }
  }

  /// True if the recipient receives reminders about the patient on this channel.
  package var isTold: Bool { hasAddress && isRecipient && !isSilenced }

  /// Returns true if a notification about a conversation can be sent, as far as the address and the
  /// reminder allow.
  package func mayCarryMessages(at now: Timestamp) -> Bool {
    hasAddress && !isSilenced && now < ends && !isOver && generation == currentGeneration
  }

  /// True if quiet hours may delay it.
  var mayBeHeld: Bool { kind.handler.mayBeHeld(step: step) }

  /// Decides from the doses of its reminder and the quiet hours in the same transaction.
  ///
  /// - Parameter quiet: nil if the person chose no quiet hours.
  func verdict(_ doses: [RingingDose], quiet: EscalationTiming? = nil, now: Timestamp) -> Verdict {
    let verdict = kind.handler.verdict(on: self, doses: doses, now: now)
    guard case .send = verdict, mayBeHeld, var quiet else { return verdict }
    quiet.isCritical =
      alert?.isCritical ?? doses.contains { $0.isCritical && $0.state == .open }
    return quiet.held(at: now).map { .hold(until: $0) } ?? verdict
  }

  // MARK: Verdicts of kinds

  /// Returns the decision for a delivery without doses: sent while its reminder lasts, otherwise
  /// ended.
  package func sending(if isMeant: Bool, at now: Timestamp) -> Verdict {
    isMeant && now < ends && !isOver ? .send([]) : .end(.stale)
  }

  /// Sends a delivery that names doses of its group, otherwise ends it.
  func sending(
    _ doses: [RingingDose], isTooLate: Bool, naming isNamed: (RingingDose) -> Bool
  ) -> Verdict {
    guard isTold else { return .end(.stale) }
    let inGroup = doses.filter { $0.ringsAt == $0.ring && $0.state == .open && $0.isPlanActive }
    let named = inGroup.filter(isNamed)
    guard !named.isEmpty else {
      let isAnswered = inGroup.isEmpty && doses.contains(where: \.isAnswered)
      return .end(isAnswered ? .answered : .stale)
    }
    guard generation == currentGeneration, !isOver, !isSuperseded, !isTooLate else {
      return .end(.stale)
    }
    return .send(named.sorted(by: RingingDose.inOrder))
  }
}

/// An alert as needed by a delivery of its reminder.
struct WaitingAlert: Sendable, Hashable {
  let id: AlertID
  let state: Alert.State
  let isCritical: Bool
  let due: Timestamp
  let ends: Timestamp
  /// The minutes of the alarm's own "later"; nil if it is not an alarm.
  let snooze: Int?

  /// Returns the minutes by which "later" postpones it; nil if that is no longer possible.
  func later(at now: Timestamp) -> Int? {
    let minutes = snooze ?? Alert.standardSnooze
    return minutes <= AlertRule.maximumMinutes(due: due, ends: ends, at: now) ? minutes : nil
  }
}

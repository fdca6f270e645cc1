// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// An advance notice of a dose or an alarm, or the question whether an as-needed dose helped, sent to devices and other
/// silent channels.
struct LeadReminder: AlertReminder {
  var isUrgent: Bool { false }

  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard let alert, alert.state == .open else { return true }
    return try LeadNotices.stands(
      alert, now: context.now, zones: context.zones, in: reader)
  }

  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    ReminderEscalation.quietAddresses(recipients: told.filter { !$0.isFamily }, now: now)
  }

  func addresses(insteadOf failed: FailedAddress) -> [EscalationAddress] { failed.quiet }

  func page(of subject: ReminderID) -> String? { "/" }

  /// Returns the alert of a question, by which it is worded.
  func alert(of delivery: WaitingDelivery, at now: Timestamp) -> ReminderContent.NamedAlert? {
    guard let alert = delivery.alert, DiaryAlert(of: alert.id) != nil else { return nil }
    return ReminderContent.NamedAlert(id: alert.id, later: nil)
  }

  func title(_ words: ReminderText) -> String {
    if isQuestion(words) { return words.localizer.text("follow-ups.push.title") }
    return words.localizer.text("alarms.push.lead-title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderText) -> String {
    words.localizer.text(isQuestion(words) ? "follow-ups.push.body" : "alarms.push.lead-body")
  }

  func why(_ words: ReminderText) -> String {
    words.localizer.text(isQuestion(words) ? "follow-ups.push.why" : "alarms.push.lead-why")
  }

  private func isQuestion(_ words: ReminderText) -> Bool {
    words.content.alert.flatMap { DiaryAlert(of: $0.id) } == .followUp
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// An advance notice of a dose or an alarm, the question whether an as-needed dose helped, or a questionnaire that can
/// be answered, sent to devices and other silent channels.
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

  /// Returns the alert of a question or a questionnaire, by which it is worded.
  func alert(of delivery: WaitingDelivery, at now: Timestamp) -> ReminderContent.NamedAlert? {
    guard let alert = delivery.alert,
      DiaryAlert(of: alert.id) != nil || QuestionnaireAlert.isOne(alert.id)
    else { return nil }
    return ReminderContent.NamedAlert(id: alert.id, later: nil)
  }

  func title(_ words: ReminderText) -> String {
    if let topic = topic(words) { return words.localizer.text(topic.title) }
    return words.localizer.text("alarms.push.lead-title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderText) -> String {
    words.localizer.text(topic(words)?.body ?? "alarms.push.lead-body")
  }

  func why(_ words: ReminderText) -> String {
    words.localizer.text(topic(words)?.why ?? "alarms.push.lead-why")
  }

  /// Returns the keys of the words for a question or a questionnaire; nil for an advance notice.
  private func topic(
    _ words: ReminderText
  ) -> (title: MessageKey, body: MessageKey, why: MessageKey)? {
    guard let alert = words.content.alert else { return nil }
    if DiaryAlert(of: alert.id) == .followUp {
      return ("follow-ups.push.title", "follow-ups.push.body", "follow-ups.push.why")
    }
    if QuestionnaireAlert.isOne(alert.id) {
      return ("questionnaires.push.title", "questionnaires.push.body", "questionnaires.push.why")
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// An alarm of the person's own.
struct AlarmReminder: AlertReminder {
  var climbs: Bool { true }
  var announcement: ReminderAnnouncement { .reminder }

  func medicines(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], _ language: Language,
    in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    delivery.alarmKind.map { [$0.name(delivery.alertName ?? "", .of(language))] } ?? []
  }

  func offer(_ delivery: WaitingDelivery, naming doses: [RingingDose], at now: Timestamp)
    -> ActionLinks.Offer?
  {
    delivery.alert.map { .alert($0, at: now) }
  }

  func alert(of delivery: WaitingDelivery, at now: Timestamp) -> ReminderContent.NamedAlert? {
    delivery.alert.map { .init(id: $0.id, later: $0.later(at: now)) }
  }

  func page(of subject: ReminderID) -> String? { nil }

  func title(_ words: ReminderText) -> String {
    words.localizer.text("alarms.push.title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderText) -> String {
    words.content.medicines.isEmpty
      ? words.localizer.text("alarms.push.body")
      : words.localizer.list(words.content.medicines)
  }

  func why(_ words: ReminderText) -> String { words.localizer.text("reminders.mail-why") }
}

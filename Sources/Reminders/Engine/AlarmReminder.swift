// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// An alarm of the person's own, a question that a device in the home raised, or a patch that is to be taken off.
struct AlarmReminder: AlertReminder {
  var climbs: Bool { true }
  var announcement: ReminderAnnouncement { .reminder }

  /// Returns false if a device asks about a dose that someone has answered meanwhile.
  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard let alert, alert.state == .open, HomeDeviceQuestion(of: alert.id) == .taken,
      let id = HomeDeviceQuestion.dose(of: alert.id).flatMap(DoseID.init(text:)),
      let dose = try DoseStore.one(
        id, patient: row.patient, now: context.now, in: reader)
    else { return true }
    return !dose.state.isAnswered
  }

  func medicines(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], _ language: Language,
    in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    delivery.alarmKind.map { [$0.name(delivery.alertName ?? "", .of(language))] } ?? []
  }

  func offer(_ delivery: WaitingDelivery, naming doses: [RingingDose], at now: Timestamp)
    -> ActionLinks.Offer?
  {
    // "Done" would seem to log the dose that a device asks about, or that a patch was taken off.
    guard let alert = delivery.alert, HomeDeviceQuestion(of: alert.id) == nil,
      DiaryAlert(of: alert.id) == nil
    else { return nil }
    return .alert(alert, at: now)
  }

  func alert(of delivery: WaitingDelivery, at now: Timestamp) -> ReminderContent.NamedAlert? {
    delivery.alert.map { .init(id: $0.id, later: $0.later(at: now)) }
  }

  func page(of subject: ReminderID) -> String? { nil }

  func title(_ words: ReminderText) -> String {
    if let question = question(words) {
      return words.localizer.text(
        "home-devices.push.title", ["question": .text(question.rawValue)])
    }
    if isRemoval(words) { return words.localizer.text("sites.push.title") }
    return words.localizer.text("alarms.push.title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderText) -> String {
    if let question = question(words) {
      return words.localizer.text(
        "home-devices.push.body", ["question": .text(question.rawValue)])
    }
    if isRemoval(words) { return words.localizer.text("sites.push.body") }
    return words.content.medicines.isEmpty
      ? words.localizer.text("alarms.push.body")
      : words.localizer.list(words.content.medicines)
  }

  func why(_ words: ReminderText) -> String { words.localizer.text("reminders.mail-why") }

  private func isRemoval(_ words: ReminderText) -> Bool {
    words.content.alert.flatMap { DiaryAlert(of: $0.id) } == .removal
  }

  private func question(_ words: ReminderText) -> HomeDeviceQuestion? {
    words.content.alert.flatMap { HomeDeviceQuestion(of: $0.id) }
  }
}

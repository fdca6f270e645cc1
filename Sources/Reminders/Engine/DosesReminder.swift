// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// One person's doses that ring together.
struct DosesReminder: ReminderHandler {
  var climbs: Bool { true }
  var isToldOnce: Bool { false }
  var announcement: ReminderAnnouncement { .reminder }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp
  ) {
    step.group(ReminderStep.Standing(doses, row: step.row, now: now), now: now)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    let isTooLate = delivery.handedOver == nil && now > delivery.freshUntil
    return delivery.sending(doses, isTooLate: isTooLate) { now < $0.lateUntil }
  }

  func expires(_ delivery: WaitingDelivery, naming doses: [RingingDose]) -> Timestamp {
    doses.map(\.lateUntil).max() ?? delivery.ends
  }

  func medicines(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], _ language: Language,
    in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    guard let patient = doses.first?.key.patient else { return [] }
    let rows = try reader.query(
      Self.medicinesStatement, [.text(patient), .text(delivery.subject)])
    var found: [String: String] = [:]
    for row in rows {
      let row = row.read(TakenMedicineRow.self)
      let key = DoseKey(
        patient: patient, plan: try row.id(.plan), era: try row.integer(.era),
        occurrence: try row.text(.occurrence))
      found[key.text] = ReminderMedicineText.text(
        name: try row.text(.medicineName), value: try row.optionalText(.amountValue),
        unit: try row.optionalText(.amountUnit), code: try row.optionalText(.amountCode),
        .of(language))
    }
    return doses.compactMap { found[$0.key.text] }
  }

  private static let medicinesStatement = SQLStatement(
    """
    SELECT \(TakenMedicineRow.columns)
    FROM doses d JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    WHERE d.patient = $1 AND d.reminder = $2
    """)

  func offer(_ delivery: WaitingDelivery, naming doses: [RingingDose], at now: Timestamp)
    -> ActionLinks.Offer?
  {
    .doses(doses, generation: delivery.generation)
  }

  func page(of subject: ReminderID) -> String? { nil }

  func title(_ words: ReminderText) -> String {
    if words.content.isForFamily { return words.localizer.text("escalation.family-title") }
    if words.content.needsReview { return words.localizer.text("reminders.look-title") }
    return words.localizer.text("reminders.title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderText) -> String {
    let times = words.times
    if words.content.isForFamily {
      return words.localizer.text("escalation.family-body", ["times": .text(times)])
    }
    if words.content.needsReview {
      return words.localizer.text("reminders.look-body", ["times": .text(times)])
    }
    if !words.content.medicines.isEmpty {
      let medicines = words.localizer.list(words.content.medicines)
      return words.localizer.text(
        "escalation.named-body", ["times": .text(times), "medicines": .text(medicines)])
    }
    return words.localizer.text("reminders.body", ["times": .text(times)])
  }

  func why(_ words: ReminderText) -> String { words.localizer.text("reminders.mail-why") }
}

/// A dose with its medicine and amount, as a notification may name it.
enum TakenMedicineRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, medicineName, amountValue, amountUnit, amountCode
  }

  static let columns = SQLColumns<Column>(
    of: "d", [.medicineName: "COALESCE(p.shown_name, p.medicine_name)"])
}

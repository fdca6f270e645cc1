// SPDX-License-Identifier: Apache-2.0

@testable import Adherence
@testable import Storage

extension RowTypes {
  /// The row types of reminders and deliveries.
  static var ofReminders: [any SQLRowType.Type] {
    [
      ChannelWeekRow.self, DeliveryCountRow.self, DeliveryPlace.self, DeliveryRow.self,
      EndedDelivery.self, HandedOverDelivery.self, HostTroubleRow.self, LeadDoseRow.self,
      NewDeliveryRow.self, NewOccasionRow.self, NextMomentRow.self, OccasionAnswerRow.self,
      OccasionPressRow.self, OccasionRow.self, ProvenAddressRow.self, ReminderRecipientRow.self,
      ReminderRow.self, RungDoseRow.self, TakenMedicineRow.self, TakenUpDoseRow.self,
      WaitingDeliveryRow.self, WaitingDoseRow.self,
    ]
  }
}

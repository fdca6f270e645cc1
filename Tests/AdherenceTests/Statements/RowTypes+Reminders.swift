// SPDX-License-Identifier: Apache-2.0

@testable import Calendar
@testable import Dosing
@testable import Plans
@testable import Reminders
@testable import Storage

extension RowTypes {
  /// The row types of escalation, devices, alarms, time zones, cycles and moved doses.
  static var remindersAndPlanning: [any SQLRowType.Type] {
    [
      AlarmRow.self, ChannelAddressRow.self, ChannelProofRow.self, DecidedRow.self,
      DeviceProofRow.self, DoseMoveRow.self, DoseReschedulingRow.self, FoundLinkRow.self,
      KnownSubscriptionRow.self, EscalationAccountRow.self, EscalationAgreementRow.self,
      EscalationOfferRow.self, EscalationStepRow.self, EscalationStandbyRow.self,
      LastIntakeRow.self,
      LateDoseRow.self, LoggedDeliveryRow.self, MovedDoseRow.self, NamedCycleRow.self,
      NearDoseRow.self, NewActionLinkRow.self, NewAlarmRow.self, NewChannelAddressRow.self,
      NewRescheduledDoseRow.self, NewSoundRow.self, NewSubscriptionRow.self, PlanChangedRow.self,
      PlanCycleRow.self, PlanRemindersRow.self, QuietHoursRow.self, ReminderChoicesRow.self,
      RescheduledDoseRow.self, SoundRow.self, SubscriptionRow.self, TestedAddressRow.self,
      TokenDeviceRow.self, ZoneInUseRow.self, ZonePlanRow.self,
    ]
  }

  /// The row types of reminders and deliveries.
  static var ofReminders: [any SQLRowType.Type] {
    [
      ChannelWeekRow.self, DeliveryCountRow.self, DeliveryPlace.self, DeliveryQueueRow.self,
      DeliveryRow.self,
      EndedDelivery.self, HandedOverDelivery.self, HostTroubleRow.self, LeadDoseRow.self,
      NewDeliveryRow.self, NewAlertRow.self, NextMomentRow.self, AlertAnswerRow.self,
      AlertPressRow.self, AlertRow.self, ProvenAddressRow.self, ReminderRecipientRow.self,
      ReminderRow.self, ReplyOfferRow.self, ReplySender.self, ReplyTalk.self,
      ReplyTextRow.self,
      EscalationDoseRow.self, TakenMedicineRow.self, TakenUpDoseRow.self,
      WaitingDeliveryRow.self, WaitingDoseRow.self,
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

@testable import Adherence
@testable import Storage

extension RowTypes {
  /// The row types of escalation, devices and alarms.
  static var remindersAndPlanning: [any SQLRowType.Type] {
    [
      AlarmRow.self, ChannelAddressRow.self, ChannelProofRow.self, DeviceProofRow.self,
      KnownSubscriptionRow.self, LadderAccountRow.self, LadderAgreementRow.self,
      LadderOfferRow.self, LadderRungRow.self, LadderStandbyRow.self, LoggedDeliveryRow.self,
      NewAlarmRow.self, NewChannelAddressRow.self, NewSoundRow.self, NewSubscriptionRow.self,
      PlanRemindersRow.self, QuietHoursRow.self, ReminderChoicesRow.self, SoundRow.self,
      SubscriptionRow.self, TestedAddressRow.self, TokenDeviceRow.self,
    ]
  }
}

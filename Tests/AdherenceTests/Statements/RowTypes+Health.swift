// SPDX-License-Identifier: Apache-2.0

@testable import CareTeam
@testable import Diary
@testable import Dosing
@testable import HeartRate
@testable import HomeDevices
@testable import Observations
@testable import Prescriptions
@testable import Records
@testable import Statistics
@testable import Storage
@testable import Studies

extension RowTypes {
  /// The row types of heart rates, measurements, messages, the care team, emergency cards, children,
  /// the history and devices in the home.
  static var ofHealth: [any SQLRowType.Type] {
    [
      AccountPatientRow.self, BoundaryOwnerRow.self, BoundaryRow.self, CareDayRow.self,
      CareDeviceRow.self, CareDosesRow.self, CareNoteRow.self, CarePersonRow.self,
      CareSeenRow.self, CareStockRow.self,
      CareWaitingRow.self, CareWarningsRow.self, ChangedMessageRow.self, ChatMemberRow.self,
      ChatMessageRow.self, ChatNoticeRow.self, ChatRecipientRow.self, CommunicationRow.self,
      ConfirmedFindingRow.self, ConversationRow.self, CorrectionRow.self, DeliveryHealthRow.self,
      DiaryPhotoRow.self, DoseApprovalRow.self, EmergencyCardRow.self, ExtraBodyRow.self,
      ExtraSkippedRow.self,
      ExtraTakenReasonRow.self, ExtraTakenRow.self, ForeignMessageRow.self,
      FormerObservationRow.self, FoundMessageRow.self,
      StudyAnswerRow.self, StudyDoseRow.self, StudyExportNote.self, StudyParticipant.self,
      StudyQuestionRow.self, StudyResearcher.self, StudyRow.self, StudySignature.self,
      GivenIntakeRow.self, HomeDevice.self, HomeDeviceCompartment.self, JudgedEvent.self,
      NewDeviceEventRow.self,
      HeartRateMessageRow.self, LineAdministrationRow.self, NamedCardRow.self,
      NewBoundaryRow.self, NewCareNoteRow.self, NewChatMessageRow.self, NewChatPhotoRow.self,
      NewCommunicationRow.self, NewConfirmedFindingRow.self, NewConversationRow.self,
      NewDiaryPhotoRow.self, NewDoseApprovalRow.self, NewEmergencyCardRow.self,
      NewObservationRow.self,
      NewObservationVersionRow.self, NewPrescriptionTemplateRow.self, NewSymptomWeekRow.self,
      NewTrackerRow.self, NewVitalDayRow.self, NoticedAccountRow.self, ObservationSampleRow.self,
      ObservationStateRow.self, ObservationVersionRow.self, OldMessageRow.self, PlanCountsRow.self,
      ObservationCodeRow.self, ObservationQuantityRow.self, ObservationTextRow.self,
      TimedObservationRow.self,
      ObservationTimeRow.self, PlanVersionRow.self,
      PrescriptionTemplateRow.self, PrescriptionVersionRow.self, ReadStateRow.self,
      RecentSourceRow.self, SavedHeartRateSettingsRow.self, SeenRow.self, SentBodyRow.self,
      SealedDiaryPhotoRow.self, SentCountRow.self, TrackerRow.self, SentVersionRow.self,
      SymptomWeekRow.self, UnreadAccountRow.self,
      UnreadConversationRow.self, UnsentDayRow.self, UnmonitoredPlanRow.self, VitalDayRow.self,
      VitalPreferenceRow.self, VitalSourceRow.self, VitalValueRow.self, WarningAnswerRow.self,
      WarningRow.self, HeartRateSettingsRow.self, MonitoredDoseRow.self, MonitoredValueRow.self,
    ]
  }
}

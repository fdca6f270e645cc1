// SPDX-License-Identifier: Apache-2.0

@testable import CareTeam
@testable import Diary
@testable import Dosing
@testable import Plans
@testable import Prescriptions
@testable import Storage
@testable import Supply

/// The row types of supplies, messages, imports, appearances and questionnaires.
extension RowTypes {
  static var stocks: [any SQLRowType.Type] {
    [
      BookedIntake.self, CountablePlanRow.self, DecidedAmountRow.self, DispenseNames.self,
      DispensePackRow.self, DispenseRow.self, ErasedSum.self, KeptMark.self, KnownDispense.self,
      NamedUse.self,
      NewDispenseRow.self, NewLotRow.self, NewStockEntryRow.self, NewStockMarkRow.self,
      NewStockRow.self, StatedRepeats.self, StockEntryRow.self, StockKey.self,
      StockListingRow.self, StockLotRow.self, StockMarkRow.self, StockNoticeRow.self,
      StockRow.self, UsedStock.self,
    ]
  }

  static var messages: [any SQLRowType.Type] {
    [
      AllowedNoticeRow.self, MessageDoseRow.self, MessageOfferRow.self,
      MessagePreferencesRow.self, MessageRecipientRow.self, MessageRuleRow.self,
      NewMessageRecipientRow.self, NewMessageRuleRow.self, NewCaregiverMessageRow.self,
      MessagePlanName.self, MessageRecipientName.self, CaregiverMessageRow.self,
      SentRecipientRow.self,
      TakenCaregiverMessage.self, EventNotificationRow.self, EventSubscriptionRow.self,
      ExportJobRow.self, MissedEventRow.self, NewEventNotificationRow.self,
      RecordedEventRow.self,
    ]
  }

  static var imports: [any SQLRowType.Type] {
    [
      EarlierAdministrationRow.self, ForeignProposalRow.self, ImportedAdministrationRow.self,
      ImportedAnswerRow.self, NewProposalRow.self, NewTableImportRow.self, OwnPlanRow.self,
      PlanForReview.self, ProposalRow.self, SourcedPlanRow.self, TableImportRow.self,
      UnlinkedAdministration.self,
    ]
  }

  static var looks: [any SQLRowType.Type] {
    [
      MedicineAppearanceRow.self, MedicinePhotoRow.self, NewMedicineAppearanceRow.self,
      NewMedicinePhotoRow.self, SealedPictureRow.self,
    ]
  }

  static var questionnaires: [any SQLRowType.Type] {
    [
      NewQuestionnaireAssignmentRow.self, QuestionnaireAnswerRow.self,
      QuestionnaireAssignmentRow.self, QuestionnaireStudyScoreRow.self,
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
@testable import Adherence
@testable import Dosing
@testable import Observations
@testable import People
@testable import Plans
@testable import Prescriptions
@testable import Statistics
@testable import Storage

extension RowTypes {
  /// The row types of plans, answers, people, reports and statistics.
  static var plansAndPeople: [any SQLRowType.Type] {
    [
      AnswerStoryRow.self, AnsweredIntakeRow.self, CorrectedAnswerRow.self, DoseCountsRow.self,
      DoseIDRow.self, EntryAnswerRow.self, ExtraReasonRow.self, FeaturesRow.self,
      StatisticsDoseRow.self, MonthlyStatisticsRow.self, FoldedPlanRow.self, FoldingPlanRow.self,
      GrantHolderRow.self, HoldRow.self, HouseholdPersonRow.self, IngredientLimitRow.self,
      InteractionNoteRow.self, MedicineDraftRow.self, MissedSummaryRow.self, NamedPersonRow.self,
      NewInteractionNoteRow.self, NewMedicineDraftRow.self,
      NewPlanConfirmationRow.self, PersonPhotoRow.self, PersonRow.self, PlanChangeRow.self,
      PlanConfirmationRow.self, PlanEraRow.self, PlanGapRow.self, PlanKeyRow.self,
      PlanLimitsRow.self, PlanNameRow.self, PlanOwnerRow.self, PlanRequestRow.self, PlanRow.self,
      PlanSlotRow.self, ProjectionFaultRow.self, ReachedPersonRow.self, ReaderRow.self,
      ReportReasonRow.self, RequestVersionRow.self, RhythmRow.self, SimpleViewRow.self,
      StatedConditionRow.self, StatedLimitsRow.self, SubstanceRow.self, TakenAmountRow.self,
      TakenRow.self, TouchedRow.self, UnknownDoseRow.self, WeightKeyRow.self, WhenNeededRow.self,
      WrittenIngredientLimitRow.self, WrittenPersonPhotoRow.self, WrittenPersonRow.self,
      WrittenPlanRow.self, WrittenPlanSlotRow.self, WrittenRhythmRow.self, WrongDoseRow.self,
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import AccountPages
import CareTeamPages
import DosePages
import ImportPages
import MedicinePages
import Presentation
import ReportPages

extension RegimenServer {
  /// The contributions to Today; within one place, cards keep this order.
  var todayContributions: [any TodayContribution] {
    [
      SimpleOnToday(), WarningOnToday(), HouseholdOnToday(), InvitationsOnToday(),
      MessagesOnToday(), ReschedulingOnToday(),
      ProposalsOnToday(), FollowUpsOnToday(), SitesOnToday(), PassedDosesOnToday(),
      TravelOnToday(), ClockReschedulingOnToday(),
      CyclesOnToday(), MissedOnToday(), SleepInOnToday(), DevicesOnToday(), LowStockOnToday(),
      AsNeededOnToday(), DiaryOnToday(), AppearanceOnToday(), RulesOnToday(), StreakOnToday(),
      QuestionnairesOnToday(),
    ]
  }
}

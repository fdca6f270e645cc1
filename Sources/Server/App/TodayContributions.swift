// SPDX-License-Identifier: Apache-2.0

extension RegimenServer {
  /// What features put on Today; within one place of the page in this order.
  var todayContributions: [any TodayContribution] {
    [
      SimpleOnToday(), WarningOnToday(), InvitationsOnToday(), MessagesOnToday(), ShiftsOnToday(),
      ProposalsOnToday(), PassedDosesOnToday(), TravelOnToday(), ClockMovesOnToday(),
      CyclesOnToday(), MissedOnToday(), MorningsOnToday(), DevicesOnToday(), LowStockOnToday(),
      AsNeededOnToday(), LooksOnToday(), RulesOnToday(),
    ]
  }
}

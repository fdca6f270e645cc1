// SPDX-License-Identifier: Apache-2.0

@testable import Diary
@testable import Storage

extension RowTypes {
  /// The row types of follow-ups, sites and the choice of measures.
  static var ofFollowUps: [any SQLRowType.Type] {
    [
      AnsweredFollowUpRow.self, CountedIntake.self, EffectChoiceRow.self, FollowUp.self,
      FollowUpChoiceRow.self, NewEffectChoiceRow.self,
      FollowUpNameRow.self, FollowUpPlan.self, NewFollowUpChoiceRow.self, NewFollowUpRow.self,
      NewSiteChoiceRow.self, NewSiteUseRow.self, SiteChoice.self, SiteNameRow.self,
      SitePlanRow.self,
      SiteUse.self,
    ]
  }
}

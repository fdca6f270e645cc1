// SPDX-License-Identifier: Apache-2.0

@testable import Diary
@testable import Storage

extension RowTypes {
  /// The row types of follow-ups and sites.
  static var ofFollowUps: [any SQLRowType.Type] {
    [
      AnsweredFollowUpRow.self, CountedIntakeRow.self, FollowUp.self, FollowUpChoiceRow.self,
      FollowUpNameRow.self, FollowUpPlan.self, NewFollowUpChoiceRow.self, NewFollowUpRow.self,
      NewSiteChoiceRow.self, NewSiteUseRow.self, SiteChoice.self, SiteNameRow.self,
      SitePlanRow.self,
      SiteUse.self,
    ]
  }
}

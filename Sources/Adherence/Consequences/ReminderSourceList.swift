// SPDX-License-Identifier: Apache-2.0

import CareTeam
import Prescriptions
import Reminders
import Storage
import Supply

extension ReminderSources {
  /// The sources of all features that send reminders.
  package static let all = ReminderSources(
    chat: ChatNoticeSource(), news: NewsSource(), nudges: NudgeSource(),
    stock: StockNoticeSource(), alarms: AlarmPlanning(),
    plansForReview: { (patients, reader) throws(StorageError) in
      try ProposalQueries.plansForReview(patients: patients, in: reader)
    })
}

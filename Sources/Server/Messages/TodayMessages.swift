// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Identifiers
import Localization
import Storage

/// What Today says of those who were told: who takes care of something, and who reminds of a dose.
struct TodayMessages: Sendable {
  private static let hours: Int64 = 12

  var caring: [(name: String, at: Timestamp)] = []
  var nudges: [(name: String, at: Timestamp)] = []

  static func read(_ patient: PatientID, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> TodayMessages
  {
    let since = now.adding(milliseconds: -hours * 3_600_000)
    return TodayMessages(
      caring: try NoticeQueries.caring(for: patient, since: since, in: reader),
      nudges: try Nudges.lately(to: patient, since: since, in: reader))
  }

  func markup(_ words: DoseWords) -> Markup {
    let caring = caring.prefix(3).map { notice("notices.taken", $0, words) }
    let nudged = nudges.prefix(1).map { notice("notices.nudged-by", $0, words) }
    return "\(caring)\(nudged)"
  }

  private func notice(
    _ key: MessageKey, _ one: (name: String, at: Timestamp), _ words: DoseWords
  ) -> Markup {
    let title = words.localizer.text(
      key, ["name": .text(one.name), "when": .text(words.moment(one.at))])
    return Notice(.information, title: title).markup
  }
}

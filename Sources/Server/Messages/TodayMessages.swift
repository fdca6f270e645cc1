// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Localization
import Storage

/// What Today says of those who were told: who takes care of something, and who reminds of a dose.
struct TodayMessages: Sendable {
  private static let hours: Int64 = 12

  var caring: [(name: String, at: Timestamp)] = []
  var nudges: [(name: String, at: Timestamp)] = []

  static func read(_ patient: String, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> TodayMessages
  {
    let since = now.adding(milliseconds: -hours * 3_600_000)
    return TodayMessages(
      caring: try NoticeQueries.caring(for: patient, since: since, in: reader),
      nudges: try Nudges.lately(to: patient, since: since, in: reader))
  }

  func markup(_ words: DoseWords) -> Markup {
    """
    \(each: caring.prefix(3), { one in
      Notice(
        .information,
        title: words.localizer.text(
          "notices.taken",
          ["name": .text(one.name), "when": .text(words.moment(one.at))])).markup
    })\
    \(each: nudges.prefix(1), { one in
      Notice(
        .information,
        title: words.localizer.text(
          "notices.nudged-by",
          ["name": .text(one.name), "when": .text(words.moment(one.at))])).markup
    })
    """
  }
}

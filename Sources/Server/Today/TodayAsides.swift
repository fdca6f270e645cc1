// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Localization
import Storage

/// What Today says beside the doses: a question of the heart rate, silent devices, held reminders, old open doses.
struct TodayAsides: Sendable {
  /// Devices of the account that have shown nothing for long.
  var silent: [PushSubscription] = []
  /// A question of the watched heart rate that waits for its answer.
  var warning: Warning?
  /// Until when reminders hold back though doses are due.
  var holdsUntil: Timestamp?
  /// Doses of earlier days that nobody answered.
  var unanswered: MissedDoses.Summary?
  /// Medicines that are taken when needed.
  var asNeeded: [AsNeededMedicine] = []
  /// What is at home and runs low.
  var low: [StockSummary] = []
  /// Whether the person's first page is the simple one.
  var isSimple = false

  func warned(_ words: DoseWords) -> Markup {
    let warned = warning.map { WarningNotice(warning: $0, localizer: words.localizer).markup }
    return "\(if: isSimple, SimpleWayBack(localizer: words.localizer).markup)\(warned)"
  }

  /// A gentle question, below what is to be taken now.
  func asked(_ words: DoseWords, _ token: FormToken) -> Markup {
    guard let unanswered, token.mayAct else { return Markup() }
    let localizer = words.localizer
    let link = LinkButton(
      localizer.text("missed.answer"), address: MissedPage.path, icon: .pencil)
    return Notice(
      .information,
      title: localizer.text(
        "missed.since",
        [
          "count": .number(unanswered.count), "since": .text(words.moment(unanswered.first)),
        ]), "\(link)"
    ).markup
  }

  func holds(_ words: DoseWords) -> Markup {
    guard let holdsUntil else { return Markup() }
    return Notice(
      .information,
      title: words.localizer.text("alarms.holds", ["time": .text(words.moment(holdsUntil))])
    ).markup
  }
}

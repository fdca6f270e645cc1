// SPDX-License-Identifier: Apache-2.0

import Access
import Diary
import HTML
import Localization
import Observations
import Plans
import Presentation
import SiteMap
import Web

/// The buttons on Today that lead to the trackers in use, and to the diary.
package struct DiaryOnToday: TodayContribution {
  /// The number of trackers that have a button.
  private static let most = 6

  /// Creates the contribution.
  package init() {}

  /// Returns the buttons; nothing if the viewer may not act.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct,
      (try? today.call.authorize(.create, VitalCommands.resource, of: today.patient.patient)) != nil
    else { return .nothing }
    var trackers: [Tracker] = []
    if today.features.diary {
      trackers = try TrackerStore.all(of: today.patient.patient, in: today.reader)
        .filter(\.isMine)
    }
    let shown = Array(trackers.prefix(Self.most))
    return TodayAddition(
      TodayCard(.afterLaterDoses) { rendering in
        let localizer = rendering.words.localizer
        let words = DiaryFormatter(
          clock: MedicineClock(zone: rendering.words.zone, localizer: localizer))
        let diary = LinkButton(
          localizer.text(shown.isEmpty ? "diary.start" : "diary.title"), address: Address.diary,
          kind: .quiet, icon: .pencil)
        let buttons: Markup = """
          \(each: shown, { tracker in
            LinkButton(
              words.name(tracker), address: DiaryRoutes.address(of: tracker.id), icon: .plus
            ).markup
          })\(diary)
          """
        guard !shown.isEmpty else { return ButtonRow(buttons).markup }
        return Section(localizer.text("diary.today"), id: "diary", ButtonRow(buttons).markup).markup
      })
  }
}

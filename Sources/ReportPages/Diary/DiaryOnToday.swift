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

/// The buttons on Today that lead to the trackers in use, or a link that records a symptom before there are any.
package struct DiaryOnToday: TodayContribution {
  /// The number of trackers that have a button.
  private static let most = 6
  /// The number of trackers whose form opens offline.
  private static let mostKept = 12

  /// Creates the contribution.
  package init() {}

  /// Returns the buttons or the link; nothing if the viewer may not act.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct,
      (try? today.call.authorize(
        .create, VitalCommands.resource, of: today.patient.patient, part: .diary)) != nil
    else { return .nothing }
    guard today.features.diary else { return symptom }
    let mine = try TrackerStore.all(of: today.patient.patient, in: today.reader).filter(\.isMine)
    let shown = Array(mine.prefix(Self.most))
    let kept = mine.prefix(Self.mostKept).map { DiaryRoutes.address(of: $0.id) }
    guard !shown.isEmpty else { return symptom }
    return TodayAddition(
      TodayCard(.afterNextDoses) { rendering in
        let localizer = rendering.words.localizer
        let words = DiaryFormatter(
          clock: MedicineClock(zone: rendering.words.zone, localizer: localizer))
        let buttons: Markup = """
          \(each: shown, { tracker in
            LinkButton(
              words.name(tracker), address: DiaryRoutes.address(of: tracker.id), icon: .plus
            ).markup
          })
          """
        return Section(
          localizer.text("diary.today"), id: "diary",
          "\(ButtonRow(buttons))\(OfflineCopies.keeping(kept))"
        ).markup
      })
  }

  private var symptom: TodayAddition {
    TodayAddition(
      TodayCard(.links) { rendering in
        LinkButton(
          rendering.words.localizer.text("today.symptom"), address: Address.symptom, kind: .quiet,
          icon: .pencil
        ).markup
      })
  }
}

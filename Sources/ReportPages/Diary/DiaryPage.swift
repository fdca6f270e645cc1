// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import SiteMap
import Web

/// The page of the diary: what to enter, and the latest entries.
struct DiaryPage: Sendable {
  let trackers: [Tracker]
  /// The own trackers that were put away.
  let ended: [Tracker]
  let latest: [(entry: DiaryEntry, tracker: Tracker)]
  let words: DiaryFormatter
  let input: OwnTrackerInput

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("diary.title")
    frame.lead = localizer.text("diary.lead")
    frame.place = .progress
    frame.back = .progress(localizer)
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("diary.done", ["what": .text(done)]))
    }
    let errors = input.mistake.map {
      [FieldError(field: input.field ?? "name", message: words.text($0))]
    }
    let mine = trackers.filter(\.isMine)
    return call.formPage(
      frame, errors: errors ?? [], hasSections: true,
      """
      \(if: !mine.isEmpty, Section(localizer.text("diary.mine"), list(mine)).markup)\
      \(Section(
        localizer.text(mine.isEmpty ? "diary.all" : "diary.others"),
        list(trackers.filter { !$0.isMine })))\
      \(if: call.formToken.mayAct, Section(localizer.text("diary.own"), own(call)).markup)\
      \(Section(localizer.text("diary.latest"), entries))\
      \(if: !ended.isEmpty, Section(localizer.text("diary.ended"), list(ended)).markup)\
      <p class="muted">\(localizer.text("diary.who-sees"))</p>
      """)
  }

  private func list(_ trackers: [Tracker]) -> Markup {
    PlaceList(
      trackers.map { tracker in
        PlaceList.Place(
          words.name(tracker), address: DiaryRoutes.address(of: tracker.id), icon: .pencil)
      }, inColumns: true
    ).markup
  }

  private var entries: Markup {
    guard !latest.isEmpty else { return "<p>\(localizer.text("diary.none"))</p>" }
    return """
      <ul class="people-list" role="list">\(each: latest, { line($0.entry, $0.tracker) })</ul>
      """
  }

  private func line(_ entry: DiaryEntry, _ tracker: Tracker) -> Markup {
    """
    <li><a href="\(DiaryEntryRoutes.address(of: entry.id))"><strong>\(words.name(tracker))</strong>: \
    \(words.text(entry.draft.value))</a><br>\
    <span class="muted">\(words.clock.text(entry.draft.at))</span></li>
    """
  }

  /// Returns the form for an own tracker.
  private func own(_ call: Call) -> Markup {
    func error(_ field: String) -> String? {
      guard let mistake = input.mistake, input.field == field else { return nil }
      return words.text(mistake)
    }
    let form = Form(
      action: DiaryRoutes.trackersPath, token: call.formToken,
      fields: """
        \(FormField(
          "name", label: localizer.text("diary.own-name"), value: input.name,
          hint: localizer.text("diary.own-name-hint"), error: error("name"),
          maximumLength: TrackerStore.longestName, localizer: localizer))\
        \(FormField(
          "scale", label: localizer.text("diary.own-scale"),
          kind: .radios(
            OwnScale.allCases.map {
              FieldChoice($0.rawValue, localizer.text("diary.scale", ["scale": .text($0.rawValue)]))
            }),
          value: input.scale, error: error("scale"), localizer: localizer))\
        \(FormField(
          "unit", label: localizer.text("diary.own-unit"), value: input.unit,
          hint: localizer.text("diary.own-unit-hint"), isRequired: false,
          maximumLength: TrackerStore.longestName, localizer: localizer))
        """,
      buttons: Button(
        localizer.text("diary.own-add"), kind: .secondary, icon: .plus,
        person: call.formToken.personName
      ).markup)
    return Disclosure(
      localizer.text("diary.own-open"), isOpen: input.mistake != nil, form.markup
    ).markup
  }
}

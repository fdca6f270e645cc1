// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Localization
import Presentation
import Scheduling
import Storage
import Web

/// The part of a medicine form in which the browser previews the next doses during typing.
///
/// It supplies what the engine in the browser can't know: the zone's clock changes, the times of
/// the person's meals and sleep, and the texts. Without a script it stays hidden, and the button
/// for the server's own preview does the same.
struct LivePreview: PagePart {
  /// The number of past years that the zone data covers.
  private static let yearsBack = 10
  private static let yearsAhead = 5

  let clock: MedicineClock
  let rhythm: DailyRhythm
  let now: Timestamp
  /// True if the medicine is new, so that today's past doses are mentioned.
  let isNew: Bool
  /// True if the form's address answers `preview=check` with the reasons for a refusal.
  var isChecked = false

  private var localizer: Localizer { clock.localizer }
  private var today: CivilDate { clock.day(of: now) }
  private var from: CivilDate { today.adding(months: -12 * Self.yearsBack) }
  private var until: CivilDate { today.adding(months: 12 * Self.yearsAhead) }

  var markup: Markup {
    """
    <section aria-labelledby="live-preview-title" class="card" data-planning="\(facts.text)" \
    hidden><h2 class="card-title" id="live-preview-title">\(text("title"))</h2>\
    <dl class="facts"></dl><div class="stack" data-asked></div><p class="visually-hidden" role="status"></p>\
    <p class="muted">\(localizer.text("medicines.preview.not-saved"))</p></section>
    """
  }

  private var facts: JSONValue {
    [
      "module": .string(PageAssets.schedulingModule.path),
      "tz": .string(clock.zone.identifier), "zone": zone, "events": events,
      "now": .number(JSONNumber(now.milliseconds)), "from": .string(from.text),
      "until": .string(until.text), "first": .string(first), "moved": .string(text("moved")),
      "date": .string(date), "today": .string(today.text), "passed": .string(passed),
      "checked": .bool(isChecked),
      "asked": .array(MedicineInput.Kind.special.map { .string($0.rawValue) }),
      "weekdays": .array((1...7).map { .string(localizer.weekday($0, .short)) }),
      "months": .array((1...12).map { .string(localizer.month($0, .short)) }),
    ]
  }

  /// The zone's clock changes for the engine in the browser, with a margin of one day on both
  /// sides.
  private var zone: JSONValue {
    let begin = clock.zone.startOfDay(from.adding(days: -1))
    let end = clock.zone.startOfDay(until.adding(days: 1))
    let changes = clock.zone.changes(after: begin, until: end)
    return [
      "offset": .number(JSONNumber(clock.zone.offsetSeconds(at: begin))),
      "changes": .array(
        changes.map { change in
          .array([
            .number(JSONNumber(change.instant.milliseconds / 1000)),
            .number(JSONNumber(change.after)),
          ])
        }),
    ]
  }

  /// The person's own times of meals and sleep.
  private var events: JSONValue {
    let usual = DailyRhythm()
    var events = JSONObject()
    for event in DayEvent.allCases where rhythm[event] != usual[event] && event.base == event {
      events[event.code] = .string(rhythm[event].text)
    }
    return .object(events)
  }

  // Templates keep the placeholder names, which the script fills in.
  private var first: String { localizer.text("medicines.live.first", ["when": .text("{when}")]) }

  private var passed: String {
    isNew ? localizer.text("medicines.passed.preview", ["times": .text("{times}")]) : ""
  }

  private var date: String {
    localizer.text(
      "calendar.date-short",
      ["weekday": .text("{weekday}"), "day": .text("{day}"), "month": .text("{month}")])
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("medicines.live.\(name)"))
  }
}

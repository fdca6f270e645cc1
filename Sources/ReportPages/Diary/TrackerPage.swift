// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import Reminders
import Scheduling
import SiteMap
import Web

/// The page of one tracker: the form first, then the chart, the entries and the reminders.
struct TrackerPage: Sendable {
  /// The number of entries that are listed and drawn.
  static let most = 200

  let tracker: Tracker
  let entries: [DiaryEntry]
  let alarms: [Alarm]
  let words: DiaryFormatter
  let input: DiaryInput
  let mistake: DiaryError?
  let today: CivilDate
  /// True for a copy on a device: it holds the form, and nothing that was written down.
  var isCopy = false

  private var localizer: Localizer { words.localizer }
  private var address: String { DiaryRoutes.address(of: tracker.id) }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = words.name(tracker)
    frame.place = .progress
    frame.scripts = [PageAssets.entries]
    frame.back = .init(localizer.text("diary.title"), address: Address.diary)
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("diary.done", ["what": .text(done)]))
    }
    let errors = mistake.map {
      [FieldError(field: input.field($0, tracker), message: words.text($0))]
    }
    let mayAct = call.formToken.mayAct
    let canAdd = mayAct && (tracker.isMine || tracker.standard != nil)
    if isCopy {
      return call.formPage(frame, errors: [], "\(if: canAdd, form(call))")
    }
    return call.formPage(
      frame, errors: errors ?? [], hasSections: true,
      """
      \(if: canAdd, form(call))\
      \(DiaryChart(entries: entries, tracker: tracker, words: words))\
      \(Section(localizer.text("diary.entries"), list))\
      \(if: mayAct && tracker.canRemind && tracker.isMine, Section(
        localizer.text("diary.reminders"), id: "reminders", reminders(call)).markup)\
      \(if: mayAct && tracker.isMine, FormButton(
        localizer.text("diary.end"), action: "\(address)/end", token: call.formToken, kind: .quiet,
        object: words.name(tracker)).markup)
      """)
  }

  /// Returns the form, with the data by which a script queues it offline.
  private func form(_ call: Call) -> Markup {
    let fields = DiaryFields(
      tracker: tracker, input: input, mistake: mistake, words: words, today: today,
      asksReason: call.queryValue("ask") == "reason")
    let question = DiaryQuestion(tracker: tracker, fields: fields)
    let event = input.event ?? call.environment.newIdentifier()
    let form = Form(
      action: address, token: call.formToken,
      fields: """
        <input type="hidden" name="event" value="\(event)">\
        <input type="hidden" name="zone" value="\(words.clock.zone.identifier)">\(fields)
        """,
      buttons: Button(
        localizer.text("diary.save"), icon: .check, person: call.formToken.personName
      ).markup)
    let units = tracker.units.map { "\($0.rawValue)=\($0.code)" }.joined(separator: " ")
    return """
      <div data-entry="\(tracker.shape.kind)" data-name="\(words.name(tracker))" \
      data-units="\(units)"\(question.attributes)>\(form)\(question.template)</div>
      """
  }

  private var list: Markup {
    guard !entries.isEmpty else { return "<p>\(localizer.text("diary.none"))</p>" }
    return """
      <ul class="people-list" role="list">\(each: entries, line)</ul>\
      \(if: entries.count == Self.most, """
        <p class="muted">\(localizer.text("diary.most", ["count": .number(Self.most)]))</p>
        """ as Markup)
      """
  }

  private func line(_ entry: DiaryEntry) -> Markup {
    """
    <li><a href="\(DiaryEntryRoutes.address(of: entry.id))"><strong>\
    \(words.text(entry.draft.value))</strong></a> · \(words.clock.text(entry.draft.at))\
    \(if: !entry.draft.note.isEmpty, "<br><span class=\"muted\">\(entry.draft.note)</span>" as Markup)</li>
    """
  }

  private func reminders(_ call: Call) -> Markup {
    let form = Form(
      action: "\(address)/reminders", token: call.formToken,
      fields: FormField(
        "reminder", label: localizer.text("diary.reminder-time"), kind: .time, value: "",
        localizer: localizer
      ).markup,
      buttons: Button(
        localizer.text("diary.reminder-add"), kind: .secondary, icon: .bell,
        person: call.formToken.personName
      ).markup)
    return """
      <p>\(localizer.text("diary.reminders-help"))</p>\
      \(if: !alarms.isEmpty, """
        <ul role="list">\(each: alarms, { alarm in
          let time = alarm.draft.times.time
          return "<li>\(localizer.time(hour: time.hour, minute: time.minute))</li>" as Markup
        })</ul>\(LinkButton(
          localizer.text("alarms.title"), address: Address.alarms, kind: .quiet, icon: .bell))
        """ as Markup)\
      \(Disclosure(localizer.text("diary.reminder-open"), form.markup))
      """
  }
}

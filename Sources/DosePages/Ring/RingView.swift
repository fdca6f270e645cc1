// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Reminders
import Storage
import Web

/// An alarm page in its states; the script only handles sound, time and presses.
struct RingView: PagePart {
  let model: RingModel
  let words: DoseFormatter
  let token: FormToken
  let now: Timestamp
  /// The address to return to after an answer: the page itself.
  let address: String
  /// True if this page stays open for the next dose.
  let isArmed: Bool
  let newIdentifier: @Sendable () -> String
  /// The alerts other than doses.
  var alerts = RingAlerts()
  /// The sound for medicines.
  var sound = AlarmSound.standard.rawValue
  /// The appearance of the medicines.
  var looks = MedicineAppearances()

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    if !model.ringing.isEmpty || !alerts.ringing.isEmpty { return ringing }
    return isArmed ? armed : over
  }

  /// The heading of the page.
  var title: String {
    guard let first = model.ringing.first else {
      if let row = alerts.ringing.first { return row.name }
      guard !isArmed else { return localizer.text("ring.title-armed") }
      return localizer.text(
        "ring.title-over",
        ["time": .text(model.settled.map(\.due).min().map(words.moment) ?? "")])
    }
    return localizer.text(
      "ring.title-ringing",
      ["count": .number(model.ringing.count), "time": .text(words.moment(first.dose.due))])
  }

  // MARK: Ringing

  private var ringing: Markup {
    """
    <div \(identity("ringing", model.ringing)) class="ring ring-now" role="alertdialog" \
    aria-labelledby="page-title" aria-describedby="\(
      model.ringing.isEmpty ? "ring-occasion" : "ring-doses")">\
    \(stopButton)\(armButton(.secondary))\(look(model.ringing))\
    \(if: !model.ringing.isEmpty, answers(model.ringing))\
    \(RingAlertForms(alerts: alerts, words: words, token: token, now: now, address: address, newIdentifier: newIdentifier))\
    \(settled)\(withoutScript)</div>
    """
  }

  private var stopButton: Markup {
    """
    <button type="button" class="button button-secondary ring-wide" data-ring="stop" data-script \
    hidden>\(Icon.stop)<span>\(text("stop"))</span></button>
    """
  }

  private func armButton(_ kind: ButtonKind) -> Markup {
    """
    <button type="button" class="button button-\(kind.rawValue) ring-wide" data-ring="arm" \
    data-script hidden>\(Icon.bell)<span>\(text("arm"))</span></button>
    """
  }

  /// Returns the link to a changed prescription, which must be reviewed first.
  private func look(_ rows: [RingModel.Row]) -> Markup {
    guard rows.contains(where: \.needsReview) else { return Markup() }
    return Notice(
      .warning, title: localizer.text("import.look-first"),
      "\(LinkButton(text("look"), address: "/#proposals", icon: .info))"
    ).markup
  }

  private func answers(_ rows: [RingModel.Row]) -> Markup {
    let asked = Set(rows.flatMap(\.question).map(\.administration)).sorted()
    let hidden =
      [("return", address), ("minutes", String(RingModel.laterMinutes))]
      + asked.map { ("confirm", $0.text) }
    return """
      <form class="form ring-answer" method="post" action="/answers" data-ring="answer">\(token)\
      \(each: hidden, { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" })\
      \(choices(rows))\
      <p class="ring-note" role="status" data-ring="sent" data-kept="\(text("kept"))" \
      data-lost="\(text("lost"))"></p>\
      <div class="ring-buttons">\
      \(Button(
        text("taken"), icon: .check, object: names(rows), name: "action", value: "taken",
        person: token.personName))\
      \(if: rows.contains(where: \.canWait), later(rows))\
      \(Button(
        text("skip"), kind: .secondary, icon: .barInCircle, object: names(rows), name: "action",
        value: "skipped", person: token.personName))</div></form>
      """
  }

  private func later(_ rows: [RingModel.Row]) -> Markup {
    let words = localizer.text("ring.later", ["minutes": .number(RingModel.laterMinutes)])
    return """
      \(Button(
        words, kind: .secondary, icon: .clock, object: names(rows), name: "action",
        value: "later", person: token.personName))
      """
  }

  /// Returns the choice among several doses; each can be left out.
  ///
  /// A dose that may have been taken already is never ticked in advance.
  private func choices(_ rows: [RingModel.Row]) -> Markup {
    if rows.count == 1, let row = rows.first, !row.isAsked {
      return """
        <div class="ring-dose" id="ring-doses"><p class="ring-name">\(row.dose.medicineName)</p>\
        \(row.dose.amount.map { "<p>\(words.amount($0))</p>" as Markup })\
        \(looks.large(row.dose.plan, row.dose.medicineName, localizer))\
        <input type="hidden" name="answer" value="\(press(row))"></div>
        """
    }
    return """
      <fieldset class="field"><legend id="ring-doses">\(text("choose"))</legend>\
      <div class="choices">\(each: rows, choice)</div></fieldset>
      """
  }

  private func choice(_ row: RingModel.Row) -> Markup {
    var notes = [words.moment(row.dose.due)]
    if let amount = row.dose.amount { notes.append(words.amount(amount)) }
    if !row.question.isEmpty {
      notes.append(
        localizer.text("dose.question.row", ["taken": .text(words.taken(row.question))]))
    }
    if row.needsReview { notes.append(localizer.text("import.look-first")) }
    return """
      <label class="choice"><input type="checkbox" name="answer" value="\(press(row))"\
      \(Markup.attribute("checked", !row.isAsked))><span class="choice-text">\
      <strong>\(row.dose.medicineName)</strong>\
      <span class="hint">\(notes.joined(separator: " · "))</span>\
      \(looks.row(row.dose.plan, row.dose.medicineName, localizer))</span></label>
      """
  }

  private func press(_ row: RingModel.Row) -> String { "\(row.dose.id.text) \(newIdentifier())" }

  private func names(_ rows: [RingModel.Row]) -> String {
    localizer.list(rows.map(\.dose.medicineName))
  }

  // MARK: Armed

  private var armed: Markup {
    """
    <div \(identity("armed", [])) class="ring stack-large">\
    <div class="stack" data-ring="armed">\(next)\(settled)\
    \(armButton(.primary))\(checks)\
    <p class="muted">\(text("limit")) <a href="/device">\(localizer.text("device.title"))</a></p>\
    \(withoutScript)</div>\(kept)</div>
    """
  }

  private var next: Markup {
    if let alarm = alerts.next,
      alarm.moment < model.next?.moment ?? alarm.moment.adding(milliseconds: 1)
    {
      return nextCard(alarm.moment, alarm.name)
    }
    guard let next = model.next else {
      return "\(Notice(.information, title: text("nothing")))"
    }
    let names = next.rows.map(\.dose.medicineName)
    return nextCard(next.moment, localizer.list(names))
  }

  private func nextCard(_ moment: Timestamp, _ name: String) -> Markup {
    """
    <div class="card ring-next"><p class="muted">\(text("next"))</p>\
    <p class="ring-time"><time datetime="\(words.machine(moment))">\
    \(words.moment(moment))</time></p><p>\(name)</p></div>
    """
  }

  private var checks: Markup {
    let rows: [(name: String, yes: String, no: String)] = [
      ("sound", text("sound-yes"), text("sound-no")),
      ("awake", text("awake-yes"), text("awake-no")),
      ("live", text("live-yes"), text("live-no")),
    ]
    return """
      <dl class="facts" data-script hidden>\(each: rows, { row in
        """
        <div><dt>\(localizer.text(MessageKey("ring.check.\(row.name)")))</dt>\
        <dd><span role="status" data-ring="\(row.name)" data-yes="\(row.yes)" \
        data-no="\(row.no)">\(row.no)</span></dd></div>
        """
      })</dl>
      """
  }

  /// The next doses, stored on the page in case the network fails.
  private var kept: Markup {
    guard let next = model.next, !next.rows.isEmpty else { return Markup() }
    return """
      <div class="ring-now stack" data-ring="kept" role="alertdialog" aria-labelledby="ring-kept" \
      hidden><h2 id="ring-kept">\(localizer.text(
        "ring.title-ringing",
        ["count": .number(next.rows.count), "time": .text(words.moment(next.moment))]))</h2>\
      \(stopButton)\(look(next.rows))\(answers(next.rows))</div>
      """
  }

  // MARK: Over

  private var over: Markup {
    """
    <div \(identity("over", [])) class="ring stack">\(settled)\
    \(ButtonRow("""
      \(LinkButton(localizer.text("today.title"), address: "/", kind: .primary, icon: .sun))\
      \(LinkButton(text("keep-open"), address: "/ring", icon: .bell))
      """))</div>
    """
  }

  private var settled: Markup {
    guard !model.settled.isEmpty || !alerts.settled.isEmpty else { return Markup() }
    return """
      <ul class="ring-settled" role="list">\(each: model.settled, { dose in
        """
        <li>\(words.chip(dose).icon)<span><strong>\(words.outcome(dose))</strong><br>\
        <a href="/doses/\(dose.id.text)">\(dose.medicineName)</a></span></li>
        """
      })\(each: alerts.settled, { row in row.settled(words) })</ul>
      """
  }

  // MARK: Parts

  private func identity(_ state: String, _ rows: [RingModel.Row]) -> Markup {
    """
    id="ring" data-state="\(state)" data-now="\(String(now.milliseconds))"\
    \(Markup.attribute("data-next", nextMoment.map { String($0.milliseconds) }))\
    \(Markup.attribute("data-doses", (rows.map(\.dose.id.text) + alerts.ringing.map(\.alert.id.text)).joined(separator: " "))) \
    data-sound="\(playedSound)"
    """
  }

  /// An alarm has its own sound; if medicines ring too, theirs is used.
  private var playedSound: String {
    guard model.ringing.isEmpty, let row = alerts.ringing.first else { return sound }
    return row.sound ?? sound
  }

  private var nextMoment: Timestamp? {
    [model.next?.moment, alerts.next?.moment].compactMap(\.self).min()
  }

  private var withoutScript: Markup {
    "<noscript><p class=\"muted\">\(text("no-script"))</p></noscript>"
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("ring.text.\(name)"))
  }
}

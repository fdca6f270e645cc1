// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Reminders
import Scheduling
import Web

/// An alarm page in its frame, with only a link home around it.
struct RingPage: Sendable {
  let model: RingModel
  let zone: Zone
  let address: String
  /// True if it stays open for the next dose.
  let isArmed: Bool
  /// The doses that a message about the last action may name.
  let known: [Dose]
  /// True for a summary of doses that did not ring in time: it makes no sound.
  var isSummary = false
  /// The alerts other than doses.
  var alerts = RingAlerts()
  /// The sound for medicines.
  var sound = AlarmSound.standard.rawValue
  /// The appearance of the medicines.
  var looks = MedicineAppearances()
  /// True on the bedside page.
  var isNight = false

  func response(_ call: Call) -> Response {
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    let view = RingView(
      model: model, words: words, token: call.formToken, now: call.now, address: address,
      isArmed: isArmed, newIdentifier: call.environment.newIdentifier, alerts: alerts,
      sound: sound, looks: looks)
    var frame = call.frame()
    // The frame, without navigation and account.
    frame.visitor = .signedOut
    frame.scripts = [PageAssets.ring]
    frame.title = isSummary ? call.localizer.text("ring.title-summary") : view.title
    if call.people.count > 1, let person = call.person {
      frame.title = call.localizer.text(
        "people.titled", ["name": .text(person.calledName), "title": .text(frame.title)])
    }
    let isRinging = !model.ringing.isEmpty || !alerts.ringing.isEmpty
    if !isRinging || isSummary {
      frame.back = .init(call.localizer.text("today.title"), address: "/")
    }
    if isArmed, !isRinging { frame.lead = call.localizer.text("ring.lead") }
    frame.flash = DoneNote(call)?.flash(
      known, words: words, now: call.now, token: call.formToken, returnPath: address,
      newIdentifier: call.environment.newIdentifier)
    if isNight {
      frame.theme = .dark
      if !isRinging {
        frame.title = call.localizer.text("night.title")
        frame.lead = call.localizer.text("night.lead")
      }
      let clock = NightStandView(words: words, now: call.now)
      return call.page(frame, "<div class=\"night\">\(clock)\(view.markup)</div>")
    }
    guard isSummary else { return call.page(frame, view.markup) }
    return call.page(frame, RingSummaryView(doses: known, words: words).markup)
  }
}

/// The summary of doses that did not ring in time: their due times, and forms to answer them.
struct RingSummaryView: PagePart {
  let doses: [Dose]
  let words: DoseFormatter

  var markup: Markup {
    let localizer = words.localizer
    let cards = doses.map { dose in
      DoseCard(
        .done, time: words.moment(dose.due), timestamp: words.machine(dose.due),
        name: dose.medicineName, address: "/doses/\(dose.id.text)", chip: words.chip(dose),
        actions: """
          \(if: !dose.state.isAnswered, LinkButton(
            localizer.text("today.record"), address: "/doses/\(dose.id.text)?return=/",
            icon: .pencil, object: dose.medicineName).markup)
          """)
    }
    return """
      <div class="stack">\
      \(CareCard(
        .advice, title: localizer.text("ring.summary.title"), localizer: localizer,
        "<p>\(localizer.text("ring.summary.help"))</p>"))\
      \(DoseList(cards))</div>
      """
  }
}

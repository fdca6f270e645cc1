// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Reminders
import Scheduling
import Web

/// A ringing page in its frame: nothing around it but the way home.
struct RingPage: Sendable {
  let model: RingModel
  let zone: Zone
  let address: String
  /// Whether it stays open for the next dose.
  let isArmed: Bool
  /// The doses that a message about a press may speak of.
  let known: [Dose]
  /// Whether it tells of doses that were not rung in time: it makes no sound.
  var isSummary = false
  /// What rings besides doses.
  var alerts = RingAlerts()
  /// The sound for medicines.
  var sound = AlarmSound.standard.rawValue
  /// What the medicines look like.
  var looks = MedicineAppearances()
  /// Whether it stands beside a bed.
  var isNight = false

  func response(_ call: Call) -> Response {
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    let view = RingView(
      model: model, words: words, token: call.formToken, now: call.now, address: address,
      isArmed: isArmed, newIdentifier: call.environment.newIdentifier, alerts: alerts,
      sound: sound, looks: looks)
    var frame = call.frame()
    // Quiet: no navigation and no account beside what rings.
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

/// What was not rung in time: true due times, and the way to say what happened.
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

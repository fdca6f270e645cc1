// SPDX-License-Identifier: Apache-2.0

import AccountPages
import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Presentation
import Reminders
import Storage
import Web

/// The page that says whether reminders are delivered.
struct StatusPage: Sendable {
  let model: StatusModel
  /// True if the clock was just confirmed.
  var isClockTrusted = false
  /// True if the country was just saved.
  var isCountrySaved = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: model.zone, now: call.now)
    var frame = call.frame()
    frame.title = localizer.text("status.title")
    frame.place = .me
    frame.lead = localizer.text("status.lead")
    if isClockTrusted, !model.isClockHeld {
      frame.flash = FlashBar(localizer.text("status.clock.done"))
    }
    if isCountrySaved, model.server != nil {
      frame.flash = FlashBar(localizer.text("emergency-card.country-done"))
    }
    let devices = StatusDevices(
      devices: model.devices, mailIsPossible: model.mailIsPossible, words: words, now: call.now)
    let server = model.server.map { server in
      StatusServer(server: server, mailIsPossible: model.mailIsPossible, words: words)
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(clock(localizer, call))\(devices)\(missed(words))\
      \(server)\(country(localizer, call))\
      \(if: model.server != nil, administration(localizer))</div>
      """)
  }

  /// Returns the form for the country whose emergency number everyone sees.
  private func country(_ localizer: Localizer, _ call: Call) -> Markup {
    guard let server = model.server else { return Markup() }
    return Section(
      localizer.text("emergency-card.country-title"), id: "country",
      """
      \(EmergencyNumber(region: server.region, localizer: localizer))\
      \(Form(
        action: "/status/country", token: call.accountToken,
        fields: EmergencyRegionField.field(server.region?.rawValue ?? "", localizer).markup,
        buttons: Button(localizer.text("details.save")).markup))
      """
    ).markup
  }

  /// The links to what administrators manage.
  private func administration(_ localizer: Localizer) -> Markup {
    ButtonRow(
      """
      \(LinkButton(
        localizer.text("emergency-access.practitioners.title"), address: PractitionerPages.path,
        icon: .person))\
      \(LinkButton(
        localizer.text("emergency-access.review.title"), address: EmergencyReview.path, icon: .list))
      """
    ).markup
  }

  private func clock(_ localizer: Localizer, _ call: Call) -> Markup {
    guard model.isClockHeld else { return Markup() }
    let what: Markup =
      model.server == nil
      ? "<p>\(localizer.text("status.clock.ask"))</p>"
      : """
      <p>\(localizer.text("status.clock.confirm-help"))</p>\
      \(FormButton(
        localizer.text("status.clock.confirm"), action: "/status/clock", token: call.accountToken,
        kind: .secondary, icon: .clock))
      """
    return Notice(
      .error, title: localizer.text("status.clock.title"),
      "<p>\(localizer.text("status.clock.help"))</p>\(what)"
    ).markup
  }

  private func missed(_ words: DoseFormatter) -> Section {
    let localizer = words.localizer
    guard !model.missed.isEmpty else {
      return Section(
        localizer.text("status.missed.title"), "<p>\(localizer.text("status.missed.none"))</p>")
    }
    return Section(
      localizer.text("status.missed.title"),
      """
      <ul class="stack-small" role="list">\(each: model.missed, { "<li>\(line($0, words))</li>" })\
      </ul>
      """)
  }

  private func line(_ missed: StatusModel.Missed, _ words: DoseFormatter) -> Markup {
    """
    <strong><a href="/doses/\(missed.dose.text)">\(words.localizer.text(
      "status.missed.due", ["when": .text(words.moment(missed.due))]))</a></strong><br>\
    <span class="muted">\(words.localizer.text(
      "status.missed.outcome", ["outcome": .text(missed.outcome.rawValue)]))</span>
    """
  }
}

// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Hummingbird
import Knowledge
import Localization
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The card for the person to print, and the links that open it for others.
struct EmergencyCardPage: Sendable {
  let model: EmergencyCardModel
  let cards: [EmergencyCard]
  let openings: [Timestamp]
  let problem: EmergencyCardError?
  let region: EmergencyRegion?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("emergency-card.title")
    frame.lead = localizer.text("emergency-card.lead")
    frame.place = .people
    frame.back = .people(localizer)
    if let done = call.queryValue("done"), problem == nil {
      frame.flash = FlashBar(
        localizer.text("emergency-card.done", ["done": .text(done)]))
    }
    let words = DoseFormatter(localizer: localizer, zone: model.zone, now: call.now)
    let notice = problem.map { problem in
      let maximum = if case .tooMany(let maximum) = problem { maximum } else { 0 }
      return Notice(
        .error,
        title: localizer.text("emergency-card.too-many", ["maximum": .number(maximum)])
      ).markup
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(notice)\
      \(EmergencyCardView(model: model, words: words, region: region))\
      \(each: cards, { link($0, words, call) })\
      \(settings(words, call))</div>
      """, status: problem == nil ? .ok : .conflict)
  }

  /// Returns the part below the card: the QR code of the link, and the code if it should be
  /// printed.
  private func link(_ card: EmergencyCard, _ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = words.localizer
    let address = "\(call.baseURL)\(EmergencyCardRoutes.openPath)/\(card.secret)"
    let code: Markup = """
      <p>\(localizer.text("emergency-card.code"))</p>\
      <p class="fingerprint" translate="no">\(card.code.text)</p>
      """
    let guesses = card.refusedLast.map { last in
      Notice(
        .warning,
        title: localizer.text(
          "emergency-card.refused",
          ["count": .number(card.refused), "time": .text(words.moment(last))]),
        "<p>\(localizer.text("emergency-card.refused-help"))</p>"
      ).markup
    }
    return """
      <div class="emergency-link">\(guesses)<p>\(localizer.text("emergency-card.scan"))</p>\
      \(LinkPicture(address, label: localizer.text("emergency-card.picture")))\
      <p class="break-anywhere small" translate="no">\(address)</p>\
      \(if: card.showsCode, code)\
      \(if: !card.showsCode, "<div class=\"emergency-settings\">\(code)</div>")\
      <p class="muted small">\(localizer.text(
        "emergency-card.until", ["date": .text(words.date(words.local(card.expires).date, .long))]))\
      </p>\
      \(ButtonRow(FormButton(
        localizer.text("emergency-card.end"),
        action: "\(Address.emergencyCard)/\(card.id)/end", token: call.formToken,
        kind: .danger, icon: .crossInCircle,
        object: words.moment(card.created)).markup))</div>
      """
  }

  private func settings(_ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = words.localizer
    let token = call.formToken
    let days = EmergencyCards.days.map { days in
      FieldChoice(
        String(days), localizer.text("emergency-card.days", ["days": .number(days)]))
    }
    let rows: [Markup] = openings.map { "<li>\(words.moment($0))</li>" }
    return """
      <div class="emergency-settings stack-large">\
      \(Section(
        localizer.text("emergency-card.open"), id: "cards",
        """
        <div class="stack"><p>\(localizer.text("emergency-card.open-help"))</p>\
        \(Form(
          action: Address.emergencyCard, token: token,
          fields: """
            \(FormField(
              "days", label: localizer.text("emergency-card.for-how-long"),
              kind: .radios(days), value: "30", localizer: localizer))\
            \(FormField(
              "shows-code", label: localizer.text("emergency-card.code-where"),
              kind: .checkboxes([
                FieldChoice(
                  "yes", localizer.text("emergency-card.shows-code"),
                  hint: localizer.text("emergency-card.shows-code-hint"))
              ]), isRequired: false, localizer: localizer))
            """,
          buttons: Button(
            localizer.text("emergency-card.make"), icon: .plus, person: token.personName
          ).markup))</div>
        """))\
      \(Section(
        localizer.text("emergency-card.openings"), id: "openings",
        """
        \(if: rows.isEmpty, "<p>\(localizer.text("emergency-card.no-openings"))</p>")\
        \(if: !rows.isEmpty, "<ul>\(rows)</ul>")
        """))</div>
      """
  }
}

/// The page that asks for the code of a card.
struct EmergencyCodePage: Sendable {
  let secret: String
  var isRefused = false
  /// The minutes to wait after too many wrong codes; nil if there is no wait.
  var minutes: Int?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("emergency-card.ask.title")
    frame.lead = localizer.text("emergency-card.ask.lead")
    var error: String?
    if isRefused { error = localizer.text("emergency-card.ask.refused") }
    if let minutes {
      error = localizer.text("sign-in.too-many", ["minutes": .number(minutes)])
    }
    frame.hasErrors = error != nil
    let errors = error.map { [FieldError(field: "code", message: $0)] } ?? []
    let field = FormField(
      "code", label: localizer.text("emergency-card.ask.code"),
      hint: localizer.text("emergency-card.ask.hint"), error: error, autocomplete: "off",
      maximumLength: 20, localizer: localizer)
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: "\(EmergencyCardRoutes.openPath)/\(secret)", token: call.accountToken,
        fields: field.markup,
        buttons: Button(localizer.text("emergency-card.ask.open")).markup))</div>
      """,
      status: minutes != nil ? .tooManyRequests : isRefused ? .unprocessableContent : .ok)
  }
}

/// The card as a helper sees it.
struct EmergencyOpenedPage: Sendable {
  let model: EmergencyCardModel
  let region: EmergencyRegion?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("emergency-card.opened.title", ["name": .text(model.name)])
    frame.lead = localizer.text("emergency-card.opened.lead")
    return call.page(
      frame,
      """
      <div class="narrow stack">\(EmergencyCardView(
        model: model, words: DoseFormatter(localizer: localizer, zone: model.zone, now: call.now),
        region: region))</div>
      """)
  }
}

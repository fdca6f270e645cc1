// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Presentation
import Reminders
import Storage
import Web

/// A page that shows and changes how reminders reach a person.
struct EscalationPage: Sendable {
  var view = EscalationView.policy
  var choices: EscalationChoices
  /// The patients whose messages the account was offered.
  let offers: [(patient: PatientID, name: String, isAccepted: Bool)]
  let mayAct: Bool
  var input: EscalationInput
  var mistakes: [EscalationInput.Mistake] = []
  /// The quiet hours as typed, if they are invalid.
  var typedQuiet: (from: String, until: String)?
  /// The times until which reminders are held back on weekends and holidays.
  var sleepIn = SleepInForm()
  /// True if the person is told on the evening before a clock change.
  var tellsClock = true

  static func read(
    _ view: EscalationView, _ call: Call, _ signedIn: SignedIn
  ) async throws -> EscalationPage {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.read, "Patient", of: patient)
    let environment = call.environment
    let (account, now) = (signedIn.account.id, call.now)
    let mayAct = call.person?.mayAct ?? true
    return try await environment.database.read { reader in
      let choices =
        mayAct
        ? try EscalationCommands.choices(
          of: patient, account: account, accounts: environment.accounts, zones: environment.zones,
          at: now, in: reader) : EscalationChoices()
      var page = EscalationPage(
        view: view, choices: choices,
        offers: try EscalationCommands.offers(to: account, at: now, in: reader), mayAct: mayAct,
        input: EscalationInput(choices.ofDoses))
      if mayAct {
        page.sleepIn = SleepInForm(try ReminderChoices.of(patient, in: reader))
        page.tellsClock = try EscalationReading.tellsClock(patient, in: reader)
      }
      return page
    }
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = view.title(localizer)
    frame.lead = view == .policy ? localizer.text("escalation.lead") : nil
    frame.place = .me
    frame.back = SettingsPage.reminders.back(localizer)
    frame.hasErrors = !mistakes.isEmpty || typedQuiet != nil || sleepIn.hasMistake
    if call.queryValue("done") == "saved" {
      frame.flash = FlashBar(localizer.text("escalation.saved"))
    }
    let own = mayAct ? content(localizer, call.formToken) : Markup()
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors(localizer), localizer: localizer))\
      \(own)\(if: view == .family || !mayAct, told(localizer, call.accountToken))</div>
      """, status: frame.hasErrors ? .unprocessableContent : .ok)
  }

  private func errors(_ localizer: Localizer) -> [FieldError] {
    var errors = mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
    if typedQuiet != nil {
      errors.append(
        FieldError(field: "quiet-from", message: localizer.text("escalation.error.quiet")))
    }
    if sleepIn.hasMistake {
      errors.append(
        FieldError(
          field: "holiday-starts", message: localizer.text("alarms.mornings-problem")))
    }
    return errors
  }

  private func content(_ localizer: Localizer, _ token: FormToken) -> Markup {
    let names = Dictionary(
      choices.family.map { ($0.account, $0.name) }
        + choices.standby.waiting.map { ($0.account, $0.name) }
    ) { first, _ in first }
    let words = EscalationText(localizer: localizer, names: names)
    let form = EscalationForm(page: self, words: words, token: token)
    return switch view {
    case .policy:
      """
      \(Section(localizer.text("escalation.now"), id: "now", now(words)))\
      \(form.channels)\(form.escalation)\(others(localizer))
      """
    case .quiet: "\(form.quiet)\(form.clock)\(PlaceList([place(.sleepIn, .sun, localizer)]))"
    case .sleepIn: sleepIn.markup(localizer, token)
    case .family: "\(form.family)\(form.standby)"
    }
  }

  /// Returns the links to the other pages about reminders.
  private func others(_ localizer: Localizer) -> PlaceList {
    PlaceList([
      place(.quiet, .moon, localizer), place(.sleepIn, .sun, localizer),
      place(.family, .people, localizer),
    ])
  }

  private func place(
    _ view: EscalationView, _ icon: Icon, _ localizer: Localizer
  ) -> PlaceList.Place {
    PlaceList.Place(view.title(localizer), address: view.address, icon: icon)
  }

  private func now(_ words: EscalationText) -> Markup {
    """
    <p>\(words.preview(choices.ofDoses, quiet: choices.quiet))</p>\
    <p class="muted">\(words.localizer.text("escalation.ends"))</p>
    """
  }

  /// Returns the other people whose messages the account gets, or was offered.
  private func told(_ localizer: Localizer, _ token: FormToken) -> Markup {
    guard !offers.isEmpty else { return Markup() }
    return Section(
      localizer.text("escalation.told"), id: "told",
      """
      \(each: offers, { offer in
        let state: MessageKey = offer.isAccepted ? "escalation.told-on" : "escalation.told-offer"
        return """
          <div class="card"><p>\(localizer.text(state, ["name": .text(offer.name)]))</p>\
          \(ButtonRow("""
            \(if: !offer.isAccepted, FormButton(
              localizer.text("escalation.accept"), action: "/reminders/told", token: token,
              fields: [("patient", offer.patient.text), ("do", "accept")], object: offer.name).markup)\
            \(FormButton(
              localizer.text("escalation.end"), action: "/reminders/told", token: token,
              fields: [("patient", offer.patient.text), ("do", "end")], kind: .secondary,
              object: offer.name))
            """))</div>
          """
      })
      """
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The page of a medicine's sites: the next one, the history, and the choice to record them.
struct SitesPage: Sendable {
  let plan: Plan
  let choice: SiteChoice
  /// The last doses, the latest first.
  let uses: [SiteUse]
  let input: SiteInput
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("sites.of-medicine", ["name": .text(plan.medicineName)])
    frame.lead = localizer.text("sites.lead")
    frame.place = .medicines
    frame.back = .init(plan.medicineName, address: "/medicines/\(plan.id)")
    let errors = self.errors
    frame.hasErrors = !errors.isEmpty
    if errors.isEmpty, call.queryValue("done") == "saved" {
      frame.flash = FlashBar(localizer.text("sites.done", ["what": .text("saved")]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(if: choice.isOn, next)\(if: !uses.isEmpty, history(call))\
      \(if: call.formToken.mayAct, form(errors, call))</div>
      """, status: errors.isEmpty ? .ok : .unprocessableContent)
  }

  private var errors: [FieldError] {
    var errors: [FieldError] = []
    if input.kind == nil {
      errors.append(FieldError(field: "kind", message: localizer.text("sites.kind-missing")))
    }
    if input.isHoursWrong {
      errors.append(FieldError(field: "hours", message: localizer.text("sites.hours-wrong")))
    }
    return errors
  }

  private var next: Markup {
    let known = uses.compactMap { use in use.site.map { (site: $0, used: use.used) } }
    guard let rotation = SiteRotation(choice.sites, uses: known) else { return Markup() }
    return Notice(
      .information, title: SiteText(words: words).suggestion(rotation),
      "<p>\(localizer.text("sites.suggestion.no-days"))</p>"
    ).markup
  }

  private func history(_ call: Call) -> Markup {
    let mayAct = call.formToken.mayAct
    return Section(
      localizer.text("sites.history"), id: "history",
      "<ul class=\"stack-small\" role=\"list\">\(each: uses, { line($0, mayAct: mayAct) })</ul>"
    ).markup
  }

  private func line(_ use: SiteUse, mayAct: Bool) -> Markup {
    let text = SiteText(words: words)
    let site = use.site.map { text.name($0) } ?? localizer.text("sites.not-stated")
    let address = Address.site(of: use.administration.text)
    let named: Markup = mayAct ? "<a href=\"\(address)\">\(site)</a>" : Markup(text: site)
    return """
      <li>\(words.moment(use.used)): \(named)\
      \(if: !use.reactions.isEmpty, " (\(text.names(use.reactions)))")\
      \(text.removal(use).map { "<br>\($0)" as Markup })</li>
      """
  }

  private func form(_ errors: [FieldError], _ call: Call) -> Markup {
    let text = SiteText(words: words)
    func error(_ field: String) -> String? { errors.first { $0.field == field }?.message }
    let kinds = SiteKind.allCases.map {
      FieldChoice($0.rawValue, localizer.text("sites.kind", ["kind": .text($0.rawValue)]))
    }
    let sites = (input.kind ?? choice.kind).sites.map { FieldChoice($0.rawValue, text.name($0)) }
    return Section(
      localizer.text("sites.choice"), id: "choice",
      Form(
        action: SiteRoutes.address(of: plan.id), token: call.formToken,
        fields: """
          \(FormField(
            "on", label: localizer.text("sites.on"),
            kind: .checkboxes([FieldChoice("yes", localizer.text("sites.on-yes"))]),
            values: input.isOn ? ["yes"] : [], isRequired: false, localizer: localizer))\
          \(FormField(
            "kind", label: localizer.text("sites.kind-label"), kind: .radios(kinds),
            value: input.kind?.rawValue, error: error("kind"), localizer: localizer))\
          \(FormField(
            "sites", label: localizer.text("sites.allowed"), kind: .checkboxes(sites),
            values: input.sites.map(\.rawValue), hint: localizer.text("sites.allowed-hint"),
            isRequired: false, localizer: localizer))\
          \(FormField(
            "hours", label: localizer.text("sites.hours"), kind: .integer, value: input.hours,
            hint: localizer.text("sites.hours-hint"), error: error("hours"), isRequired: false,
            localizer: localizer))
          """,
        buttons: Button(
          localizer.text("sites.save"), icon: .check, object: plan.medicineName,
          person: call.formToken.personName
        ).markup
      ).markup
    ).markup
  }
}

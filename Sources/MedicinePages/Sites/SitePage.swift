// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The page on which the site of one dose is chosen, and its removal is logged.
struct SitePage: Sendable {
  let medicineName: String
  let use: SiteUse
  let choice: SiteChoice
  /// The last doses of the medicine, the latest first.
  let history: [SiteUse]
  let words: DoseFormatter
  var isSiteMissing = false

  private var localizer: Localizer { words.localizer }
  private var address: String { Address.site(of: use.administration.text) }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("sites.of-dose", ["name": .text(medicineName)])
    frame.lead = localizer.text("sites.used", ["time": .text(words.moment(use.used))])
    frame.place = .today
    frame.back = .init(localizer.text("today.title"), address: "/")
    frame.hasErrors = isSiteMissing
    if !isSiteMissing, let done = call.queryValue("done"), ["saved", "removed"].contains(done) {
      frame.flash = FlashBar(localizer.text("sites.done", ["what": .text(done)]))
    }
    let chosen = call.queryValue("site").flatMap(BodySite.init(rawValue:)) ?? use.site
    let errors =
      isSiteMissing
      ? [FieldError(field: "site", message: localizer.text("sites.missing"))] : []
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(removal(call))\(suggestion)\
      \(BodyMap(sites: choice.sites, chosen: chosen, address: address, localizer: localizer))\
      <div id="choose">\(form(chosen, errors, call))</div>\
      \(ButtonRow(LinkButton(
        localizer.text("sites.all"), address: SiteRoutes.address(of: use.plan), icon: .list,
        object: medicineName
      ).markup))</div>
      """, status: isSiteMissing ? .unprocessableContent : .ok)
  }

  /// The site that was used longest ago, without this dose.
  private var rotation: SiteRotation? {
    let others = history.filter { $0.administration != use.administration && $0.used <= use.used }
    return SiteRotation(
      choice.sites,
      uses: others.compactMap { other in other.site.map { (site: $0, used: other.used) } })
  }

  private var suggestion: Markup {
    guard use.site == nil, let rotation else { return Markup() }
    return "<p>\(SiteText(words: words).suggestion(rotation))</p>"
  }

  private func removal(_ call: Call) -> Markup {
    guard let text = SiteText(words: words).removal(use) else { return Markup() }
    guard use.isWorn else { return "<p>\(text)</p>" }
    return """
      <p>\(text)</p>\(FormButton(
        localizer.text("sites.removal.done-now"), action: "\(address)/removed",
        token: call.formToken, icon: .check, object: medicineName))
      """
  }

  private func form(_ chosen: BodySite?, _ errors: [FieldError], _ call: Call) -> Markup {
    let text = SiteText(words: words)
    let isMapped = choice.sites.allSatisfy { BodyMap.place($0) != nil }
    let sites = choice.sites.enumerated().map { index, site in
      FieldChoice(site.rawValue, isMapped ? "\(index + 1): \(text.name(site))" : text.name(site))
    }
    let reactions = SiteReaction.allCases.map {
      FieldChoice($0.rawValue, text.names([$0]))
    }
    return Form(
      action: address, token: call.formToken,
      fields: """
        \(FormField(
          "site", label: localizer.text("sites.where"), kind: .radios(sites),
          value: chosen?.rawValue, error: errors.first?.message, localizer: localizer))\
        \(FormField(
          "reactions", label: localizer.text("sites.reactions"), kind: .checkboxes(reactions),
          values: use.reactions.map(\.rawValue), hint: localizer.text("sites.reactions-hint"),
          isRequired: false, localizer: localizer))
        """,
      buttons: Button(
        localizer.text("sites.save"), icon: .check, object: medicineName,
        person: call.formToken.personName
      ).markup
    ).markup
  }
}

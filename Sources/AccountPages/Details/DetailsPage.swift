// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Presentation
import SiteMap
import TimeZones
import Web

/// A page with some of a person's details.
struct DetailsPage: Sendable {
  let section: DetailsSection
  /// The details as typed; nil for a viewer who may not change them.
  let input: DetailsInput?
  /// The version of the Patient that the form shows.
  var version: Int64 = 0
  var mistakes: [DetailsInput.Mistake] = []
  /// True if someone changed the details after the form was opened.
  var isOutdated = false
  /// The change just made; nil if there was none.
  var done: Done?
  /// The effects of saving, one sentence each.
  var effects: [String] = []
  /// The doses that saving would move.
  var trial: DetailsTrial?
  /// The allergies, weights and photo; nil on other pages, and while the form has mistakes.
  var care: HealthProfilePart?

  /// The change that the page confirms.
  enum Done: String, Sendable {
    case saved, removed
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = section.title(localizer)
    if let person = call.person, !person.isOwn, input != nil {
      frame.title = localizer.text(
        "people.titled", ["name": .text(person.calledName), "title": .text(frame.title)])
    }
    frame.place = .me
    frame.back = call.signedIn == nil ? nil : section.back(localizer)
    frame.hasErrors = status != .ok
    frame.listsLanguages = section == .appearance && input == nil
    switch done {
    case .saved: frame.flash = FlashBar(localizer.text("details.saved"))
    case .removed: frame.flash = FlashBar(localizer.text("health-profile.removed"))
    case nil: break
    }
    return call.page(frame, content(call, frame), status: status)
  }

  private var status: HTTPResponse.Status {
    if isOutdated { return .conflict }
    if care?.input.mistake == .photo(.tooLarge) { return .contentTooLarge }
    return mistakes.isEmpty && care?.input.mistake == nil ? .ok : .unprocessableContent
  }

  private func content(_ call: Call, _ frame: PageFrame) -> Markup {
    let localizer = call.localizer
    let summary =
      mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
      + [care?.input.mistake].compactMap(\.self).map {
        FieldError(field: $0.field, message: $0.text(localizer))
      }
    return """
      <div class="narrow stack-large">\(ErrorSummary(summary, localizer: localizer))\
      \(notices(localizer))\(form(call))\(care)\
      \(DetailsExtras(section: section, isForm: input != nil, frame: frame, call: call))</div>
      """
  }

  private func form(_ call: Call) -> Form? {
    guard let input else { return nil }
    let localizer = call.localizer
    let token = call.formToken
    return Form(
      action: section.address, token: token,
      fields: """
        <input type="hidden" name="version" value="\(version)">\
        \(trial?.seen)\(trial.map { DetailsTrialCard(trial: $0, localizer: localizer) })\
        \(DetailsFields(
          section: section, input: input, errors: messages(localizer),
          zones: call.environment.zones.identifiers, localizer: localizer,
          isOwn: call.person?.isOwn ?? true, asksForLabel: call.people.count > 1))
        """,
      buttons: """
        \(Button(localizer.text("details.save"), icon: .check, person: token.personName))\
        \(if: section == .routine, Button(
          localizer.text("details.preview"), kind: .secondary, icon: .calendar, name: "preview",
          value: "yes", person: token.personName).markup)
        """)
  }

  private func notices(_ localizer: Localizer) -> Markup {
    """
    \(if: !effects.isEmpty, Notice(
      .information, title: localizer.text("details.effects"),
      "<ul>\(each: effects, { "<li>\($0)</li>" })</ul>").markup)\
    \(if: isOutdated, Notice(
      .warning, title: localizer.text("details.outdated"),
      "<p>\(localizer.text("details.outdated-help"))</p>").markup)
    """
  }

  /// The first message of each field.
  private func messages(_ localizer: Localizer) -> [String: String] {
    Dictionary(
      mistakes.map { ($0.field, $0.message(localizer)) },
      uniquingKeysWith: { first, _ in first })
  }
}

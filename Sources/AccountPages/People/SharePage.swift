// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import SiteMap
import Web

/// The form of an invitation.
struct SharePage: Sendable {
  let input: ShareInput
  /// True if the account is a guardian, who may leave when another one takes over.
  let mayHandOver: Bool
  var mistakes: [ShareMistake] = []

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    let name = call.person?.name ?? call.signedIn?.account.displayName ?? ""
    frame.title = localizer.text("people.share", ["name": .text(name)])
    frame.lead = localizer.text("people.form.lead")
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    frame.hasErrors = !mistakes.isEmpty
    let errors = mistakes.map { FieldError(field: $0.field, message: message($0, localizer)) }
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: "/people/share", token: call.formToken, fields: fields(localizer),
        buttons: """
          \(Button(
            localizer.text("people.form.invite"), icon: .check,
            person: call.formToken.personName))
          """))</div>
      """
    return call.page(frame, content, status: mistakes.isEmpty ? .ok : .unprocessableContent)
  }

  private func fields(_ localizer: Localizer) -> Markup {
    """
    \(FormField(
      "relationship", label: localizer.text("people.form.relationship"),
      kind: .radios(
        [Relationship.family, .practitioner, .guardian].map { relationship in
          FieldChoice(
            relationship.rawValue,
            localizer.text(
              "people.access-kind", ["relationship": .text(relationship.rawValue)]))
        }), value: input.relationship, error: error("relationship", localizer),
      localizer: localizer))\
    \(PeopleText.categoryField(input.categories, error: error("category", localizer), localizer))\
    \(FormField(
      "until", label: localizer.text("people.form.until"), kind: .date(), value: input.until,
      hint: localizer.text("people.form.until-hint"), error: error("until", localizer),
      isRequired: false, localizer: localizer))\
    \(if: mayHandOver, handOver(localizer))
    """
  }

  private func handOver(_ localizer: Localizer) -> Markup {
    FormField(
      "hand-over", label: localizer.text("people.form.hand-over"),
      kind: .checkboxes([FieldChoice("yes", localizer.text("people.form.hand-over-yes"))]),
      values: input.handsOver ? ["yes"] : [],
      hint: localizer.text("people.form.hand-over-hint"), isRequired: false,
      localizer: localizer
    ).markup
  }

  private func error(_ field: String, _ localizer: Localizer) -> String? {
    mistakes.first { $0.field == field }.map { message($0, localizer) }
  }

  private func message(_ mistake: ShareMistake, _ localizer: Localizer) -> String {
    switch mistake {
    case .relationship: localizer.text("people.form.relationship-missing")
    case .until: localizer.text("details.problem.date")
    case .refused(let error): PeopleText.refusal(error, localizer)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import SiteMap
import Web

/// The page that checks a FHIR Questionnaire and shows each rule that it breaks. It stores nothing.
struct QuestionnaireCheckPage: Sendable {
  let text: String
  var isChecked = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let findings = isChecked ? QuestionnaireCheck.lines(of: Array(text.utf8)) : []
    var frame = call.frame()
    frame.title = localizer.text("questionnaires.check.title")
    frame.lead = localizer.text("questionnaires.check.lead")
    frame.place = .progress
    frame.back = .init(localizer.text("questionnaires.title"), address: Address.questionnaires)
    let result: Markup =
      if !isChecked {
        Markup()
      } else if findings.isEmpty {
        Notice(.success, title: localizer.text("questionnaires.check.good")).markup
      } else {
        Notice(
          .error, title: localizer.text("questionnaires.check.bad"),
          "<ul lang=\"en\">\(each: findings, { "<li>\($0)</li>" as Markup })</ul>"
        ).markup
      }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(result)\(Form(
        action: "\(Address.questionnaires)/check", token: call.formToken,
        fields: FormField(
          "questionnaire", label: localizer.text("questionnaires.check.field"), kind: .lines(12),
          value: text, localizer: localizer
        ).markup,
        buttons: Button(localizer.text("questionnaires.check.button")).markup))</div>
      """, status: findings.isEmpty ? .ok : .unprocessableContent)
  }
}

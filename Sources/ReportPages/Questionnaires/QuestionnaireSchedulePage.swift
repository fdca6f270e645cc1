// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Scheduling
import SiteMap
import Web

/// When a questionnaire is asked, as typed.
struct QuestionnaireScheduleInput: Sendable {
  var kind: QuestionnaireSchedule.Kind?
  var starts: String
  var weeks: String

  /// The usual choice: every week from today.
  init(_ today: CivilDate) {
    kind = .weekly
    starts = today.text
    weeks = ""
  }

  init(_ fields: FormBody) {
    kind = fields.text("kind").flatMap(QuestionnaireSchedule.Kind.init(rawValue:))
    starts = fields.text("starts") ?? ""
    weeks = fields.text("weeks") ?? ""
  }

  /// The schedule; nil if something is missing or not valid.
  var schedule: QuestionnaireSchedule? {
    guard let kind, let day = CivilDate(text: starts) else { return nil }
    guard kind == .after else { return QuestionnaireSchedule(kind, starts: day) }
    guard let weeks = Int(weeks) else { return nil }
    return QuestionnaireSchedule(kind, starts: day, weeks: weeks)
  }
}

/// The page that plans when a questionnaire is asked.
struct QuestionnaireSchedulePage: Sendable {
  let form: ListedQuestionnaire
  let input: QuestionnaireScheduleInput
  var error: QuestionnaireError?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("questionnaires.plan")
    frame.lead = QuestionnaireWords(localizer: localizer).text(form.questionnaire.title)
    frame.place = .progress
    frame.back = .init(localizer.text("questionnaires.title"), address: Address.questionnaires)
    let fields = QuestionnaireScheduleFields(input: input, error: error, localizer: localizer)
    return call.formPage(
      frame, errors: fields.errors,
      Form(
        action: "\(QuestionnaireRoutes.address(form))/schedule", token: call.formToken,
        fields: fields.markup,
        buttons: Button(
          localizer.text("questionnaires.save"), icon: .check, person: call.formToken.personName
        ).markup
      ).markup)
  }
}

/// The fields of a schedule.
struct QuestionnaireScheduleFields {
  let input: QuestionnaireScheduleInput
  let error: QuestionnaireError?
  let localizer: Localizer

  var errors: [FieldError] {
    message.map { [FieldError(field: "starts", message: $0)] } ?? []
  }

  private var message: String? {
    error.map {
      localizer.text("questionnaires.schedule-error", ["which": .text($0.rawValue)])
    }
  }

  var markup: Markup {
    """
    \(FormField(
      "kind", label: localizer.text("questionnaires.field.kind"),
      kind: .radios(
        QuestionnaireSchedule.Kind.allCases.map {
          FieldChoice(
            $0.rawValue,
            localizer.text("questionnaires.kind", ["kind": .text($0.rawValue)]))
        }), value: input.kind?.rawValue ?? "", localizer: localizer))\
    \(FormField(
      "starts", label: localizer.text("questionnaires.field.starts"), kind: .date(),
      value: input.starts, hint: localizer.text("questionnaires.field.starts-hint"),
      error: message, localizer: localizer))\
    \(FormField(
      "weeks", label: localizer.text("questionnaires.field.weeks"), kind: .integer,
      value: input.weeks, isRequired: false, localizer: localizer))
    """
  }
}

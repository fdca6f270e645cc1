// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Presentation
import Scheduling
import Storage
import Web

/// The page on which a practitioner asks a patient for answers.
///
/// The answers stay with the patient.
package enum CareTeamQuestionnaires {
  /// The routes of the page.
  package static let all: [Route] = [
    .page(.get, "/care/:patient/questionnaires", form),
    .accountForm("/care/:patient/questionnaires", assign),
  ]

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, typed: nil, error: nil)
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, typed: (form: String, QuestionnaireScheduleInput)?,
    error: QuestionnaireError?
  ) async throws -> Response {
    let access = try await PractitionerAccess.open(call, signedIn)
    let authorization = try access.authorize(.read, QuestionnaireAssignments.resource)
    let (environment, localizer) = (call.environment, call.localizer)
    let (forms, assignments, due, today) = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(access.patient, zones: environment.zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: call.now.milliseconds))
      return (
        try QuestionnaireCatalogue.all(for: signedIn.actor, in: reader),
        try QuestionnaireAssignments.all(of: access.patient, in: reader)
          .filter { $0.ended == nil && $0.origin.study == nil },
        try QuestionnaireAssignments.due(of: access.patient, on: today, in: reader), today
      )
    }
    try await environment.audit(authorization, count: assignments.count, at: call.now)
    let words = QuestionnaireWords(localizer: localizer)
    let open = Set(due.map(\.assignment.id))
    let facts = assignments.map { one -> DescriptionList.Item in
      let form = forms.first { $0.questionnaire.url == one.questionnaire }
      let state = localizer.text(
        "questionnaires.state", ["open": .text(open.contains(one.id) ? "open" : "none")])
      return DescriptionList.Item(
        form.map { words.text($0.questionnaire.title) } ?? one.questionnaire,
        "\(words.schedule(one.schedule)) · \(state)")
    }
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("questionnaires.title")
    frame.lead = localizer.text("questionnaires.care-lead")
    frame.back = .init(access.name, address: access.address)
    if call.queryValue("done") != nil {
      frame.flash = FlashBar(localizer.text("questionnaires.done", ["what": .text("assigned")]))
    }
    let fields = QuestionnaireScheduleFields(
      input: typed?.1 ?? QuestionnaireScheduleInput(today), error: error, localizer: localizer)
    let choice = FormField(
      "form", label: localizer.text("questionnaires.field.form"),
      kind: .select(forms.map { FieldChoice($0.key, words.text($0.questionnaire.title)) }),
      value: typed?.form ?? forms.first?.key ?? "", localizer: localizer)
    return call.formPage(
      frame, errors: fields.errors,
      """
      \(if: !facts.isEmpty, DescriptionList(facts).markup)\(Form(
        action: "\(access.address)/questionnaires", token: call.accountToken,
        fields: "\(choice)\(fields.markup)",
        buttons: Button(localizer.text("questionnaires.ask"), icon: .check).markup))
      """)
  }

  private static func assign(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let access = try await PractitionerAccess.open(call, form.signedIn)
    _ = try access.authorize(.create, QuestionnaireAssignments.resource)
    let key = form.text("form") ?? ""
    let actor = form.signedIn.actor
    let listed = try await call.environment.database.read { reader in
      try QuestionnaireCatalogue.find(key, for: actor, in: reader)
    }
    let input = QuestionnaireScheduleInput(form.fields)
    guard let schedule = input.schedule else {
      return try await page(call, form.signedIn, typed: (key, input), error: .schedule)
    }
    let context = access.context(call)
    let patient = access.patient
    do {
      try await form.run { _, writer in
        _ = try QuestionnaireAssignments.assign(
          listed.questionnaire.url, on: schedule, as: .practitioner, reminds: true, to: patient,
          context, in: writer)
      }
    } catch QuestionnaireError.tooMany {
      return try await page(call, form.signedIn, typed: (key, input), error: .tooMany)
    }
    return form.redirect(to: "\(access.address)/questionnaires?done=assigned")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Hummingbird
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage
import Web

/// Asks before an intake is recorded that is contraindicated at the child's age.
///
/// Something that has happened can always be recorded: then with a note, after advice on whom to
/// ask.
enum EntryContraindications {
  static func read(
    _ typed: AdministrationRequest, named name: String, _ form: FormBody, _ call: Call
  ) async throws -> (request: AdministrationRequest, stop: Response?) {
    guard typed.taken else { return (typed, nil) }
    let (region, now, zones, patient) = (
      call.region, call.now, call.environment.zones, typed.patient
    )
    let contraindications = try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      return PlanContraindications.ofAge(
        column: Ingredient.column([Ingredient.key(name: name)]),
        for: try ContraindicationSubject.of(
          patient, region: region, today: zone.date(at: Instant(milliseconds: now.milliseconds)),
          in: reader))
    }
    guard !contraindications.isEmpty else { return (typed, nil) }
    let note = form.text(SafetyQuestionFields.field) ?? ""
    guard (3...300).contains(note.count) else {
      let lines = contraindications.map { SafetyFinding(.age($0), call.localizer) }
      let isAgain = form.raw(SafetyQuestionFields.field) != nil
      return (typed, page(lines, name, note: note, isAgain: isAgain, form, call))
    }
    var noted = typed
    noted.reason = [typed.reason, note].compactMap(\.self).joined(separator: "; ")
    return (noted, nil)
  }

  private static func page(
    _ lines: [SafetyFinding], _ name: String, note: String, isAgain: Bool, _ form: FormBody,
    _ call: Call
  ) -> Response {
    let localizer = call.localizer
    let message = isAgain ? localizer.text("contraindications.note-missing") : nil
    let errors = message.map { [FieldError(field: SafetyQuestionFields.field, message: $0)] } ?? []
    let kept = form.pairs.filter {
      $0.name != ForgeryGuard.field && $0.name != PersonChoice.guardField
        && $0.name != SafetyQuestionFields.field
    }
    var frame = call.frame()
    frame.title = localizer.text("contraindications.entry-title")
    frame.lead = name
    frame.place = .today
    frame.hasErrors = isAgain
    let fields: Markup = """
      \(each: kept, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })\
      \(FormField(
        SafetyQuestionFields.field, label: localizer.text("contraindications.note"), kind: .lines(2), value: note,
        hint: localizer.text("contraindications.entry-hint"), error: message, maximumLength: 300,
        localizer: localizer))
      """
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(each: lines, { $0.notice(localizer) })\
      \(CareCard(
        .urgent, title: localizer.text("contraindications.entry-help-title"), localizer: localizer,
        "<p>\(localizer.text("contraindications.entry-help"))</p>"))\
      \(Form(
        action: "/entry", token: call.formToken, fields: fields,
        buttons: """
          \(Button(
            localizer.text("contraindications.entry-save"), kind: .secondary, object: name,
            person: call.formToken.personName))\
          \(LinkButton(localizer.text("dose.question.no"), address: "/", kind: .primary))
          """))</div>
      """, status: isAgain ? .unprocessableContent : .conflict)
  }
}

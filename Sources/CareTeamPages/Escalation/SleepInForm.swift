// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Hummingbird
import Localization
import People
import Reminders
import Scheduling
import Storage
import Web

/// The form for later reminders on weekends and during a holiday.
package struct SleepInForm: Sendable {
  var weekend = ""
  var time = ""
  var starts = ""
  var ends = ""
  /// True if the holiday is invalid.
  var hasMistake = false

  init(_ choices: ReminderChoices = ReminderChoices()) {
    weekend = choices.weekendMinute.map { ClockText.text(minuteOfDay: $0) } ?? ""
    time = choices.holiday.map { ClockText.text(minuteOfDay: $0.minute) } ?? ""
    starts = choices.holiday?.starts.text ?? ""
    ends = choices.holiday?.ends.text ?? ""
  }

  init(_ form: FormBody) {
    weekend = form.text("weekend") ?? ""
    time = form.text("holiday-time") ?? ""
    starts = form.text("holiday-starts") ?? ""
    ends = form.text("holiday-ends") ?? ""
  }

  /// Returns the typed choices on top of the stored ones; nil if they are invalid.
  func choices(over known: ReminderChoices) -> ReminderChoices? {
    var choices = known
    choices.weekendMinute = weekend.isEmpty ? nil : EscalationRoutes.minutes(weekend)
    guard weekend.isEmpty || choices.weekendMinute != nil else { return nil }
    choices.holiday = nil
    guard !(time + starts + ends).isEmpty else { return choices }
    guard let minute = EscalationRoutes.minutes(time), let first = CivilDate(text: starts),
      let last = CivilDate(text: ends),
      let holiday = ReminderChoices.Holiday(minute: minute, starts: first, ends: last)
    else { return nil }
    choices.holiday = holiday
    return choices
  }

  func markup(_ localizer: Localizer, _ token: FormToken) -> Markup {
    let error = hasMistake ? localizer.text("alarms.mornings-problem") : nil
    let holiday: Markup = """
      <div class="field-row">\(FormField(
        "holiday-starts", label: localizer.text("alarms.holiday-starts"), kind: .date(),
        value: starts, error: error, isRequired: false, localizer: localizer))\
      \(FormField(
        "holiday-ends", label: localizer.text("alarms.holiday-ends"), kind: .date(), value: ends,
        isRequired: false, localizer: localizer))</div>\
      \(FormField(
        "holiday-time", label: localizer.text("alarms.holiday-time"), kind: .time, value: time,
        isRequired: false, localizer: localizer))
      """
    return """
      <div class="stack"><p>\(localizer.text("alarms.mornings-help"))</p>\
      \(Form(
        action: EscalationView.sleepIn.address, token: token,
        fields: """
          \(FormField(
            "weekend", label: localizer.text("alarms.weekend"), kind: .time, value: weekend,
            isRequired: false, localizer: localizer))\
          \(FieldGroup(localizer.text("alarms.holiday"), holiday))
          """,
        buttons: Button(localizer.text("escalation.save"), person: token.personName).markup))</div>
      """
  }

  /// Saves the form, or shows it again if it is invalid.
  static func submit(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    var typed = SleepInForm(form.fields)
    let known = try await form.call.environment.database.read { reader in
      try ReminderChoices.of(patient, in: reader)
    }
    guard let choices = typed.choices(over: known) else {
      typed.hasMistake = true
      var page = try await EscalationPage.read(.sleepIn, form.call, form.signedIn)
      page.sleepIn = typed
      return page.response(form.call)
    }
    try await form.run { context, writer in
      try choices.keep(of: patient, by: context.actor.accountID, at: context.now, in: writer)
    }
    form.call.environment.live.changed(patient)
    return form.redirect(to: EscalationView.sleepIn.saved)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Logging
import People
import Presentation
import Reminders
import Scheduling
import SiteMap
import Storage
import Web

/// The form with which a practitioner opens a person's data in an emergency.
///
/// It reveals whether the person exists only after a reason was given, the password was right and
/// the attempt was recorded.
package enum EmergencyForm {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await requirePractitioner(call, signedIn)
    return EmergencyFormPage(input: EmergencyInput()).response(call)
  }

  @Sendable static func open(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    try await requirePractitioner(call, signedIn)
    let input = EmergencyInput(form: form.fields)
    func again(_ mistake: EmergencyMistake) -> Response {
      EmergencyFormPage(input: input, mistake: mistake).response(call)
    }
    if let mistake = input.mistake { return again(mistake) }
    let environment = call.environment
    let buckets = [
      SignInThrottle.Bucket.target(
        environment.accounts.attemptKey("emergency", signedIn.account.id.text))
    ]
    do {
      try await StepUp.require(form)
      try await environment.codeThrottle.admit(buckets, at: call.now)
    } catch let error as AccountError {
      return again(.password(error))
    }
    do {
      guard let access = try await write(input, form) else {
        return again(.refused(.notFound))
      }
      // A successful search is no guess; earlier guesses still count.
      try await environment.codeThrottle.forgive(buckets)
      environment.sessions.forget()
      environment.live.reminders.ring()
      environment.logger.warning(
        "a person's data was opened in an emergency",
        metadata: ["account": .string(access.account.text), "emergency": .string(access.id.text)])
      return form.redirect(
        to: "\(Address.emergencyAccess)/\(access.id)", cookies: [call.choiceCookie(access.patient)])
    } catch let error as EmergencyError {
      return again(.refused(error))
    }
  }

  /// Finds the person, opens the data, records the access and plans the notifications, all in one
  /// transaction; nil unless exactly one person has this identity.
  private static func write(
    _ input: EmergencyInput, _ form: PostedForm
  ) async throws -> EmergencyAccess? {
    let environment = form.call.environment
    let accounts = environment.accounts
    let reminders = environment.reminderContext(at: form.call.now)
    let id = EmergencyID(environment.newIdentifier())
    return try await form.run { context, writer in
      let (actor, name, now) = (context.actor, context.byName, context.now)
      try accounts.checkEmergency(actor, reason: input.reason, in: writer)
      guard let patient = try input.patient(in: writer) else {
        accounts.noteMissedEmergency(by: actor, at: now, in: writer)
        return nil
      }
      let access = try accounts.openEmergency(
        id, patient: patient, by: actor, name: name, reason: input.reason, at: now, in: writer)
      try ReminderCommands.notify(.emergency, patient: patient, reminders, in: writer)
      for own in try accounts.administratorsPatients(in: writer) {
        try ReminderCommands.notify(.review, patient: own, reminders, in: writer)
      }
      return access
    }
  }

  /// Throws "not found" for anyone but practitioners.
  private static func requirePractitioner(_ call: Call, _ signedIn: SignedIn) async throws {
    let accounts = call.environment.accounts
    let account = signedIn.account.id
    let isConfirmed = try await call.environment.database.read { reader in
      try accounts.isPractitioner(account, in: reader)
    }
    guard signedIn.actor.kind == .session, isConfirmed else { throw Failure.notFound }
  }
}

/// The form as typed, without surrounding spaces.
struct EmergencyInput: Sendable, Hashable {
  var name = ""
  var birthDate = ""
  var id = ""
  var reason = ""

  init() {}

  init(form: FormBody) {
    name = form.text("name") ?? ""
    birthDate = form.text("birth-date") ?? ""
    id = form.text("patient") ?? ""
    reason = form.text("reason") ?? ""
  }

  /// The first mistake, before any search; nil if there is none.
  var mistake: EmergencyMistake? {
    if id.isEmpty {
      if name.isEmpty { return .identity }
      if CivilDate(text: birthDate) == nil { return .birthDate }
    }
    if reason.count < EmergencyAccess.reasonLength.lowerBound { return .refused(.reasonTooShort) }
    if reason.count > EmergencyAccess.reasonLength.upperBound { return .refused(.reasonTooLong) }
    return nil
  }

  /// Returns the only patient with exactly this identity.
  func patient(in reader: any SQLReader) throws -> PatientID? {
    if !id.isEmpty {
      let patient = PatientID(id)
      return try PeopleQueries.exists(patient, in: reader) ? patient : nil
    }
    guard let born = CivilDate(text: birthDate) else { return nil }
    return try PeopleQueries.identified(name: name, birthDate: born, in: reader).map(PatientID.init)
  }
}

/// A mistake in the form.
enum EmergencyMistake: Sendable, Hashable {
  case identity, birthDate
  case password(AccountError)
  case refused(EmergencyError)

  var field: String {
    switch self {
    case .identity, .refused(.notFound), .refused(.notAllowed), .refused(.oneself),
      .refused(.needless):
      "name"
    case .birthDate: "birth-date"
    case .password: StepUp.field
    case .refused(.reasonTooShort), .refused(.reasonTooLong): "reason"
    }
  }

  func text(_ localizer: Localizer) -> String {
    switch self {
    case .identity: localizer.text("emergency-access.problem", ["problem": "identity"])
    case .birthDate: localizer.text("emergency-access.problem", ["problem": "birth-date"])
    case .password(.tooManyAttempts(let seconds)):
      localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
    case .password: localizer.text("emergency-access.problem", ["problem": "password"])
    case .refused(let error):
      localizer.text("emergency-access.problem", ["problem": .text(error.rawValue)])
    }
  }
}

/// The page with the form.
struct EmergencyFormPage: Sendable {
  let input: EmergencyInput
  var mistake: EmergencyMistake?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("emergency-access.title")
    frame.place = .people
    frame.lead = localizer.text("emergency-access.lead")
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    frame.hasErrors = mistake != nil
    let errors = mistake.map { [FieldError(field: $0.field, message: $0.text(localizer))] } ?? []
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Notice(
        .warning, title: localizer.text("emergency-access.warning"),
        "<p>\(localizer.text("emergency-access.warning-help"))</p>"))\
      \(Form(
        action: Address.emergencyAccess, token: call.accountToken, fields: fields(localizer),
        buttons: Button(
          localizer.text("emergency-access.open"), kind: .danger, icon: .warning).markup))</div>
      """
    return call.page(frame, content, status: mistake == nil ? .ok : .unprocessableContent)
  }

  private func fields(_ localizer: Localizer) -> Markup {
    """
    \(FieldGroup(
      localizer.text("emergency-access.who"), hint: localizer.text("emergency-access.who-hint"),
      """
      \(FormField(
        "name", label: localizer.text("emergency-access.name"), value: input.name,
        error: error("name", localizer), isRequired: false, autocomplete: "off",
        maximumLength: 200, localizer: localizer))\
      \(FormField(
        "birth-date", label: localizer.text("details.form.birth-date"), kind: .date(),
        value: input.birthDate, error: error("birth-date", localizer), isRequired: false,
        autocomplete: "off", localizer: localizer))\
      \(FormField(
        "patient", label: localizer.text("emergency-access.id"), value: input.id, isRequired: false,
        autocomplete: "off", maximumLength: 64, localizer: localizer))
      """))\
    \(FormField(
      "reason", label: localizer.text("emergency-access.reason"), kind: .lines(3),
      value: input.reason, hint: localizer.text("emergency-access.reason-hint"),
      error: error("reason", localizer), maximumLength: 1_000, localizer: localizer))\
    \(FormField(
      StepUp.field, label: localizer.text("emergency-access.password"), kind: .password,
      error: error(StepUp.field, localizer), autocomplete: "current-password",
      localizer: localizer))
    """
  }

  private func error(_ field: String, _ localizer: Localizer) -> String? {
    mistake.flatMap { $0.field == field ? $0.text(localizer) : nil }
  }
}

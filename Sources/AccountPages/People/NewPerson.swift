// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Scheduling
import SiteMap
import Storage
import TimeZones
import Web

/// Adds a person without an account, such as a child; the account becomes the guardian.
package enum NewPerson {
  /// The most people of one account.
  static let maximum = 50
  /// The address of the form.
  static let path = "/people/new"

  /// The answer to "Who is it for?" that led to the form.
  enum Beginner: String, Sendable {
    case child, other
  }

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    var input = NewPersonInput()
    input.beginner = call.queryValue("for").flatMap(Beginner.init(rawValue:))
    return NewPersonPage(input: input).response(call)
  }

  @Sendable static func add(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let environment = call.environment
    guard signedIn.actor.rights.count < maximum else {
      throw Failure.unprocessable("value", "An account can have \(maximum) people.")
    }
    let zone = try await environment.database.read { reader in
      try PeopleQueries.zone(signedIn.account.patient, zones: environment.zones, in: reader)
    }
    let input = NewPersonInput(form: form.fields)
    let reading = input.read(
      language: call.language, zone: zone, now: call.now, zones: environment.zones)
    let taken = LabelFields.collision(of: reading.details, patient: nil, call)
      .map { DetailsInput.Mistake.labelTaken($0) }
    let mistakes = reading.mistakes + [taken].compactMap(\.self)
    guard mistakes.isEmpty else {
      return NewPersonPage(input: input, mistakes: mistakes).response(call)
    }
    let patient: PatientID = environment.newID()
    let context = environment.commandContext(
      for: Actor(
        accountID: signedIn.account.id, kind: signedIn.actor.kind,
        relationships: [patient: .guardian], scope: .session),
      byName: signedIn.account.displayName, now: call.now)
    let accounts = environment.accounts
    try await environment.database.write { writer in
      do {
        try PeopleCommands.create(
          reading.details, patient: patient, context: context, in: writer)
      } catch PeopleError.plans(let error) {
        throw error
      } catch {
        throw Failure.unprocessable("value", "The person could not be added.")
      }
      try accounts.grant(
        .guardian, of: patient, to: context.actor.accountID, from: context.now,
        by: context.actor.accountID, in: writer)
    }
    environment.sessions.forget()
    // Someone who starts with this person opens that person's Today from now on.
    guard input.beginner == nil else {
      return form.redirect(to: "/", cookies: [call.choiceCookie(patient)])
    }
    return form.redirect(to: PeopleNote.added.address)
  }
}

/// The form of a new person, exactly as typed.
struct NewPersonInput: Sendable, Hashable {
  var givenName = ""
  var familyName = ""
  var birthDate = ""
  var label = LabelInput(PersonLabel())
  /// The answer that led to the form; nil for a person who is added later.
  var beginner: NewPerson.Beginner?

  init() {}

  init(form: FormBody) {
    givenName = form.raw("given-name") ?? ""
    familyName = form.raw("family-name") ?? ""
    birthDate = form.raw("birth-date") ?? ""
    label = LabelInput(form: form) ?? label
    beginner = form.text("for").flatMap(NewPerson.Beginner.init(rawValue:))
  }

  /// Returns the new details, with all mistakes to correct.
  func read(
    language: Language, zone: Zone, now: Timestamp, zones: ZoneCatalog
  ) -> (details: PatientDetails, mistakes: [DetailsInput.Mistake]) {
    let typed = TypedText.trimmed(birthDate)
    let born = CivilDate(text: typed)
    let details = PatientDetails(
      givenName: TypedText.trimmed(givenName), familyName: TypedText.trimmed(familyName),
      birthDate: born, language: language, zone: zone.identifier, label: label.label)
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    var mistakes = details.issues(today: today, zones: zones).map(DetailsInput.Mistake.details)
    if born == nil, !typed.isEmpty { mistakes.append(.birthDate) }
    return (details, mistakes)
  }
}

/// The form of a new person.
struct NewPersonPage: Sendable {
  let input: NewPersonInput
  var mistakes: [DetailsInput.Mistake] = []

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("people.new.title")
    frame.lead = localizer.text("people.new.lead")
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    if input.beginner != nil {
      frame.back = .init(localizer.text("start.who.title"), address: Address.startWho)
    }
    frame.hasErrors = !mistakes.isEmpty
    let summary = mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
    let errors = Dictionary(
      summary.map { ($0.field, $0.message) }, uniquingKeysWith: { first, _ in first })
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(Form(
        action: "/people/new", token: call.accountToken, fields: fields(errors, localizer),
        buttons: "\(Button(localizer.text("people.new.save"), icon: .check))"))</div>
      """
    return call.page(frame, content, status: mistakes.isEmpty ? .ok : .unprocessableContent)
  }

  private func fields(_ errors: [String: String], _ localizer: Localizer) -> Markup {
    """
    \(input.beginner.map {
      "<input type=\"hidden\" name=\"for\" value=\"\($0.rawValue)\">" as Markup
    })\
    \(FormField(
      "given-name", label: localizer.text("details.form.given-name"), value: input.givenName,
      error: errors["given-name"], autocomplete: "off", maximumLength: 100,
      localizer: localizer))\
    \(FormField(
      "family-name", label: localizer.text("details.form.family-name"), value: input.familyName,
      error: errors["family-name"], isRequired: false, autocomplete: "off", maximumLength: 100,
      localizer: localizer))\
    \(FormField(
      "birth-date", label: localizer.text("details.form.birth-date"), kind: .date(),
      value: input.birthDate, error: errors["birth-date"], isRequired: false,
      localizer: localizer))\
    \(LabelFields(input: input.label, errors: errors, localizer: localizer))
    """
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import TimeZones
import Web

/// The page of a person's own details: name, zone, language and daily rhythm.
package enum DetailsRoutes {
  /// The page and its form.
  package static let all: [Route] = [
    .page(.get, "/details", form),
    .form("/details", submit),
  ]

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await show(call, signedIn, care: HealthProfileInput())
  }

  /// The page as things are kept, with what stands in its small forms.
  static func show(
    _ call: Call, _ signedIn: SignedIn, care: HealthProfileInput
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    guard call.person?.mayAct ?? true else { return call.redirect(to: Address.people) }
    let authorization = try call.authorize(.read, "Patient", of: patient)
    try requireProof(for: patient, call, signedIn)
    let changes = call.queryFields.filter { $0.name == "changed" }
      .compactMap { DetailsEffects.Change(rawValue: $0.value) }
    let environment = call.environment
    let (stored, effects) = try await environment.database.read { reader in
      guard let stored = try PeopleQueries.details(patient, in: reader) else {
        throw Failure.notFound
      }
      let effects =
        changes.isEmpty
        ? nil
        : try DetailsEffects.read(
          patient: patient, now: call.now, zones: environment.zones, in: reader)
      return (stored, effects)
    }
    try await environment.audit(authorization, count: 1, at: call.now)
    var input = DetailsInput(stored.details)
    // Who never chose a language is offered the one of the page, not the one that the account was made with.
    if patient == signedIn.account.patient, signedIn.account.language == nil {
      input.language = call.language.rawValue
    }
    var page = DetailsPage(
      input: input, version: stored.version,
      done: call.queryValue("done").flatMap(DetailsPage.Done.init(rawValue:)),
      effects: effects?.sentences(of: changes, call.localizer) ?? [])
    page.care = try await HealthProfilePart.read(of: patient, input: care, call, signedIn)
    return page.response(call)
  }

  /// The settings of another person ask for a recent proof.
  private static func requireProof(
    for patient: PatientID, _ call: Call, _ signedIn: SignedIn
  ) throws {
    guard patient != signedIn.account.patient, call.session != nil else { return }
    try call.requireProof(.recent, from: "/details")
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, signedIn, patient) = (form.call, form.signedIn, form.patient)
    _ = try form.authorize(.update, "Patient")
    try requireProof(for: patient, call, signedIn)
    let environment = call.environment
    let stored = try await environment.database.read { reader in
      try PeopleQueries.details(patient, in: reader)
    }
    guard let (current, currentVersion) = stored else { throw Failure.notFound }
    let version = form.text("version").flatMap { Int64($0) } ?? currentVersion
    let input = DetailsInput(form: form.fields)
    let zone = (try? environment.zones.zone(input.zone)) ?? .utc
    let reading = input.read(
      over: current, today: zone.date(at: Instant(milliseconds: call.now.milliseconds)),
      zones: environment.zones)
    let taken = LabelFields.collision(of: reading.details, patient: patient, call)
      .map { DetailsInput.Mistake.labelTaken($0) }
    let mistakes = reading.mistakes + [taken].compactMap(\.self)
    guard mistakes.isEmpty else {
      return DetailsPage(input: input, version: version, mistakes: mistakes).response(call)
    }
    do {
      if form.isChecked("preview") {
        let trial = try await DetailsTrial.run(reading.details, call, signedIn)
        return DetailsPage(input: input, version: version, trial: trial).response(call)
      }
      let zone = reading.details.zone
      if zone != current.zone, form.text(DetailsTrial.seenField) != zone,
        let asked = try await DetailsTrial.run(reading.details, call, signedIn).asked
      {
        return DetailsPage(input: input, version: version, trial: asked).response(call)
      }
      try await save(reading.details, over: current, version: version, form)
    } catch PeopleError.invalid(let issues) {
      return DetailsPage(
        input: input, version: version, mistakes: issues.map(DetailsInput.Mistake.details)
      ).response(call)
    } catch PeopleError.versionConflict(let latest) {
      return DetailsPage(input: input, version: latest, isOutdated: true).response(call)
    } catch PeopleError.plans(let error) {
      throw error
    } catch is PeopleError {
      throw Failure.notFound
    }
    environment.sessions.forget()
    // The language of the account holds from now on, on this device too.
    let cookies =
      patient == signedIn.account.patient
      ? [Cookies.removing(Preferences.languageCookie, isSecure: call.isSecure)] : []
    return form.redirect(to: address(from: current, to: reading.details), cookies: cookies)
  }

  /// Keeps the details; where they are the account's own, its name and language with them.
  private static func save(
    _ details: PatientDetails, over current: PatientDetails, version: Int64, _ form: PostedForm
  ) async throws {
    let accounts = form.call.environment.accounts
    let (account, patient) = (form.signedIn.account, form.patient)
    let isRenamed = details.displayName != current.displayName
    try await form.run { context, writer in
      try PeopleCommands.change(
        details, patient: patient, ifVersion: version, context: context, in: writer)
      guard patient == account.patient else { return }
      try accounts.change(
        displayName: isRenamed ? details.displayName : account.displayName,
        language: details.language, of: account.id, at: context.now, in: writer)
    }
  }

  /// The page after saving, told what may have moved doses.
  private static func address(from before: PatientDetails, to after: PatientDetails) -> String {
    var address = "/details?done=saved"
    if before.zone != after.zone { address += "&changed=\(DetailsEffects.Change.zone.rawValue)" }
    if before.rhythm != after.rhythm {
      address += "&changed=\(DetailsEffects.Change.meals.rawValue)"
    }
    return address
  }
}

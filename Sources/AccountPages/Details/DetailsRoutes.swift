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

/// The pages of a person's details, each with a form of its own.
package enum DetailsRoutes {
  /// The pages and their forms; the display choices are open to everyone.
  package static let all: [Route] =
    DetailsSection.allCases.filter { $0 != .appearance }.map { section in
      Route.page(.get, section.address) { try await show(section, $0, $1) }
    } + [Route.open(.get, DetailsSection.appearance.address, appearance)]
    + DetailsSection.allCases.map { section in
      Route.form(section.address) { try await submit(section, $0) }
    }

  /// Returns a page with the stored details.
  ///
  /// - Parameter care: The input of the small forms of the health profile.
  static func show(
    _ section: DetailsSection, _ call: Call, _ signedIn: SignedIn,
    care: HealthProfileInput = HealthProfileInput()
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    guard call.person?.mayAct ?? true else {
      // The page is about the account, whichever person is shown.
      return section == .account
        ? DetailsPage(section: section, input: nil).response(call)
        : call.redirect(to: Address.people)
    }
    let authorization = try call.authorize(.read, "Patient", of: patient)
    try requireProof(for: patient, section, call, signedIn)
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
    // Without a chosen language, suggests that of the page rather than the account's first one.
    if patient == signedIn.account.patient, signedIn.account.language == nil {
      input.language = call.language.rawValue
    }
    var page = DetailsPage(
      section: section, input: input, version: stored.version,
      done: call.queryValue("done").flatMap(DetailsPage.Done.init(rawValue:)),
      effects: effects?.sentences(of: changes, call.localizer) ?? [])
    if section == .healthProfile {
      page.care = try await HealthProfilePart.read(of: patient, input: care, call, signedIn)
    }
    return page.response(call)
  }

  /// Returns the display choices, with the language of the account for someone on their own pages.
  private static func appearance(_ call: Call) async throws -> Response {
    guard let signedIn = call.signedIn, call.session != nil, call.person?.isOwn ?? true else {
      return DetailsPage(section: .appearance, input: nil).response(call)
    }
    return try await show(.appearance, call, signedIn)
  }

  /// Requires a recent proof of identity before another person's settings.
  private static func requireProof(
    for patient: PatientID, _ section: DetailsSection, _ call: Call, _ signedIn: SignedIn
  ) throws {
    guard patient != signedIn.account.patient, call.session != nil else { return }
    try call.requireProof(.recent, from: section.address)
  }

  private static func submit(
    _ section: DetailsSection, _ form: PostedForm
  ) async throws -> Response {
    let (call, signedIn, patient) = (form.call, form.signedIn, form.patient)
    _ = try form.authorize(.update, "Patient")
    try requireProof(for: patient, section, call, signedIn)
    let environment = call.environment
    let stored = try await environment.database.read { reader in
      try PeopleQueries.details(patient, in: reader)
    }
    guard let (current, currentVersion) = stored else { throw Failure.notFound }
    let version = form.text("version").flatMap { Int64($0) } ?? currentVersion
    let input = DetailsInput(form: form.fields, over: current)
    let zone = (try? environment.zones.zone(input.zone)) ?? .utc
    let reading = input.read(
      over: current, today: zone.date(at: Instant(milliseconds: call.now.milliseconds)),
      zones: environment.zones)
    let taken =
      input.label == nil
      ? nil
      : LabelFields.collision(of: reading.details, patient: patient, call)
        .map { DetailsInput.Mistake.labelTaken($0) }
    let mistakes = reading.mistakes + [taken].compactMap(\.self)
    guard mistakes.isEmpty else {
      return DetailsPage(section: section, input: input, version: version, mistakes: mistakes)
        .response(call)
    }
    do {
      if form.isChecked("preview") {
        let trial = try await DetailsTrial.run(reading.details, call, signedIn)
        return DetailsPage(section: section, input: input, version: version, trial: trial)
          .response(call)
      }
      let zone = reading.details.zone
      if zone != current.zone, form.text(DetailsTrial.seenField) != zone,
        let asked = try await DetailsTrial.run(reading.details, call, signedIn).asked
      {
        return DetailsPage(section: section, input: input, version: version, trial: asked)
          .response(call)
      }
      try await save(reading.details, over: current, version: version, form)
    } catch PeopleError.invalid(let issues) {
      return DetailsPage(
        section: section, input: input, version: version,
        mistakes: issues.map(DetailsInput.Mistake.details)
      ).response(call)
    } catch PeopleError.versionConflict(let latest) {
      return DetailsPage(section: section, input: input, version: latest, isOutdated: true)
        .response(call)
    } catch PeopleError.plans(let error) {
      throw error
    } catch is PeopleError {
      throw Failure.notFound
    }
    environment.sessions.forget()
    // From now on this device also uses the account's language.
    let cookies =
      patient == signedIn.account.patient && form.raw("language") != nil
      ? [Cookies.removing(Preferences.languageCookie, isSecure: call.isSecure)] : []
    return form.redirect(
      to: address(section, from: current, to: reading.details), cookies: cookies)
  }

  /// Saves the details and, if they are the account's own, its name and language.
  private static func save(
    _ details: PatientDetails, over current: PatientDetails, version: Int64, _ form: PostedForm
  ) async throws {
    let accounts = form.call.environment.accounts
    let (account, patient) = (form.signedIn.account, form.patient)
    let isRenamed = details.displayName != current.displayName
    let language = form.raw("language") == nil ? account.language : details.language
    try await form.run { context, writer in
      try PeopleCommands.change(
        details, patient: patient, ifVersion: version, context: context, in: writer)
      guard patient == account.patient, isRenamed || language != account.language else { return }
      try accounts.change(
        displayName: isRenamed ? details.displayName : account.displayName,
        language: language, of: account.id, at: context.now, in: writer)
    }
  }

  /// Returns the address of the page after saving, with the changes that may have moved doses.
  private static func address(
    _ section: DetailsSection, from before: PatientDetails, to after: PatientDetails
  ) -> String {
    var address = "\(section.address)?done=saved"
    if before.zone != after.zone { address += "&changed=\(DetailsEffects.Change.zone.rawValue)" }
    if before.rhythm != after.rhythm {
      address += "&changed=\(DetailsEffects.Change.meals.rawValue)"
    }
    return address
  }
}

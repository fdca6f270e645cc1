// SPDX-License-Identifier: Apache-2.0

import Accounts
import Exchange
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Scheduling
import Storage
import Web

/// The page on which the person is found in the hospital's records and confirmed.
package struct HospitalPersonPage: Sendable {
  let connection: HospitalConnection
  var name = ""
  var birthDate = ""
  var system = ""
  var identifier = ""
  /// The search results; nil before the first search.
  var found: [HospitalPerson]?
  var mistake: String?

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try HospitalRoutes.patient(call, signedIn)
    var page = HospitalPersonPage(
      connection: try await HospitalRoutes.connection(call, of: patient))
    (page.name, page.birthDate) = try await own(patient, call)
    return page.response(call)
  }

  static func submit(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let patient = try HospitalRoutes.patient(call, form.signedIn)
    let connection = try await HospitalRoutes.connection(call, of: patient)
    var page = HospitalPersonPage(connection: connection)
    page.name = form.text("name") ?? ""
    page.birthDate = form.text("birth-date") ?? ""
    page.system = form.text("system") ?? ""
    page.identifier = form.text("identifier") ?? ""
    let client = try await HospitalRoutes.client(connection, call)
    do {
      if let id = form.text("person") {
        let person = try await HospitalPersonQuery.person(id, client)
        try await choose(person, connection, call, form.signedIn)
        return form.redirect(to: HospitalRoutes.address(connection.id))
      }
      guard let query = page.query else {
        page.mistake = call.localizer.text("hospitals.person-missing")
        return page.response(call)
      }
      let people = try await query.people(client)
      page.found = people
      if people.isEmpty { page.mistake = call.localizer.text("hospitals.person-nobody") }
    } catch let trouble as HospitalTrouble {
      page.mistake = call.localizer.text(
        "hospitals.trouble", ["trouble": .text(trouble.code), "detail": .text("")])
    } catch let error as HospitalError {
      page.mistake = call.localizer.text(
        error == .otherBirthDate ? "hospitals.person-other" : "hospitals.person-known")
    }
    return page.response(call)
  }

  /// Links someone in the records to this person, unless the dates of birth differ.
  static func choose(
    _ person: HospitalPerson, _ connection: HospitalConnection, _ call: Call, _ signedIn: SignedIn
  ) async throws {
    let (_, birthDate) = try await own(connection.patient, call)
    let (cipher, now, account) = (call.environment.accounts.cipher, call.now, signedIn.account.id)
    try await call.environment.database.write { writer in
      try HospitalCommands(
        patient: connection.patient, account: account, cipher: cipher, now: now, writer: writer
      ).choose(person, for: connection.id, birthDate: birthDate.isEmpty ? nil : birthDate)
    }
    call.environment.hospitalWake.ring()
  }

  private static func own(_ patient: PatientID, _ call: Call) async throws -> (String, String) {
    try await call.environment.database.read { reader in
      let details = try PeopleQueries.details(patient, in: reader)?.details
      return (try PeopleQueries.name(patient, in: reader) ?? "", details?.birthDate?.text ?? "")
    }
  }

  private var query: HospitalPersonQuery? {
    if !identifier.isEmpty {
      return .identifier(system: system.isEmpty ? nil : system, value: identifier)
    }
    guard !name.isEmpty, birthDate.utf8.count == 10 else { return nil }
    return .name(name, birthDate: birthDate)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("hospitals.person")
    frame.lead = localizer.text("hospitals.person-lead", ["name": .text(connection.label)])
    frame.place = .me
    frame.back = .init(connection.label, address: HospitalRoutes.address(connection.id))
    let errors = mistake.map { [FieldError(field: "name", message: $0)] } ?? []
    return call.formPage(
      frame, errors: errors, hasSections: true,
      """
      \(choice(call))\(search(call))
      """)
  }

  private func choice(_ call: Call) -> Markup? {
    guard let found, !found.isEmpty else { return nil }
    let localizer = call.localizer
    let choices = found.map { person in
      FieldChoice(
        person.id, person.name ?? person.id,
        hint: Self.told(person))
    }
    let field = FormField(
      "person", label: localizer.text("hospitals.person-choose", ["count": .number(found.count)]),
      kind: .radios(choices), value: found.count == 1 ? found.first?.id : nil,
      localizer: localizer)
    return Form(
      action: "\(HospitalRoutes.address(connection.id))/person", token: call.formToken,
      fields: field.markup,
      buttons: Button(
        localizer.text("hospitals.person-take"), icon: .check, person: call.formToken.personName
      ).markup
    ).markup
  }

  /// Returns the details that distinguish people of the same name.
  private static func told(_ person: HospitalPerson) -> String {
    let numbers = person.identifiers.sorted().prefix(3).map { String($0.suffix(60)) }
    return ([person.birthDate].compactMap(\.self) + numbers).joined(separator: " · ")
  }

  private func search(_ call: Call) -> Markup {
    let localizer = call.localizer
    let name = FormField(
      "name", label: localizer.text("hospitals.person-name"), value: self.name,
      error: mistake, isRequired: false, autocomplete: "off", maximumLength: 200,
      localizer: localizer)
    let birthDate = FormField(
      "birth-date", label: localizer.text("hospitals.person-birth"), kind: .date(),
      value: self.birthDate, isRequired: false, localizer: localizer)
    let identifier = FormField(
      "identifier", label: localizer.text("hospitals.person-number"), value: self.identifier,
      hint: localizer.text("hospitals.person-number-hint"), isRequired: false,
      autocomplete: "off", maximumLength: 200, localizer: localizer)
    let system = FormField(
      "system", label: localizer.text("hospitals.person-system"), value: self.system,
      hint: localizer.text("hospitals.person-system-hint"), isRequired: false,
      autocomplete: "off", maximumLength: 200, localizer: localizer)
    return Form(
      action: "\(HospitalRoutes.address(connection.id))/person", token: call.formToken,
      fields: """
        \(name)\(birthDate)\
        \(Disclosure(
          localizer.text("hospitals.person-by-number"), isOpen: !self.identifier.isEmpty,
          "\(identifier)\(system)"))
        """,
      buttons: Button(
        localizer.text("hospitals.person-find"),
        kind: found?.isEmpty == false ? .secondary : .primary,
        person: call.formToken.personName
      ).markup
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Exchange
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import SiteMap
import Web

/// The page that asks for the address of a hospital's FHIR server.
package struct HospitalConnectPage: Sendable {
  /// The typed input, to show it again.
  struct Input: Sendable {
    var address = ""
    var name = ""
    var access = HospitalConnection.Access.open
    var clientID = ""

    init() {}

    init(_ form: FormBody) {
      address = form.text("address") ?? ""
      name = String((form.text("name") ?? "").prefix(100))
      access = form.text("access").flatMap(HospitalConnection.Access.init(rawValue:)) ?? .open
      clientID = form.text("client") ?? ""
    }
  }

  /// A mistake, with its field.
  struct Mistake: Error, Sendable {
    let field: String
    let message: String
  }

  var input = Input()
  var mistake: Mistake?

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try HospitalRoutes.patient(call, signedIn)
    return HospitalConnectPage().response(call)
  }

  static func connect(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let patient = try HospitalRoutes.patient(call, form.signedIn)
    let input = Input(form.fields)
    do {
      let (connection, credentials) = try await look(
        input, token: form.text("token"), patient: patient, call, form.signedIn)
      let cipher = call.environment.accounts.cipher
      try await form.run { context, writer in
        try HospitalCommands(
          patient: patient, account: context.actor.accountID, cipher: cipher, now: context.now,
          writer: writer
        ).add(connection, credentials)
      }
      let address = HospitalRoutes.address(connection.id)
      return form.redirect(to: input.access == .smart ? address : "\(address)/person")
    } catch let mistake as Mistake {
      return HospitalConnectPage(input: input, mistake: mistake).response(call)
    } catch HospitalError.tooMany(let maximum) {
      let message = call.localizer.text("hospitals.too-many", ["maximum": .number(maximum)])
      return HospitalConnectPage(
        input: input, mistake: Mistake(field: "address", message: message)
      ).response(call)
    }
  }

  /// Asks the server for its name and abilities.
  private static func look(
    _ input: Input, token: String?, patient: PatientID, _ call: Call, _ signedIn: SignedIn
  ) async throws -> (HospitalConnection, HospitalCredentials?) {
    let localizer = call.localizer
    func mistake(_ field: String, _ trouble: HospitalTrouble) -> Mistake {
      let detail: String = if case .version(let version) = trouble { version } else { "" }
      return Mistake(
        field: field,
        message: localizer.text(
          "hospitals.trouble", ["trouble": .text(trouble.code), "detail": .text(detail)]))
    }
    guard let base = HospitalAddress(input.address) else {
      throw Mistake(field: "address", message: localizer.text("hospitals.address-wrong"))
    }
    var credentials: HospitalCredentials?
    if input.access == .token {
      guard let token, HospitalCredentials.isToken(token) else {
        throw Mistake(field: "token", message: localizer.text("hospitals.token-missing"))
      }
      do throws(HospitalTrouble) {
        try HospitalCredentials.checkAudience(token, base: base)
      } catch {
        throw mistake("token", error)
      }
      credentials = HospitalCredentials(access: token)
    }
    let client = HospitalClient(
      network: call.environment.hospitals, base: base, token: credentials?.access)
    let metadata: HospitalMetadata
    do throws(HospitalTrouble) {
      metadata = try await HospitalMetadata.fetch(client)
    } catch {
      throw mistake(error == .expired && credentials != nil ? "token" : "address", error)
    }
    if input.access == .smart {
      guard let launch = await SmartConfiguration.fetch(client) else {
        throw Mistake(field: "access", message: localizer.text("hospitals.no-sign-in"))
      }
      guard !input.clientID.isEmpty, input.clientID.utf8.count <= 200 else {
        throw Mistake(field: "client", message: localizer.text("hospitals.client-missing"))
      }
      var made = HospitalCredentials()
      made.launch = launch
      made.clientID = input.clientID
      credentials = made
    }
    let label = input.name.isEmpty ? metadata.name ?? base.text : input.name
    return (
      HospitalConnection(
        id: call.environment.newID(), patient: patient, account: signedIn.account.id,
        base: base, label: label, version: metadata.version, access: input.access,
        identity: metadata.identity, types: metadata.types, person: nil, state: .choosing,
        created: call.now), credentials
    )
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("hospitals.add")
    frame.lead = localizer.text("hospitals.add-lead")
    frame.place = .me
    frame.back = .init(localizer.text("hospitals.title"), address: Address.hospitals)
    let errors = mistake.map { [FieldError(field: $0.field, message: $0.message)] } ?? []
    return call.formPage(
      frame, errors: errors,
      """
      \(Form(
        action: Address.hospitals, token: call.formToken, fields: fields(localizer),
        buttons: Button(
          localizer.text("hospitals.connect"), person: call.formToken.personName
        ).markup))
      """)
  }

  private func fields(_ localizer: Localizer) -> Markup {
    func error(_ field: String) -> String? { mistake?.field == field ? mistake?.message : nil }
    let choices = HospitalConnection.Access.allCases.map { access in
      FieldChoice(
        access.rawValue,
        localizer.text("hospitals.access-choice", ["access": .text(access.rawValue)]),
        hint: localizer.text("hospitals.access-hint", ["access": .text(access.rawValue)]))
    }
    let address = FormField(
      "address", label: localizer.text("hospitals.address"), value: input.address,
      hint: localizer.text("hospitals.address-hint"), error: error("address"),
      autocomplete: "off", maximumLength: 500, localizer: localizer)
    let name = FormField(
      "name", label: localizer.text("hospitals.name"), value: input.name,
      hint: localizer.text("hospitals.name-hint"), isRequired: false, autocomplete: "off",
      maximumLength: 100, localizer: localizer)
    let access = FormField(
      "access", label: localizer.text("hospitals.access"), kind: .radios(choices),
      value: input.access.rawValue, error: error("access"), localizer: localizer)
    let token = FormField(
      "token", label: localizer.text("hospitals.token"), kind: .password,
      hint: localizer.text("hospitals.token-hint"), error: error("token"), isRequired: false,
      autocomplete: "off", maximumLength: 8_000, localizer: localizer)
    let client = FormField(
      "client", label: localizer.text("hospitals.client"), value: input.clientID,
      hint: localizer.text("hospitals.client-hint"), error: error("client"), isRequired: false,
      autocomplete: "off", maximumLength: 200, localizer: localizer)
    return "\(address)\(name)\(access)\(token)\(client)"
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import HomeDevices
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The page that adds a device.
struct HomeDeviceForm: Sendable {
  let input: HomeDeviceInput
  let medicines: [(plan: PlanID, name: String)]
  var error: HomeDeviceError?

  /// Returns the names of the person's medicines, for the choice of a compartment's only medicine.
  static func medicines(
    _ call: Call, patient: PatientID
  ) async throws -> [(plan: PlanID, name: String)] {
    try await call.environment.database.read { reader in
      try PlanQueries.names(patient: patient, in: reader)
    }
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("home-devices.new")
    frame.place = .me
    frame.back = .init(localizer.text("home-devices.title"), address: Address.homeDevices)
    frame.hasErrors = error != nil
    let fields = HomeDeviceFields(
      input: input, medicines: medicines, error: error, localizer: localizer)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(fields.errors, localizer: localizer))\
      \(Form(
        action: Address.homeDevices, token: call.formToken,
        fields: "\(fields.kind)\(fields.name)\(fields.whole)",
        buttons: Button(
          localizer.text("home-devices.add"), icon: .check, person: call.formToken.personName
        ).markup))</div>
      """, status: error == nil ? .ok : .unprocessableContent)
  }
}

/// The fields of a device: its name, its kind, and the meaning of its events.
struct HomeDeviceFields {
  let input: HomeDeviceInput
  let medicines: [(plan: PlanID, name: String)]
  let error: HomeDeviceError?
  let localizer: Localizer

  private var words: HomeDeviceText { HomeDeviceText(localizer) }

  var errors: [FieldError] {
    message.map { [FieldError(field: $0.field, message: $0.text)] } ?? []
  }

  private var message: (field: String, text: String)? {
    switch error {
    case nil: nil
    case .name(let maximum)?:
      ("name", localizer.text("home-devices.error.name", ["maximum": .number(maximum)]))
    case .tooMany(let maximum)?:
      ("name", localizer.text("home-devices.error.full", ["maximum": .number(maximum)]))
    case .compartment?, .tooManyCompartments?:
      (
        "compartment-1",
        localizer.text(
          "home-devices.error.compartment",
          ["maximum": .number(HomeDeviceCompartment.longestName)])
      )
    case .medicine?, .notFound?, .flood?:
      ("plan-0", localizer.text("home-devices.error.medicine"))
    }
  }

  private func mistake(_ field: String) -> String? {
    message.flatMap { $0.field == field ? $0.text : nil }
  }

  var kind: Markup {
    FormField(
      "kind", label: localizer.text("home-devices.field.kind"),
      kind: .select(
        HomeDevice.Kind.allCases.map { FieldChoice($0.rawValue, words.kind($0)) }),
      value: input.kind?.rawValue ?? "", localizer: localizer
    ).markup
  }

  var name: Markup {
    FormField(
      "name", label: localizer.text("home-devices.field.name"), value: input.name,
      hint: localizer.text("home-devices.field.name-hint"), error: mistake("name"),
      autocomplete: "off", maximumLength: HomeDevice.longestName, localizer: localizer
    ).markup
  }

  /// The meaning of the device as a whole.
  var whole: Markup {
    let row = input.rows.first ?? HomeDeviceInput.Row()
    return "\(meaning(0, row))\(medicine(0, row))"
  }

  /// The compartments, with an empty one for the next.
  var compartments: Markup {
    let rows = Array(input.rows.dropFirst()) + [HomeDeviceInput.Row()]
    return "\(each: rows.indices, { compartment($0 + 1, rows[$0]) })"
  }

  private func compartment(_ index: Int, _ row: HomeDeviceInput.Row) -> Markup {
    let legend =
      row.name.isEmpty
      ? localizer.text("home-devices.compartment-new")
      : localizer.text("home-devices.compartment", ["name": .text(row.name)])
    return FieldGroup(
      legend,
      """
      \(FormField(
        "compartment-\(index)", label: localizer.text("home-devices.field.compartment"),
        value: row.name, hint: localizer.text("home-devices.field.compartment-hint"),
        error: mistake("compartment-\(index)"), isRequired: false, autocomplete: "off",
        maximumLength: HomeDeviceCompartment.longestName, localizer: localizer))\
      \(meaning(index, row))\(medicine(index, row))
      """
    ).markup
  }

  private func meaning(_ index: Int, _ row: HomeDeviceInput.Row) -> Markup {
    FormField(
      "meaning-\(index)", label: localizer.text("home-devices.field.meaning"),
      kind: .select(
        HomeDeviceCompartment.Meaning.allCases.map {
          FieldChoice($0.rawValue, words.meaning($0))
        }), value: row.meaning.rawValue, localizer: localizer
    ).markup
  }

  private func medicine(_ index: Int, _ row: HomeDeviceInput.Row) -> Markup {
    let any = FieldChoice("", localizer.text("home-devices.field.any-medicine"))
    return FormField(
      "plan-\(index)", label: localizer.text("home-devices.field.medicine"),
      kind: .select([any] + medicines.map { FieldChoice($0.plan.text, $0.name) }),
      value: row.plan, error: mistake("plan-\(index)"), isRequired: false, localizer: localizer
    ).markup
  }
}

/// The page that shows the token of a device, once.
struct HomeDeviceTokenPage: Sendable {
  let device: HomeDeviceID
  let secret: Secret

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("home-devices.token.title")
    frame.place = .me
    frame.back = .init(localizer.text("home-devices.title"), address: Address.homeDevices)
    let address = "\(call.baseURL)/api/v1/home-devices/events"
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Notice(.warning, title: localizer.text("home-devices.token.once")))\
      <p class="fingerprint" translate="no"><code class="heart-secret">\(secret.text)</code></p>\
      <p>\(localizer.text("home-devices.token.address"))</p>\
      <p class="fingerprint" translate="no"><code>\(address)</code></p>\
      \(LinkButton(
        localizer.text("home-devices.token.done"), address: "\(Address.homeDevices)/\(device)",
        kind: .primary))</div>
      """)
  }
}

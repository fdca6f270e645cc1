// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HomeDevices
import Hummingbird
import Identifiers
import Presentation
import SiteMap
import Storage
import Web

/// A person's devices in the home: the list, adding, the meaning of events, a new token, and what became of events.
package enum HomeDeviceRoutes {
  /// The routes of the devices.
  package static let all: [Route] = [
    .page(.get, Address.homeDevices, list),
    .form(Address.homeDevices, add),
    .page(.get, "\(Address.homeDevices)/new", blank),
    .page(.get, "\(Address.homeDevices)/:device", show),
    .form("\(Address.homeDevices)/:device", change),
    .form("\(Address.homeDevices)/:device/token", renew),
    .form("\(Address.homeDevices)/:device/revoke", revoke),
    .form("\(Address.homeDevices)/:device/remove", remove),
  ]

  private static let resource = HomeDeviceCommands.resource

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, resource, of: patient)
    let page = try await HomeDeviceListPage.read(call, patient: patient)
    try await call.environment.audit(authorization, count: page.devices.count, at: call.now)
    return page.response(call)
  }

  private static func blank(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, resource, of: patient)
    let names = try await HomeDeviceForm.medicines(call, patient: patient)
    return HomeDeviceForm(input: HomeDeviceInput(), medicines: names).response(call)
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, resource, of: patient)
    let page = try await HomeDevicePage.read(call, patient: patient)
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return page.response(call)
  }

  private static func add(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, resource)
    let (call, patient) = (form.call, form.patient)
    let input = HomeDeviceInput(form.fields)
    guard let kind = input.kind else {
      throw Failure.unprocessable("value", "kind must be one of the listed kinds.")
    }
    let environment = call.environment
    let secret = Secret(prefix: Secret.homeDevicePrefix, random: environment.random)
    let id = HomeDeviceID(environment.newIdentifier())
    let byName = HomeDeviceText(call.localizer).byName(kind, input.name)
    let commands = commands(form)
    do {
      try await form.run { _, writer in
        _ = try commands.add(
          kind, name: input.name, byName: byName, compartments: input.compartments, id: id,
          token: secret, in: writer)
      }
    } catch let error as HomeDeviceError {
      let names = try await HomeDeviceForm.medicines(call, patient: patient)
      return HomeDeviceForm(input: input, medicines: names, error: error).response(call)
    }
    return HomeDeviceTokenPage(device: id, secret: secret).response(call)
  }

  private static func change(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, resource)
    let id = HomeDeviceID(try form.parameter("device"))
    let input = HomeDeviceInput(form.fields)
    let text = HomeDeviceText(form.localizer)
    let commands = commands(form)
    do {
      try await form.run { _, writer in
        guard
          let device = try HomeDeviceQueries.device(id, patient: commands.patient, in: writer)
        else { throw Failure.notFound }
        try commands.change(
          id, name: input.name, byName: text.byName(device.kind, input.name),
          compartments: input.compartments, in: writer)
      }
    } catch let error as HomeDeviceError where error != .notFound {
      var page = try await HomeDevicePage.read(form.call, patient: form.patient)
      page.typed = input
      page.error = error
      return page.response(form.call)
    }
    return form.redirect(to: "\(Address.homeDevices)/\(id)?done=saved")
  }

  private static func renew(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, resource)
    let id = HomeDeviceID(try form.parameter("device"))
    let secret = Secret(prefix: Secret.homeDevicePrefix, random: form.call.environment.random)
    let commands = commands(form)
    try await form.run { _, writer in try commands.renew(id, token: secret, in: writer) }
    return HomeDeviceTokenPage(device: id, secret: secret).response(form.call)
  }

  private static func revoke(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, resource)
    let id = HomeDeviceID(try form.parameter("device"))
    let commands = commands(form)
    try await form.run { _, writer in try commands.revoke(id, in: writer) }
    return form.redirect(to: "\(Address.homeDevices)/\(id)?done=revoked")
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.delete, resource)
    let id = HomeDeviceID(try form.parameter("device"))
    let commands = commands(form)
    try await form.run { _, writer in try commands.remove(id, in: writer) }
    return form.redirect(to: "\(Address.homeDevices)?done=removed")
  }

  private static func commands(_ form: PostedForm) -> HomeDeviceCommands {
    HomeDeviceCommands(
      patient: form.patient, account: form.signedIn.account.id, now: form.call.now,
      actor: form.signedIn.actor)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import HomeAutomation
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Storage
import Web

/// Turning a person on and off for Home Assistant.
package enum HomeAssistantRoutes {
  /// The routes of the page and of its forms.
  package static let all: [Route] = [
    .page(.get, path, HomeAssistantPage.page),
    // The broker receives the day permanently, which is an export of data.
    .form(path, change).after(.recent, from: path),
    .form("\(path)/:account/end", end),
  ]

  static let path = "/device/home-assistant"

  private static func change(_ form: PostedForm) async throws -> Response {
    let (call, patient, account) = (form.call, form.patient, form.signedIn.account.id)
    _ = try call.authorizeExport("Dose", of: patient)
    if form.text("change") == "off" {
      try await form.run { context, writer in
        _ = try HomeLinkStore.turnOff(
          patient, for: account, by: account, at: context.now, in: writer)
      }
      return form.redirect(to: "\(path)?done=off")
    }
    let names = form.isChecked("names")
    let isOn = try await form.run { context, writer in
      let links = try HomeLinkStore.all(of: patient, at: context.now, in: writer)
      try HomeLinkStore.turnOn(
        patient, for: account, namesMedicine: names, place: context.newIdentifier(),
        at: context.now, in: writer)
      return links.contains { $0.account == account }
    }
    return form.redirect(to: "\(path)?done=\(isOn ? "changed" : "on")")
  }

  /// Turns off what another account has turned on; only for the person and guardians.
  private static func end(_ form: PostedForm) async throws -> Response {
    let (call, patient, actor) = (form.call, form.patient, form.signedIn.account.id)
    _ = try call.authorizeExport("Dose", of: patient)
    let account = AccountID(try form.parameter("account"))
    guard account == actor || HomeAssistantPage.seesOthers(call, patient) else {
      throw Failure.notFound
    }
    try await form.run { context, writer in
      guard
        try HomeLinkStore.turnOff(patient, for: account, by: actor, at: context.now, in: writer)
      else { throw Failure.notFound }
    }
    return form.redirect(to: "\(path)?done=off")
  }
}

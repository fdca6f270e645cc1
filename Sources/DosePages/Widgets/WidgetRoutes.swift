// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import Dosing
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Logging
import People
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The due doses for widgets and watch faces: the page that creates secret addresses, and their
/// content as JSON and as a picture.
package enum WidgetRoutes {
  /// The routes of the page and of the addresses, which need no sign-in.
  package static let all: [Route] = [
    .page(.get, Address.widgets, WidgetPage.page),
    .form(Address.widgets, WidgetPage.make).after(.recent, from: Address.widgets),
    .form("\(Address.widgets)/:widget/end", WidgetPage.end),
    .open(.get, "\(path)/:secret", as: .api, json),
    .open(.get, "\(path)/:secret\(picturePath)", as: .api, picture),
  ]

  /// The prefix of secret addresses.
  static let path = "/widget"
  /// The suffix of the picture's address.
  static let picturePath = "/picture.png"

  @Sendable private static func json(_ call: Call) async throws -> Response {
    JSONResponse.make(try await read(call).json)
  }

  @Sendable private static func picture(_ call: Call) async throws -> Response {
    let facts = try await read(call)
    return WidgetPicture(
      open: facts.open, taken: facts.progress.taken, planned: facts.progress.planned
    ).response
  }

  private struct Found: Sendable {
    let address: WidgetAddress
    let authorization: Authorization
    let facts: WidgetFacts
    let count: Int
  }

  /// Reads the day of the person at a secret address, while its account may see the doses.
  private static func read(_ call: Call) async throws -> WidgetFacts {
    let secret = Secret(text: try call.parameter("secret"))
    let environment = call.environment
    let (accounts, now) = (environment.accounts, call.now)
    let found = try await environment.database.read { reader -> Found? in
      guard let address = try WidgetAddresses.address(by: secret, at: now, in: reader),
        let account = try accounts.account(address.account, in: reader)
      else { return nil }
      let rights = try accounts.rights(of: account.id, at: now, in: reader)
      guard let right = rights[address.patient] else { return nil }
      let actor = Actor(
        accountID: account.id, kind: .token, rights: [address.patient: right], scope: .own)
      let decision = decide(
        actor: actor, action: .read, patient: address.patient, resource: "Dose", purpose: .care)
      guard case .allow(let authorization) = decision else { return nil }
      let language = account.language ?? .en
      let day = try DoseQueries.today(
        patient: address.patient, limits: TodayLimits(), now: now, zones: environment.zones,
        in: reader)
      let named =
        rights.count > 1
        ? try PeopleQueries.named([address.patient], in: reader)[address.patient] : nil
      let facts = WidgetFacts(
        day, namesMedicine: address.namesMedicine,
        person: named?.label.text(of: named?.name ?? "", .of(language)),
        words: DoseFormatter(localizer: .of(language), zone: day.zone, now: now))
      return Found(
        address: address, authorization: authorization, facts: facts, count: day.doses.count)
    }
    // The answer does not reveal whether an address is unknown or ended.
    guard let found else { throw Failure.notFound }
    // The last free space is for reminders.
    if WidgetAddresses.isToNote(found.address, at: now), !environment.disk.isShort {
      do {
        try await environment.database.write { writer in
          try WidgetAddresses.note(found.address, at: now, in: writer)
        }
      } catch StorageError.diskFull {
        environment.logger.warning("the disk is full: a widget read was not recorded")
      }
    }
    try await environment.audit(found.authorization, count: found.count, at: now)
    return found.facts
  }
}

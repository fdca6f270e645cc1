// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HomeDevices
import Identifiers
import Localization
import Presentation
import Scheduling
import Storage
import TimeZones
import Web

/// The pill box of the demonstration, with what it reported yesterday.
struct DemoPillBox: Sendable {
  /// Its token; it is public, so it protects nothing.
  static let token = Secret(text: Secret.homeDevicePrefix + "demonstration-pill-box")

  let account: Account
  let zone: Zone
  let localizer: Localizer
  let environment: ServerEnvironment

  /// Adds the box, and lets it report the lids of yesterday morning and evening.
  func furnish(at now: Timestamp) async throws {
    let environment = environment
    let words = HomeDeviceText(localizer)
    let name = localizer.text("demo.pill-box")
    let id = HomeDeviceID(environment.newIdentifier())
    let events = events(at: now)
    let commands = HomeDeviceCommands(
      patient: account.patient, account: account.id, now: now,
      actor: Actor(
        accountID: account.id, kind: .session, relationships: [account.patient: .self_],
        scope: .session))
    try await environment.database.write { writer in
      try commands.add(
        .pillBox, name: name, byName: words.byName(.pillBox, name),
        compartments: [HomeDeviceCompartment(HomeDeviceCompartment.whole, .log)], id: id,
        token: Self.token, in: writer)
      guard
        let caller = try DeviceCaller.find(
          Self.token, accounts: environment.accounts, at: now, in: writer)
      else { return }
      let context = caller.context(
        at: now, newIdentifier: environment.newIdentifier, zones: environment.zones,
        consequences: environment.consequences)
      _ = try DeviceReports(of: caller, context: context, in: writer).take(
        DeviceReport(boot: "demonstration", sent: now, events: events))
    }
  }

  private func events(at now: Timestamp) -> [DeviceEvent] {
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let midnight = Timestamp(
      milliseconds: zone.startOfDay(today.adding(days: -1)).milliseconds)
    func at(_ hour: Int64, _ minute: Int64) -> Timestamp {
      midnight.adding(milliseconds: (hour * 60 + minute) * 60_000)
    }
    return [
      DeviceEvent(sequence: 1, kind: .opened, at: at(8, 4)),
      DeviceEvent(sequence: 2, kind: .closed, at: at(8, 5)),
      DeviceEvent(sequence: 3, kind: .opened, at: at(20, 11)),
      DeviceEvent(sequence: 4, kind: .closed, at: at(20, 12)),
      DeviceEvent(sequence: 5, kind: .battery, at: at(23, 0), battery: 64),
    ]
  }
}

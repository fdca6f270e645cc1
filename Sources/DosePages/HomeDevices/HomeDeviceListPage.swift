// SPDX-License-Identifier: Apache-2.0

import HTML
import HomeDevices
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// A person's devices, with their battery and the time at which they were last heard.
struct HomeDeviceListPage: Sendable {
  let devices: [HomeDevice]
  let zone: Zone

  static func read(_ call: Call, patient: PatientID) async throws -> HomeDeviceListPage {
    let zones = call.environment.zones
    return try await call.environment.database.read { reader in
      HomeDeviceListPage(
        devices: try HomeDeviceQueries.all(patient: patient, in: reader),
        zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("home-devices.title")
    frame.lead = localizer.text("home-devices.lead")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    if call.queryValue("done") == "removed" {
      frame.flash = FlashBar(localizer.text("home-devices.removed"))
    }
    let add = LinkButton(
      localizer.text("home-devices.add"), address: "\(Address.homeDevices)/new", kind: .primary,
      icon: .plus)
    guard !devices.isEmpty else {
      return call.page(
        frame,
        """
        <div class="narrow stack">\(EmptyState(
          icon: .box, text: localizer.text("home-devices.empty"),
          action: "\(if: call.formToken.mayAct, add.markup)"))</div>
        """)
    }
    let facts = HomeDeviceFacts(
      words: DoseFormatter(localizer: localizer, zone: zone, now: call.now))
    let places = devices.map { device in
      PlaceList.Place(
        device.name, address: "\(Address.homeDevices)/\(device.id)", icon: .box,
        hint: facts.line(device))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(PlaceList(places))\
      \(if: call.formToken.mayAct, ButtonRow(add.markup).markup)</div>
      """)
  }
}

/// The state of a device in words.
struct HomeDeviceFacts {
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }

  /// Returns the kind, the last report and the battery in one line.
  func line(_ device: HomeDevice) -> String {
    [HomeDeviceText(localizer).kind(device.kind), seen(device), battery(device)]
      .compactMap(\.self).joined(separator: " · ")
  }

  func seen(_ device: HomeDevice) -> String {
    if device.revoked != nil { return localizer.text("home-devices.revoked") }
    guard let seen = device.seen else { return localizer.text("home-devices.never-seen") }
    return localizer.text("home-devices.seen", ["time": .text(words.moment(seen))])
  }

  func battery(_ device: HomeDevice) -> String? {
    device.battery.map {
      localizer.text("home-devices.battery", ["percent": .number($0)])
    }
  }
}

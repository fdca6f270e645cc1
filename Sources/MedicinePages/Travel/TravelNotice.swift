// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import HTML
import HTTPTypes
import Hummingbird
import Localization
import SiteMap
import Storage
import TimeZones
import Web

/// The line on Today that a script shows where the device's clock is of another zone, until it is put off for that zone.
///
/// Without a script it stays hidden.
package struct TravelNotice: PagePart {
  static let path = "/travel/later"

  let home: String
  /// The zone for which somebody said "not now".
  var putOff: String?
  let token: FormToken
  let localizer: Localizer

  package var markup: Markup {
    """
    <div data-home-zone="\(home)" data-put-off="\(putOff ?? "")" hidden>\(Notice(
      .information, title: localizer.text("travel.elsewhere"),
      ButtonRow("""
        \(LinkButton(
          localizer.text("travel.open"), address: Address.travel, icon: .clock))\
        \(FormButton(
          localizer.text("travel.later"), action: Self.path, token: token,
          fields: [("zone", "")], kind: .quiet))
        """).markup))</div>
    """
  }

  /// Puts the question off for the zone of the device.
  @Sendable static func later(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, "Patient", of: patient)
    let environment = call.environment
    // Any that the system knows: browsers have names that are in no list.
    guard let zone = form.text("zone"), (try? environment.zones.zone(zone)) != nil else {
      throw Failure.badRequest("value", "zone must be the name of a time zone.")
    }
    let (account, now) = (signedIn.account.id, call.now)
    try await environment.database.write { writer in
      try TravelQuestion.putOff(
        for: zone, patient: patient, account: account, at: now, in: writer)
    }
    return call.redirect(to: "/")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import SiteMap
import TimeZones
import Web

/// The question on Today how medicines should adapt to travel; a script shows it if the device is
/// in another time zone, unless it was dismissed for that zone.
///
/// Without a script it stays hidden.
package struct TravelNotice: PagePart {
  static let path = "/travel/later"

  let home: String
  /// The zone for which the question was dismissed.
  var putOff: String?
  let token: FormToken
  let localizer: Localizer

  /// The hidden question, with the home zone and the dismissed zone for the script.
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

  /// Dismisses the question for the zone of the device.
  @Sendable static func later(_ form: PostedForm) async throws -> Response {
    let (patient, account) = (form.patient, form.signedIn.account.id)
    _ = try form.authorize(.update, "Patient")
    let zones = form.call.environment.zones
    // Every zone of the system: browsers use names that are in no list.
    guard let zone = form.text("zone"), (try? zones.zone(zone)) != nil else {
      throw Failure.badRequest("value", "zone must be the name of a time zone.")
    }
    try await form.run { context, writer in
      try TravelQuestion.putOff(
        for: zone, patient: patient, account: account, at: context.now, in: writer)
    }
    return form.redirect(to: "/")
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import Web

/// The page for a draft that the account does not have: someone else's, discarded or expired.
///
/// The text is the same in all cases, so that it reveals nothing about another person's draft.
enum NoDraftPage {
  static func response(_ site: StepSite) -> Response {
    let localizer = site.localizer
    var frame = site.frame(of: .which, name: "", back: site.home)
    frame.title = localizer.text("add-medicine.no-draft")
    frame.lead = nil
    return site.call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("add-medicine.no-draft-help"))</p>\
      \(ButtonRow(LinkButton(
        localizer.text("add-medicine.begin"), address: site.start, kind: .primary, icon: .plus
      ).markup))</div>
      """, status: .notFound)
  }
}

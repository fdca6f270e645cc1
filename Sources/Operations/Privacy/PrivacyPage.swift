// SPDX-License-Identifier: Apache-2.0

import AccountPages
import HTML
import Hummingbird
import Localization
import Presentation
import Web

/// The page that links to a person's rights over their own data.
struct PrivacyPage: Sendable {
  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("privacy.title")
    frame.lead = localizer.text("privacy.lead")
    frame.place = .me
    frame.back = .me(localizer)
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Section(localizer.text("privacy.access-log.title"), """
        <p>\(localizer.text("privacy.access-log.about"))</p>\
        \(LinkButton(
          localizer.text("privacy.access-log.open"), address: PrivacyRoutes.accessLogPath, icon: .list))\
        \(LinkButton(
          localizer.text("emergency-access.told.title"), address: EmergencyPages.toldPath,
          kind: .quiet, icon: .warning))
        """))\
      \(Section(localizer.text("privacy.export.title"), """
        <p>\(localizer.text("privacy.export.about"))</p>\
        \(FormButton(
          localizer.text("privacy.export.submit"), action: PrivacyRoutes.exportPath,
          token: call.formToken, kind: .secondary, icon: .download))
        """))\
      \(Section(localizer.text("privacy.erase.title"), """
        <p>\(localizer.text("privacy.erase.about"))</p>\
        \(LinkButton(
          localizer.text("privacy.erase.open"), address: PrivacyRoutes.erasePath, icon: .warning))
        """))</div>
      """)
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Web

/// *Me*: the list of a person's short settings pages.
enum MePage {
  static func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("me.title")
    if let person = call.person, !person.isOwn {
      frame.title = localizer.text(
        "people.titled", ["name": .text(person.calledName), "title": .text(frame.title)])
    }
    frame.place = .me
    frame.hasSearch = true
    let mayAct = call.person?.mayAct ?? true
    let name = MessageArgument.text(call.person?.calledName ?? "")
    let viewing: Notice? =
      mayAct
      ? nil
      : Notice(
        .information, title: localizer.text("me.viewing", ["name": name]),
        "<p>\(localizer.text("me.viewing-help", ["name": name]))</p>")
    return call.page(
      frame,
      "<div class=\"narrow stack\">\(viewing)\(PlaceList(places(frame.role, mayAct, localizer)))</div>"
    )
  }

  private static func places(
    _ role: NavigationRole, _ mayAct: Bool, _ localizer: Localizer
  ) -> [PlaceList.Place] {
    let own: [PlaceList.Place] =
      role == .practitioner
      ? [
        .init(
          localizer.text("me.my-health"), address: Address.ownHealth, icon: .pill,
          hint: localizer.text("me.my-health-hint"))
      ] : []
    return own
      + SettingsPage.allCases.filter { mayAct || !$0.needsRightToAct }.map { $0.place(localizer) }
  }
}

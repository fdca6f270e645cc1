// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Identifiers
import Localization
import SiteMap
import Web

/// The page shown instead of a child's page for a person who has come of age, with a button that
/// opens the person's own pages.
enum GrownChildPage {
  static func response(_ call: Call, _ child: Child) -> Response {
    let localizer = call.localizer
    let name = MessageArgument.text(child.person.name)
    var frame = call.frame()
    frame.title = child.person.name
    frame.lead = child.age(localizer)
    frame.place = .people
    frame.back = .init(localizer.text("children.title"), address: Address.children)
    let open = FormButton(
      localizer.text("children.grown.open"), action: PersonChoice.path, token: call.accountToken,
      fields: [(PersonChoice.field, child.patient.text), ("return", "/medicines")],
      kind: .primary, icon: .person, object: child.person.name)
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("children.grown", ["name": name]))</p>\
      <p class="muted">\(localizer.text("children.grown.help", ["name": name]))</p>\
      \(ButtonRow(open.markup))</div>
      """)
  }
}

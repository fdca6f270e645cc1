// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Studies
import Web

/// The studies that a person can join, and those that they joined.
struct StudyListPage: Sendable {
  /// A study with the participation of the person.
  struct Item: Sendable {
    let definition: StudyDefinition
    let participation: StudyParticipant?
  }

  let studies: [Item]

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("studies.title")
    frame.lead = localizer.text("studies.lead")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    let places = studies.map { item in
      PlaceList.Place(
        item.definition.title.text(in: localizer.language),
        address: "\(Address.studies)/\(item.definition.id)", icon: .document,
        hint: localizer.text("studies.state", ["state": .text(state(item))]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(if: places.isEmpty, "<p>\(localizer.text("studies.empty"))</p>")\
      \(if: !places.isEmpty, PlaceList(places).markup)</div>
      """)
  }

  private func state(_ item: Item) -> String {
    guard let participation = item.participation else { return "open" }
    return participation.withdrawn == nil ? "joined" : "withdrawn"
  }
}

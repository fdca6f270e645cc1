// SPDX-License-Identifier: Apache-2.0

import HTML
import Knowledge
import Localization
import Web

/// The links from a topic to the children's schedules, through the calculator if one of its
/// medicines has a table.
struct TopicChildren: PagePart {
  /// The medicines of the topic that have dose tables.
  private static let calculated: Set<String> = ["fever", "cough-cold"]

  let topic: Topic
  let children: [Child]
  let localizer: Localizer

  var markup: Markup {
    let acting = children.filter(\.person.mayAct)
    let places = acting.map { child in
      PlaceList.Place(
        localizer.text(
          isCalculated ? "children.topic-dose" : "children.topic-schedule",
          ["name": .text(child.person.name)]),
        address: isCalculated
          ? "\(ChildRoutes.address(child.patient, "dose"))?topic=\(topic.id)"
          : "\(ChildRoutes.address(child.patient, "new"))?need=\(need)", icon: .person)
    }
    let content: Markup =
      places.isEmpty
      ? LinkButton(localizer.text("children.add"), address: "/people/new", icon: .plus).markup
      : PlaceList(places).markup
    return Section(localizer.text("children.topic-title"), id: "children", content).markup
  }

  private var isCalculated: Bool { Self.calculated.contains(topic.id) }
  private var need: String { QueryText.encode(topic.title(in: localizer.language)) }
}

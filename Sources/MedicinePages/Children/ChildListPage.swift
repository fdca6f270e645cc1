// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Localization
import Observations
import Presentation
import SiteMap
import Storage
import Web

/// The children of an account, each with its age and weight.
package enum ChildListPage {
  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let all = try await children(call)
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("children.title")
    frame.lead = localizer.text("children.lead")
    frame.place = .people
    frame.back = .people(localizer)
    let add = LinkButton(
      localizer.text("children.add"), address: "/people/new", kind: .primary, icon: .plus)
    guard !all.isEmpty else {
      return call.page(
        frame,
        EmptyState(icon: .person, text: localizer.text("children.none"), action: add.markup).markup)
    }
    return call.page(
      frame,
      """
      <div class="stack-large"><div class="grid">\(each: all, { card($0, localizer).markup })</div>\
      \(ButtonRow("""
        \(add)\(LinkButton(
          localizer.text("knowledge.link"), address: Address.knowledge, kind: .quiet,
          icon: .info))
        """))</div>
      """)
  }

  /// Returns people with a birth date who are not known to be adults and whose medicines are
  /// shared.
  static func children(_ call: Call) async throws -> [Child] {
    let seen = call.people.compactMap {
      person -> (PersonInReach, Authorization, ObservationPart?)? in
      guard let right = try? call.authorize(.read, "MedicationRequest", of: person.patient),
        (try? call.authorize(.read, "Patient", of: person.patient)) != nil
      else { return nil }
      let weighing = try? call.authorize(.read, VitalCommands.resource, of: person.patient)
      return (person, right, weighing?.actor.observations(of: person.patient))
    }
    let found = try await call.environment.database.read { reader in
      try seen.map { person, right, part in
        (try Child.read(person, weights: part, call, in: reader), right)
      }
    }
    let children = found.filter { $0.0.born != nil && !$0.0.isGrown }
    for (_, right) in children {
      try await call.environment.audit(right, count: 1, at: call.now)
    }
    return children.map(\.0)
  }

  private static func card(_ child: Child, _ localizer: Localizer) -> Card {
    Card(
      title: child.person.name, address: ChildRoutes.address(child.patient), level: .second,
      """
      <p>\(child.age(localizer) ?? "")</p>\(weight(child, localizer))
      """)
  }

  private static func weight(_ child: Child, _ localizer: Localizer) -> Markup {
    guard child.sharesWeights else { return Markup() }
    let line = child.weight.map { ChildText.weight($0, localizer) }
    return """
      \(line.map { "<p class=\"number\">\($0)</p>" as Markup })\
      \(if: child.needsWeight, "<p><strong>\(localizer.text("children.weight.update"))</strong></p>")
      """
  }
}

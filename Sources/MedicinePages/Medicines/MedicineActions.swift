// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Statistics
import Web

/// The links on the page of a medicine: the most frequent change as a button, all others in lists
/// grouped by purpose.
struct MedicineActions: Sendable {
  /// The id of the lists, for the link at the top of the page.
  private static let id = "more"

  let record: MedicineRecord
  /// True if the viewer acts for the person; others can only look back.
  let mayAct: Bool
  /// True if the supply is tracked, so that the page has its own section about it.
  let tracksSupply: Bool
  /// True if the app asks whether the doses helped.
  let asksEffect: Bool
  let localizer: Localizer

  private var plan: Plan { record.plan }
  /// True if it is currently taken, at set times or as needed.
  private var isTaken: Bool { plan.unplanned == nil || plan.unplanned == .asNeeded }
  private var isEditable: Bool { plan.takesTimes && isTaken }

  /// The button that changes the times and the amount, and the link to the lists below.
  var main: Markup {
    guard mayAct, !record.hasEnded else { return Markup() }
    let times =
      isEditable
      ? LinkButton(
        change("times"), address: "/medicines/\(plan.id)/change/times", icon: .clock,
        object: plan.medicineName) : nil
    let more = LinkButton(
      localizer.text("medicines.more"), address: "#\(Self.id)", kind: .quiet, icon: .list)
    return ButtonRow("\(times)\(more)").markup
  }

  /// The lists, each under the purpose of its links; empty if there is no link.
  var lists: Markup {
    let groups = [
      ("change", changes), ("use", use), ("home", home), ("past", past),
    ].filter { !$0.1.isEmpty }
    guard !groups.isEmpty else { return Markup() }
    return Section(
      localizer.text("medicines.more"), id: Self.id,
      """
      <div class="place-groups">\(each: groups, { group($0.0, $0.1) })</div>
      """
    ).markup
  }

  private func group(_ purpose: String, _ places: [PlaceList.Place]) -> Markup {
    let title = localizer.text("medicines.more-group", ["purpose": .text(purpose)])
    return "<div>\(HeadingLevel.third.heading(Markup(text: title)))\(PlaceList(places))</div>"
  }

  private func change(_ step: String) -> String {
    localizer.text("add-medicine.change", ["step": .text(step)])
  }

  private func titled(_ title: String, _ address: String, _ icon: Icon) -> PlaceList.Place {
    PlaceList.Place(title, address: address, icon: icon, object: plan.medicineName)
  }

  private func place(_ title: MessageKey, _ address: String, _ icon: Icon) -> PlaceList.Place {
    titled(localizer.text(title), address, icon)
  }

  // MARK: Purposes

  private var changes: [PlaceList.Place] {
    guard mayAct, !record.hasEnded else { return [] }
    let address = "/medicines/\(plan.id)"
    var places: [PlaceList.Place] = []
    if isEditable {
      places = [
        titled(change("which"), "\(address)/change", .pencil),
        titled(change("often"), "\(address)/change/often", .calendar),
        place("add-medicine.all-details", "\(address)/edit", .list),
      ]
    }
    if isTaken { places.append(place("medicines.pause", "\(address)/pause", .pause)) }
    places.append(place("medicines.stop", "\(address)/stop", .stop))
    return places
  }

  private var use: [PlaceList.Place] {
    guard mayAct, !record.hasEnded else { return [] }
    var places: [PlaceList.Place] = []
    if plan.unplanned == nil {
      places.append(place("escalation.plan-link", "/medicines/\(plan.id)/reminders", .bell))
    }
    if hasSites {
      places.append(place("sites.link", SiteRoutes.address(of: plan.id), .person))
    }
    if asksEffect {
      places.append(
        place("follow-ups.choice.link", FollowUpRoutes.address(of: plan.id), .question))
    }
    return places
  }

  private var home: [PlaceList.Place] {
    guard mayAct else { return [] }
    let look = place("appearance.link", AppearanceRoutes.address(of: plan.id), .pill)
    // Details such as photos can still be removed later.
    guard !record.hasEnded else { return record.looks[plan.id] == nil ? [] : [look] }
    let supply = place("stock.count-this", "\(Address.supply)/new?plan=\(plan.id)", .box)
    let sticker = place("stickers.medicine-link", "\(Address.stickers)?plan=\(plan.id)", .home)
    return (tracksSupply ? [] : [supply]) + [look, sticker]
  }

  private var past: [PlaceList.Place] {
    guard record.statistics.firstDue != nil else { return [] }
    return [
      place("medicines.section-history", "#history", .clock),
      place("effect.link", Address.effect(of: plan.id.text), .chart),
    ]
  }

  /// False if the medicine is swallowed or inhaled.
  private var hasSites: Bool {
    let without: [MedicineForm] = [.tablet, .capsule, .liquid, .sachet, .puff]
    guard SiteKind(plan.request) == nil, let form = record.draft?.form else { return true }
    return !without.contains(form)
  }
}

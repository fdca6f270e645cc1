// SPDX-License-Identifier: Apache-2.0

import Calendar
import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The content of the list of medicines.
struct MedicineList: Sendable {
  /// A medicine with reminders.
  struct Running: Sendable {
    let plan: Plan
    /// True if it is taken every day, including today or tomorrow.
    let isDaily: Bool
    /// The doses of the next 36 hours in time order, or only the next one after that; empty if
    /// there are no more doses.
    let doses: [ComingDose]
  }

  var running: [Running] = []
  var unplanned: [Plan] = []
  var asNeeded: [Plan] = []
  var paused: [Plan] = []
  var ended: [Plan] = []
  /// Upcoming doses that are moved by a clock change.
  var clockMoves: [ClockMove] = []
  /// The appearance of the medicines.
  var looks = MedicineAppearances()

  /// All medicines, in no particular order.
  var all: [Plan] { running.map(\.plan) + unplanned + asNeeded + paused + ended }

  var isEmpty: Bool { all.isEmpty }

  var count: Int { all.count }
}

/// The page of all medicines.
struct MedicineListPage: Sendable {
  let list: MedicineList
  let clock: MedicineClock

  private var localizer: Localizer { clock.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("medicines.title")
    frame.isLive = true
    frame.place = .medicines
    frame.hasSearch = true
    switch call.queryValue("done") {
    case "travel":
      frame.flash = FlashBar(
        localizer.text(
          "travel.done", ["place": .text(ZonePlace.name(clock.zone.identifier))]))
    case "accepted":
      frame.flash = FlashBar(localizer.text("import.done", ["what": "accepted"]))
    default: break
    }
    return call.page(frame, content(mayAct: call.formToken.mayAct, now: call.now))
  }

  private func content(mayAct: Bool, now: Timestamp) -> Markup {
    let add = LinkButton(
      localizer.text(list.isEmpty ? "medicines.add-first" : "medicines.add"),
      address: "/medicines/new", kind: .primary, icon: .plus)
    if list.isEmpty {
      let bringIn = LinkButton(
        localizer.text("import.link"), address: Address.medicineImport, icon: .download)
      let start = EmptyState(
        icon: .pill, text: localizer.text("medicines.empty"),
        action: "\(if: mayAct, "\(add)\(bringIn)")")
      return """
        <div class="stack-large">\(start)\(PlaceList(places(mayAct: mayAct), inColumns: true))</div>
        """
    }
    return """
      <div class="medicine-list stack">\(if: mayAct, ButtonRow(add.markup).markup)\
      \(ClockReschedulingNotice(moves: list.clockMoves, clock: clock))\
      \(MedicineSections(list: list, clock: clock, now: now))\
      \(PlaceList(places(mayAct: mayAct), inColumns: true))</div>
      """
  }

  /// Returns links to other pages about all medicines.
  private func places(mayAct: Bool) -> [PlaceList.Place] {
    var places: [PlaceList.Place] = [
      .init(localizer.text("stock.title"), address: Address.supply, icon: .box),
      .init(localizer.text("interactions.link"), address: Address.interactions, icon: .interaction),
      .init(localizer.text("knowledge.link"), address: Address.knowledge, icon: .info),
    ]
    guard mayAct else { return places }
    places.insert(
      .init(localizer.text("simplification.title"), address: Address.simplification, icon: .clock),
      at: 0)
    places.append(
      .init(localizer.text("hospitals.title"), address: Address.hospitals, icon: .download))
    if !list.isEmpty {
      places.append(
        .init(localizer.text("import.link"), address: Address.medicineImport, icon: .download))
    }
    return places
  }
}

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

/// What the list of medicines shows.
struct MedicineList: Sendable {
  /// A medicine with reminders and the next of its doses.
  struct Running: Sendable {
    let plan: Plan
    let next: Dose?
    /// The next dose where it lies too far ahead for a row.
    let nextDue: Timestamp?
  }

  var running: [Running] = []
  var unplanned: [Plan] = []
  var asNeeded: [Plan] = []
  var paused: [Plan] = []
  var ended: [Plan] = []
  /// Doses that the clock moves in the days to come.
  var clockMoves: [ClockMove] = []
  /// What the medicines look like.
  var looks = MedicineAppearances()

  var isEmpty: Bool {
    running.isEmpty && unplanned.isEmpty && asNeeded.isEmpty && paused.isEmpty && ended.isEmpty
  }

  var count: Int {
    running.count + unplanned.count + asNeeded.count + paused.count + ended.count
  }
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
    return call.page(frame, content(mayAct: call.formToken.mayAct))
  }

  private func content(mayAct: Bool) -> Markup {
    let add = LinkButton(
      localizer.text(list.isEmpty ? "medicines.add-first" : "medicines.add"),
      address: "/medicines/new", kind: .primary, icon: .plus)
    let bringIn = LinkButton(
      localizer.text("import.link"), address: Address.medicineImport, icon: .download)
    let more = PlaceList(places(mayAct: mayAct))
    if list.isEmpty {
      let start = EmptyState(
        icon: .pill, text: localizer.text("medicines.empty"),
        action: "\(if: mayAct, "\(add)\(bringIn)")")
      return "<div class=\"stack-large\">\(start)\(more)</div>"
    }
    return """
      <div class="stack-large">\(if: mayAct, ButtonRow("\(add)\(bringIn)").markup)\
      \(ClockReschedulingNotice(moves: list.clockMoves, clock: clock))\
      \(section("medicines.section-active", list.running.map(runningCard)))\
      \(section("as-needed.title", list.asNeeded.map(asNeededCard)))\
      \(section("medicines.section-unplanned", list.unplanned.map(unplannedCard)))\
      \(section("medicines.section-paused", list.paused.map(pausedCard)))\
      \(section("medicines.section-ended", list.ended.map(endedCard)))\(more)</div>
      """
  }

  /// What else is about all medicines.
  private func places(mayAct: Bool) -> [PlaceList.Place] {
    var places: [PlaceList.Place] = [
      .init(localizer.text("stock.title"), address: Address.supply, icon: .box),
      .init(localizer.text("interactions.link"), address: Address.interactions, icon: .interaction),
      .init(localizer.text("knowledge.link"), address: Address.knowledge, icon: .info),
    ]
    if mayAct {
      places.insert(
        .init(
          localizer.text("simplification.title"), address: Address.simplification, icon: .clock),
        at: 0)
      places.append(
        .init(localizer.text("hospitals.title"), address: Address.hospitals, icon: .download))
    }
    return places
  }

  private func section(_ title: MessageKey, _ cards: [Card]) -> Markup {
    guard !cards.isEmpty else { return Markup() }
    return Section(localizer.text(title), "<div class=\"grid\">\(cards)</div>").markup
  }

  private func runningCard(_ item: MedicineList.Running) -> Card {
    card(
      item.plan,
      "<p>\(DosageFormatter(item.plan.request, language: localizer.language).sentence)</p>\(next(item))"
    )
  }

  private func next(_ item: MedicineList.Running) -> Markup {
    guard let due = item.next?.due ?? item.nextDue else {
      return "<p class=\"muted\">\(localizer.text("medicines.no-more-doses"))</p>"
    }
    return """
      <p class="number">\(localizer.text(
        "medicines.next-dose", ["when": .text(clock.text(due))]))</p>
      """
  }

  private func asNeededCard(_ plan: Plan) -> Card {
    card(plan, "<p>\(DosageFormatter(plan.request, language: localizer.language).sentence)</p>")
  }

  private func unplannedCard(_ plan: Plan) -> Card {
    let words = DosageFormatter(plan.request, language: localizer.language)
    let reason = plan.unplanned?.text(localizer) ?? ""
    return card(
      plan,
      """
      <p><strong>\(localizer.text("medicines.no-reminders", ["reason": .text(reason)]))</strong></p>\
      <p>\(words.sentence)</p>\(SenderText(words: words, localizer: localizer))
      """)
  }

  private func pausedCard(_ plan: Plan) -> Card {
    let ending = MedicineEnding(plan)
    let date = ending.date.map { clock.text(clock.day(of: $0), .medium) } ?? "none"
    let text = localizer.text(
      plan.isPausedHere ? "medicines.paused" : "medicines.on-hold",
      ["date": .text(date), "reason": .text(ending.reason ?? "none")])
    return card(plan, "<p>\(text)</p>", isQuiet: true)
  }

  private func endedCard(_ plan: Plan) -> Card {
    card(plan, "<p>\(MedicineEnding(plan).text(clock))</p>", isQuiet: true)
  }

  private func card(_ plan: Plan, _ content: Markup, isQuiet: Bool = false) -> Card {
    Card(
      title: plan.medicineName, address: "/medicines/\(plan.id)", level: .third,
      isQuiet: isQuiet,
      "\(list.looks.row(plan.id, plan.medicineName, localizer))\(content)")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// Today as a page: what to take now, later, what is done; last what rightly does not ring.
///
/// The cards of features stand in between.
struct TodayView {
  private let reading: TodayReading
  private let rendering: TodayRendering
  private let model: TodayModel
  private let words: DoseFormatter
  private let localizer: Localizer
  private let rows: TodayRows
  private let token: FormToken

  /// - Parameter reader: the name of the person who looks: who answered is said of others only.
  init(reading: TodayReading, reader: String, rendering: TodayRendering) {
    self.reading = reading
    self.rendering = rendering
    model = reading.model
    words = rendering.words
    localizer = words.localizer
    token = rendering.token
    rows = TodayRows(reading: reading, reader: reader, rendering: rendering)
  }

  var markup: Markup {
    if reading.isEmpty {
      return """
        <div class="stack-large">\(cards(.top))\(cards(.afterDueDoses))\(empty)\
        \(cards(.afterNextDoses))\(entry)</div>
        """
    }
    return """
      <div class="stack-large">\(cards(.top))\(cards(.beforeDoses))\
      \(each: model.unplanned.filter { !isQuietRightly($0) }, unplanned)\
      \(if: !model.now.isEmpty, section("today.now", .due, "\(each: model.now, cluster)"))\
      \(cards(.afterDueDoses))\(cards(.reminders))\(next)\(cards(.afterNextDoses))\
      \(list("today.later", .later, model.later))\(cards(.afterLaterDoses))\
      \(missed)\(done)\(each: model.unplanned.filter(isPaused), paused)\
      \(list("today.tomorrow", .tomorrow, model.tomorrow))\(entry)</div>
      """
  }

  // MARK: Groups

  private var empty: Markup {
    """
    \(EmptyState(
      icon: .pill, text: localizer.text("today.empty"),
      action: """
        \(if: token.mayAct, LinkButton(
          localizer.text("today.add"), address: "/medicines/new", kind: .primary, icon: .plus
        ).markup)
        """))
    """
  }

  /// Returns the cards of features in a place.
  private func cards(_ place: TodayPlace) -> Markup {
    """
    <div class="today-cards stack-large" id="cards-\(place.rawValue)" data-part>\
    \(each: reading.cards(at: place), { $0.markup(rendering) })</div>
    """
  }

  private var entry: Markup {
    let charts = LinkButton(
      localizer.text("charts.link"), address: Address.charts, kind: .quiet, icon: .calendar)
    guard token.mayAct else { return ButtonRow(charts.markup).markup }
    let entry = LinkButton(
      localizer.text("today.entry"), address: "/entry", kind: .quiet, icon: .pencil)
    let ring = LinkButton(
      localizer.text("ring.title-armed"), address: "/ring", kind: .quiet, icon: .bell)
    return "\(ButtonRow("\(entry)\(ring)\(charts)"))"
  }

  private var next: Markup {
    guard let next = model.next else { return Markup() }
    let text = localizer.text(
      "today.next",
      [
        "day": next.isTomorrow ? "tomorrow" : "today", "time": .text(words.time(next.due)),
        "names": .text(localizer.list(next.doses.map(\.medicineName))),
      ])
    let isAllDone = model.missed.isEmpty && !model.done.isEmpty
    guard isAllDone else { return "\(Notice(.information, title: text))" }
    return "\(Notice(.success, title: localizer.text("today.all-done"), "<p>\(text)</p>"))"
  }

  private func cluster(_ cluster: TodayModel.Cluster) -> Markup {
    """
    <div class="stack">\(takeAll(cluster))\(DoseList(cluster.rows.map(rows.now)))</div>
    """
  }

  private func takeAll(_ cluster: TodayModel.Cluster) -> Markup {
    let doses = cluster.takeable.map(\.dose)
    guard !doses.isEmpty else { return Markup() }
    let count = MessageArgument.number(doses.count)
    let text =
      model.now.count == 1
      ? localizer.text("today.take-all", ["count": count])
      : localizer.text(
        "today.take-all-from", ["count": count, "time": .text(words.time(cluster.due))])
    return """
      <div id="all-\(String(cluster.due.milliseconds))" data-part>\
      \(FormButton(
        text, action: "/answers", token: token,
        fields: [("action", "taken")]
          + doses.map { ("answer", "\($0.id.text) \(rendering.newIdentifier())") },
        icon: .check, object: localizer.list(doses.map(\.medicineName))))</div>
      """
  }

  private var missed: Markup {
    guard !model.missed.isEmpty else { return Markup() }
    return section(
      "today.missed", .missed,
      """
      <p class="muted">\(localizer.text("today.missed-hint"))</p>\
      \(DoseList(model.missed.map(rows.missed)))
      """)
  }

  private var done: Markup {
    guard !model.done.isEmpty || !model.extras.isEmpty else { return Markup() }
    let extras = model.extras.map { rows.extra($0, reason: model.reasons[$0.administration]) }
    let cards = model.done.map(rows.done) + extras
    return section("today.done", .done, "\(DoseList(cards))")
  }

  private func list(
    _ title: MessageKey, _ part: TodayPart, _ doses: [TodayModel.Row]
  ) -> Markup {
    guard !doses.isEmpty else { return Markup() }
    return section(title, part, "\(DoseList(doses.map(rows.ahead)))")
  }

  private func section(_ title: MessageKey, _ part: TodayPart, _ content: Markup) -> Markup {
    // Keeps the old names of the parts, which bookmarks and scripts use.
    let id = part == .later ? "later-today" : part.rawValue
    let name = localizer.text(title)
    let rest = model.totals[part].map { total in
      LinkButton(
        localizer.text("today.show-all", ["count": .number(total)]),
        address: "/?\(reading.isSimple ? "view=all&" : "")show=\(part.rawValue)#\(id)",
        icon: .list, object: name)
    }
    return """
      \(Section(name, id: id, "<div class=\"stack\">\(content)\(rest)</div>"))
      """
  }

  // MARK: Plans without reminders

  /// Taken as needed, or paused on purpose: nothing has to be put right, so it must not stand between
  /// somebody and the dose that is due.
  private func isQuietRightly(_ plan: UnplannedPlan) -> Bool {
    plan.reason == .asNeeded || isPaused(plan)
  }

  private func isPaused(_ plan: UnplannedPlan) -> Bool { plan.reason == .status("on-hold") }

  private func unplanned(_ plan: UnplannedPlan) -> Markup {
    let link = LinkButton(
      localizer.text("today.enter-times"), address: "/medicines/\(plan.plan)/edit",
      icon: .clock, object: plan.medicineName)
    let quote = plan.quotedText.map { "<blockquote>\($0)</blockquote>" as Markup }
    return """
      \(Notice(
        .warning,
        title: localizer.text("today.no-reminders", ["name": .text(plan.medicineName)]),
        "<p>\(plan.reason.text(localizer))</p>\(quote)\(if: token.mayAct, link.markup)"))
      """
  }

  /// Paused on purpose: said in one line, with the way to the medicine.
  private func paused(_ plan: UnplannedPlan) -> Markup {
    let link = LinkButton(
      localizer.text("today.open-medicine"), address: "/medicines/\(plan.plan)", kind: .quiet,
      icon: .pill, object: plan.medicineName)
    return """
      \(Notice(
        .information, title: localizer.text("today.paused", ["name": .text(plan.medicineName)]),
        "\(link)"))
      """
  }
}

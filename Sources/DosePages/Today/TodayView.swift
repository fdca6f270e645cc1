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

/// Today as a page: the doses to take now, later, and done; last, plans that have no reminders on
/// purpose.
///
/// The cards of features are in between. While nothing is due, the next dose comes before them, so
/// that it is on the first screen of a phone however many notices there are.
struct TodayView {
  private let reading: TodayReading
  private let rendering: TodayRendering
  private let model: TodayModel
  private let words: DoseFormatter
  private let localizer: Localizer
  private let rows: TodayRows
  private let token: FormToken

  /// - Parameter reader: The viewer's name, which answers leave out.
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
      <div class="stack-large today"><div class="today-column">\
      \(TodayHead(progress: reading.progress, localizer: localizer))\
      \(cards(.top))\(cards(.beforeDoses))\
      \(each: model.unplanned.filter { !isQuietRightly($0) }, unplanned)\
      \(if: !model.now.isEmpty, section("today.now", .due, due))\
      \(if: model.now.isEmpty, next)\(cards(.afterDueDoses))\(cards(.reminders))\
      \(if: !model.now.isEmpty, next)\(cards(.afterNextDoses))</div>\
      <div class="today-column">\(later)\(cards(.afterLaterDoses))\
      \(missed)\(done)\(each: model.unplanned.filter(isPaused), paused)\(tomorrow)\(entry)</div>\
      \(pinned)</div>
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
      localizer.text("charts.link"), address: Address.charts, kind: .quiet, icon: .chart)
    guard token.mayAct else { return ButtonRow(charts.markup).markup }
    let entry = LinkButton(
      localizer.text("today.entry"), address: "/entry", kind: .quiet, icon: .pill)
    let ring = LinkButton(
      localizer.text("ring.title-armed"), address: "/ring", kind: .quiet, icon: .bell)
    let links = reading.cards(at: .links)
    return """
      \(ButtonRow(
        "\(entry)\(ring)\(each: links, { $0.markup(rendering) })\(if: links.isEmpty, charts.markup)"))
      """
  }

  private var next: Markup {
    let isAllDone = model.now.isEmpty && model.missed.isEmpty && !model.done.isEmpty
    let isOver = isAllDone && model.later.isEmpty
    let text = model.next.map { next in
      localizer.text(
        "today.next",
        [
          "day": next.isTomorrow ? "tomorrow" : "today", "time": .text(words.time(next.due)),
          "names": .text(localizer.list(next.doses.map(\.medicineName))),
        ])
    }
    let notice: Notice?
    if isAllDone {
      // A skipped dose is no success.
      let isTaken = model.done.allSatisfy { $0.dose.state == .taken }
      let done = localizer.text(isOver ? "today.day-done" : "today.all-done")
      let praise = isOver && isTaken ? reading.dayDone(rendering) : []
      notice = Notice(
        isTaken ? .success : .information, title: ([done] + praise).joined(separator: " "),
        text.map { "<p>\($0)</p>" } ?? Markup())
    } else {
      notice = text.map { Notice(.information, title: $0) }
    }
    return "<div class=\"today-cards\" id=\"next\" data-part>\(notice)</div>"
  }

  /// The times that wait for an answer.
  private var due: Markup { "\(each: model.now, slot)" }

  private func slot(_ cluster: TodayModel.Cluster) -> Markup {
    let isLate = cluster.rows.contains(where: \.dose.isLate)
    let time = words.time(cluster.due)
    let times = Set(cluster.rows.map { rows.times($0) })
    var slot = TodaySlot(
      style: isLate ? .late : .now, time: time, timestamp: words.machine(cluster.due),
      chip: isLate ? words.chip(.overdue, time) : words.chip(.due),
      note: times.count == 1 ? times.first ?? nil : nil,
      rows: cluster.rows.map { rows.now($0, withTimes: times.count > 1) })
    let all = takeAll(cluster)
    if !all.isEmpty {
      slot.all = """
        <div class="slot-all\(if: isPinned(cluster), " slot-pinned")" \
        id="all-\(String(cluster.due.milliseconds))" data-part>\(all)</div>
        """
    }
    return slot.markup
  }

  /// The main action of the first time that has one, kept visible above the navigation bar on a
  /// phone.
  private var pinned: Markup {
    guard token.mayAct, let cluster = model.now.first(where: hasAction) else { return Markup() }
    let only = cluster.rows.count == 1 ? cluster.rows.first.map(rows.only) : nil
    return "<div class=\"pinned\" id=\"pinned\" data-part>\(only ?? takeAll(cluster))</div>"
  }

  private func isPinned(_ cluster: TodayModel.Cluster) -> Bool {
    model.now.first(where: hasAction)?.due == cluster.due
  }

  private func hasAction(_ cluster: TodayModel.Cluster) -> Bool {
    guard cluster.rows.count == 1, let row = cluster.rows.first else {
      return !cluster.takeable.isEmpty
    }
    return rows.isPlain(row)
  }

  private func takeAll(_ cluster: TodayModel.Cluster) -> Markup {
    let doses = cluster.takeable.map(\.dose)
    guard token.mayAct, !doses.isEmpty else { return Markup() }
    let count = MessageArgument.number(doses.count)
    let text =
      model.now.count == 1
      ? localizer.text("today.take-all", ["count": count])
      : localizer.text(
        "today.take-all-from", ["count": count, "time": .text(words.time(cluster.due))])
    return FormButton(
      text, action: "/answers", token: token,
      fields: [("action", "taken")]
        + doses.map { ("answer", "\($0.id.text) \(rendering.newIdentifier())") },
      icon: .check, object: localizer.list(doses.map(\.medicineName))
    ).markup
  }

  private var missed: Markup {
    guard !model.missed.isEmpty else { return Markup() }
    return section(
      "today.missed", .missed,
      """
      <p class="muted">\(localizer.text("today.missed-hint"))</p>\
      \(TodaySlot(style: .done, rows: model.missed.map(rows.missed)))
      """)
  }

  private var done: Markup {
    guard !model.done.isEmpty || !model.extras.isEmpty else { return Markup() }
    let extras = model.extras.map { rows.extra($0, reason: model.reasons[$0.administration]) }
    let all = model.done.map(rows.done) + extras
    return section("today.done", .done, TodaySlot(style: .done, rows: all).markup)
  }

  private var later: Markup {
    guard !model.later.isEmpty else { return Markup() }
    return section("today.later", .later, slots(model.later))
  }

  /// One line that expands.
  private var tomorrow: Markup {
    guard let first = model.tomorrow.first?.dose else { return Markup() }
    let count = model.totals[.tomorrow] ?? model.tomorrow.count
    let line = localizer.text(
      "today.tomorrow-line", ["count": .number(count), "time": .text(words.time(first.due))])
    let isOpen = model.totals[.tomorrow] == nil && count > TodayLimits().others
    return """
      <section id="tomorrow">\(Disclosure(
        line, isOpen: isOpen,
        "\(slots(model.tomorrow))\(rest(of: .tomorrow, line))"))</section>
      """
  }

  /// Returns a card for each time, in the order of the rows.
  private func slots(_ list: [TodayModel.Row]) -> Markup {
    var groups: [(time: Timestamp, rows: [TodayModel.Row])] = []
    for row in list {
      let time = row.dose.state == .later ? row.dose.laterUntil ?? row.dose.due : row.dose.due
      if groups.last?.time == time {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append((time, [row]))
      }
    }
    let slots = groups.map { group in
      TodaySlot(
        style: .ahead, time: words.time(group.time), timestamp: words.machine(group.time),
        rows: group.rows.map(rows.ahead))
    }
    return "\(slots)"
  }

  private func section(_ title: MessageKey, _ part: TodayPart, _ content: Markup) -> Markup {
    // Keeps the older ids of the parts, which bookmarks and scripts use.
    let id = part == .later ? "later-today" : part.rawValue
    let name = localizer.text(title)
    return """
      \(Section(name, id: id, "<div class=\"stack\">\(content)\(rest(of: part, name))</div>"))
      """
  }

  private func rest(of part: TodayPart, _ name: String) -> LinkButton? {
    let id = part == .later ? "later-today" : part.rawValue
    return model.totals[part].map { total in
      LinkButton(
        localizer.text("today.show-all", ["count": .number(total)]),
        address: "/?\(reading.isSimple ? "view=all&" : "")show=\(part.rawValue)#\(id)",
        icon: .list, object: name)
    }
  }

  // MARK: Plans without reminders

  /// Returns true for a plan taken as needed or paused: nothing needs fixing, so it must not come
  /// before the dose that is due.
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

  /// Returns one line for a paused plan, with a link to the medicine.
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

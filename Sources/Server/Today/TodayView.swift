// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Identifiers
import Knowledge
import Localization
import Storage

/// Today as a page: what should ring and cannot, what to take now, later, what is done; last what
/// rightly does not ring.
struct TodayView {
  let model: TodayModel
  /// Whether a device of the account was confirmed to ring lately.
  let canRing: Bool
  /// What is said beside the doses.
  let asides: TodayAsides
  let words: DoseWords
  private let now: Timestamp
  private let list: InteractionList
  private let localizer: Localizer
  private let rows: TodayRows
  private let token: FormToken
  private let newIdentifier: () -> String

  /// - Parameter reader: the name of the person who looks: who answered is said of others only.
  init(
    model: TodayModel, canRing: Bool, asides: TodayAsides, words: DoseWords,
    list: InteractionList = .shipped, reader: String, token: FormToken,
    newIdentifier: @escaping () -> String, now: Timestamp
  ) {
    self.now = now
    self.list = list
    self.model = model
    self.canRing = canRing
    self.asides = asides
    self.words = words
    self.token = token
    self.newIdentifier = newIdentifier
    localizer = words.localizer
    rows = TodayRows(
      words: words, reader: reader, token: token, looks: asides.looks, newIdentifier: newIdentifier)
  }

  var markup: Markup {
    if model.isEmpty {
      return """
        <div class="stack-large">\(asides.warned(words))\(asides.tomorrow(words, token))\
        \(asides.asked(words, token))\(empty)\
        \(StockToday(low: asides.low, localizer: localizer).markup)\(entry)</div>
        """
    }
    return """
      <div class="stack-large">\(asides.warned(words))\(shifts)\
      \(ProposalCards(reading: model.proposals, token: token, words: words, list: list))\
      \(each: model.unplanned.filter { !isQuietRightly($0) }, unplanned)\
      \(if: !model.now.isEmpty, section("today.now", .due, "\(each: model.now, cluster)"))\
      \(asides.tomorrow(words, token))\(asides.asked(words, token))\(asides.holds(words))\(device)\
      \(SilentDevices(devices: asides.silent, words: words))\(next)\
      \(StockToday(low: asides.low, localizer: localizer).markup)\
      \(list("today.later", .later, model.later))\
      \(AsNeededToday(medicines: asides.asNeeded, words: words, now: now))\
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

  /// What follows from a dose that was taken late.
  private var shifts: Markup {
    ShiftCards(
      proposals: asides.shifts, words: words, list: list, token: token, returnPath: "/"
    ).markup
  }

  private var entry: Markup {
    let charts = LinkButton(
      localizer.text("charts.link"), address: ChartsRoutes.path, kind: .quiet, icon: .calendar)
    guard token.mayAct else { return ButtonRow(charts.markup).markup }
    let entry = LinkButton(
      localizer.text("today.entry"), address: "/entry", kind: .quiet, icon: .pencil)
    let ring = LinkButton(
      localizer.text("ring.title-armed"), address: "/ring", kind: .quiet, icon: .bell)
    return "\(ButtonRow("\(entry)\(ring)\(charts)"))"
  }

  /// Reminders that reach nobody are told before they are missed.
  private var device: Markup {
    guard !canRing, token.mayAct else { return Markup() }
    let link = LinkButton(localizer.text("device.title"), address: "/device", icon: .bell)
    return """
      \(Notice(
        .information, title: localizer.text("device.today.title"),
        "<p>\(localizer.text("device.today.help"))</p>\(link)"))
      """
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
      \(FormButton(
        text, action: "/answers", token: token,
        fields: [("action", "taken")]
          + doses.map { ("answer", "\($0.id.text) \(newIdentifier())") },
        icon: .check, object: localizer.list(doses.map(\.medicineName))))
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
        address: "/?\(asides.isSimple ? "view=all&" : "")show=\(part.rawValue)#\(id)",
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

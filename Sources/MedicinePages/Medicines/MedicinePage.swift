// SPDX-License-Identifier: Apache-2.0

import Diary
import Dosing
import Foundation
import HTML
import Hummingbird
import Identifiers
import Localization
import Observations
import Plans
import Presentation
import Scheduling
import SiteMap
import Statistics
import Storage
import Web

/// The page of one medicine.
struct MedicinePage: Sendable {
  let record: MedicineRecord
  let clock: MedicineClock
  let words: DoseFormatter
  let chart: ChartRequest
  /// The name of the viewer.
  let reader: String
  /// The action just completed: `added`, `saved`, `stopped`, `paused` or `resumed`.
  var done: String?
  /// Resting heart rates of the last weeks, for a medicine that affects them.
  var heart: [VitalDayValue] = []
  /// True if the person may resume it while it is on hold.
  var mayResume = false
  /// The prescriber, and whether they still care for the person.
  var prescribed: (prescriber: Prescriber, lasts: Bool)?
  /// The interactions of the medicine; nil if it has ended.
  var interactions: InteractionPart?
  /// The supply of it; nil if it is not tracked or not shared.
  var stock: StockSummary?
  /// Today's doses that were already past when the medicine was added.
  var passed: [PassedDoses.OfPlan] = []
  /// Unconfirmed amounts that look like a typing error.
  var findings: [AmountFinding] = []
  /// True if setting up reminders comes next, after a medicine was added.
  var offersReminders = false
  /// The confirmations of its schedule or amounts.
  var confirmations: [PlanConfirmations.Kept] = []
  /// The answers whether the last doses of an as-needed medicine helped; nil for other medicines.
  var followUps: FollowUpFacts?

  private static let deeds = ["added", "saved", "stopped", "paused", "resumed"]

  private var localizer: Localizer { clock.localizer }
  private var plan: Plan { record.plan }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = plan.medicineName
    frame.isLive = true
    frame.lead = (record.draft?.form).map(MedicineFormatter(localizer: localizer).name(of:))
    frame.place = .medicines
    frame.back = .init(localizer.text("medicines.back-to-list"), address: "/medicines")
    if call.isVisit, let person = call.person {
      frame.back = .init(person.name, address: ChildRoutes.address(plan.patient))
    }
    if let done, Self.deeds.contains(done) {
      // An as-needed medicine has no next doses to point to.
      let hasNone = plan.unplanned == .asNeeded && ["added", "resumed"].contains(done)
      let what = hasNone ? "\(done)-needed" : done
      frame.flash = FlashBar(
        localizer.text(
          "medicines.done", ["what": .text(what), "name": .text(plan.medicineName)]))
    }
    return call.page(frame, content(call))
  }

  private func content(_ call: Call) -> Markup {
    let dosage = DosageFormatter(plan.request, language: localizer.language)
    let actions = MedicineActions(
      record: record, mayAct: call.formToken.mayAct, tracksSupply: stock != nil,
      asksEffect: followUps != nil, localizer: localizer)
    return """
      <div class="stack-large">\(if: offersReminders && call.formToken.mayAct, reminders)\
      \(standing(call))\(effect)\(unusual(call))\
      \(PassedDosesPart(passed: passed, words: words, token: call.formToken))\
      \(PrescribedPart(found: prescribed, hasEnded: record.hasEnded, localizer: localizer))\
      \(record.looks.large(plan.id, plan.medicineName, localizer))\
      \(Section(localizer.text("medicines.section-how"), how(dosage)))\
      \(actions.main)\(interactions)\
      \(stock.map { StockOfMedicine(summary: $0, plan: plan, localizer: localizer).markup })\
      \(if: !record.hasEnded && plan.unplanned == nil, nextDays)\(actions.lists)\
      \(if: record.statistics.firstDue != nil, statistics(call))\(heartRates)\(history(call))</div>
      """
  }

  private var reminders: Markup {
    let link = LinkButton(
      localizer.text("device.start.title"), address: Address.reminderSetup, kind: .primary,
      icon: .bell)
    return Notice(
      .information, title: localizer.text("device.start.after-medicine"),
      "<p>\(localizer.text("device.start.after-medicine-help"))</p>\(link)"
    ).markup
  }

  /// The effect of the medicine on the heart rate, by day.
  private var heartRates: Markup {
    guard !heart.isEmpty else { return Markup() }
    return Section(
      localizer.text("heart-rate.title"),
      """
      \(HeartChart(values: heart, clock: clock, hasTable: true))\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("heart-rate.all-values"), address: Address.heartRate, icon: .heart))
        """))
      """
    ).markup
  }

  // MARK: Messages

  private func statistics(_ call: Call) -> Markup {
    let until = call.queryValue("until").map { [(name: "until", value: $0)] } ?? []
    return ChartSection(
      statistics: record.statistics, request: chart, localizer: localizer, today: words.today,
      path: "/medicines/\(plan.id)", otherQuery: until
    ).markup
  }

  private func history(_ call: Call) -> Markup {
    let part = record.history
    let address = "/medicines/\(plan.id)?"
    let kept = ["by", "to"].compactMap { name in
      call.queryValue(name).map { "\(name)=\(QueryText.encode($0))&" }
    }.joined()
    let steps = HistorySteps(part: part, localizer: localizer) { place in
      let skip = place.skipped > 0 ? "&skip=\(place.skipped)" : ""
      return "\(address)\(kept)until=\(place.end.text)\(skip)#history"
    }
    let content: Markup =
      part.entries.isEmpty
      ? "<p class=\"muted\">\(localizer.text("medicines.no-history"))</p>"
      : HistoryList(part: part, words: words, reader: reader, namesMedicines: false).markup
    return Section(
      localizer.text("medicines.section-history"), id: "history",
      "<div class=\"stack\">\(content)\(steps)</div>"
    ).markup
  }

  /// Returns the most important status: the medicine has ended, or has no reminders.
  private func standing(_ call: Call) -> Markup {
    if record.hasEnded {
      return Notice(.information, title: MedicineEnding(plan).text(clock)).markup
    }
    if plan.status == "on-hold" {
      return PausedNotice(
        plan: plan, clock: clock, token: call.formToken, mayResume: mayResume
      ).markup
    }
    guard let reason = plan.unplanned else { return Markup() }
    if reason == .asNeeded {
      return Notice(
        .information, title: reason.text(localizer),
        LinkButton(
          localizer.text("as-needed.open"),
          address: "\(Address.asNeeded)#plan-\(plan.id)", icon: .clock,
          object: plan.medicineName
        ).markup
      ).markup
    }
    let enter =
      plan.takesTimes && call.formToken.mayAct
      ? LinkButton(
        localizer.text("medicines.enter-times"), address: "/medicines/\(plan.id)/edit",
        kind: .primary, icon: .clock, object: plan.medicineName) : nil
    return Notice(
      .warning,
      title: localizer.text("medicines.no-reminders", ["reason": .text(reason.text(localizer))]),
      "<p>\(localizer.text("medicines.no-reminders-help"))</p>\(enter)"
    ).markup
  }

  /// How the last doses worked, and the warning about overuse.
  private var effect: Markup {
    guard let followUps, !record.hasEnded else { return Markup() }
    let text = FollowUpText(localizer)
    return """
      \(text.overuse(followUps))\(text.summary(followUps.summary).map { "<p>\($0)</p>" as Markup })
      """
  }

  /// Returns a warning about unusual amounts that no one has confirmed.
  private func unusual(_ call: Call) -> Markup {
    guard !findings.isEmpty, !record.hasEnded else { return Markup() }
    let words = QuestionText(localizer: localizer)
    let link =
      plan.takesTimes && call.formToken.mayAct
      ? LinkButton(
        localizer.text("questions.check"), address: "/medicines/\(plan.id)/edit", icon: .pencil,
        object: plan.medicineName) : nil
    return """
      \(each: findings, { Notice(.warning, title: words.text(.amount($0)), "\(link)").markup })
      """
  }

  private func how(_ words: DosageFormatter) -> Markup {
    """
    <div class="stack"><p>\(words.sentence)</p>\(confirmed)\
    \(SenderText(words: words, localizer: localizer))\
    \(if: !words.unvoiced.isEmpty, unvoiced(words.unvoiced))\
    \(if: !facts.isEmpty, DescriptionList(facts).markup)</div>
    """
  }

  private var confirmed: Markup {
    let text = QuestionText(localizer: localizer)
    return "\(each: confirmations, { "<p class=\"muted\">\(text.text($0, words))</p>" })"
  }

  private func unvoiced(_ paths: [String]) -> Markup {
    Disclosure(
      localizer.text("medicines.unvoiced", ["count": .number(paths.count)]),
      """
      <p>\(localizer.text("medicines.unvoiced-help"))</p>\
      <ul>\(each: paths, { "<li><code>\($0)</code></li>" })</ul>
      """
    ).markup
  }

  private var facts: [DescriptionList.Item] {
    var facts: [DescriptionList.Item] = []
    if let times = MedicineFormatter(localizer: localizer).times(plan) {
      facts.append(.init(localizer.text("medicines.fact-times"), times))
    }
    if let draft = record.draft {
      let first = clock.text(draft.start, .medium)
      let last = draft.lastDay.map { clock.text($0, .medium) } ?? "none"
      facts.append(
        .init(
          localizer.text("medicines.fact-days"),
          localizer.text(
            "medicines.from-until", ["start": .text(first), "end": .text(last)])))
    }
    let limits = AsNeededText(words: words).limits(PlanLimits(plan.request))
    if !limits.isEmpty {
      facts.append(
        .init(
          localizer.text("as-needed.limits"),
          markup:
            "<ul class=\"stack-small\" role=\"list\">\(each: limits, { "<li>\($0)</li>" })</ul>"))
    }
    if let rule = MissedDoseAdvice(plan.request) {
      facts.append(
        .init(
          localizer.text("missed-dose-advice.form.title"),
          MissedDoseAdviceText(words: words).text(rule)))
    }
    if let travel = MedicineFormatter(localizer: localizer)
      .travel(plan, on: clock, at: words.now)
    {
      facts.append(.init(localizer.text("medicines.fact-travel"), travel))
    }
    return facts
  }

  private var nextDays: Markup {
    let content: Markup
    if !record.upcoming.isEmpty {
      content = DosesByDay(doses: record.upcoming, clock: clock).markup
    } else if let first = record.firstDue {
      content = """
        <p>\(localizer.text("medicines.next-dose", ["when": .text(clock.text(first))]))</p>
        """
    } else {
      content = "<p class=\"muted\">\(localizer.text("medicines.no-more-doses"))</p>"
    }
    return Section(localizer.text("medicines.section-next-days"), content).markup
  }
}

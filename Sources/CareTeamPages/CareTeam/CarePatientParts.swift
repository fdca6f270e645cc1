// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import FHIR
import HeartRate
import HTML
import Identifiers
import Localization
import Observations
import People
import Plans
import Prescriptions
import Presentation
import Scheduling
import Statistics
import Storage
import Web

/// The parts of a patient's page.
struct CarePatientParts: Sendable {
  let page: CarePatientPage
  let call: Call

  private var access: PractitionerAccess { page.access }
  private var model: CarePatientModel { page.model }
  private var localizer: Localizer { call.localizer }
  private var clock: MedicineClock { MedicineClock(zone: model.zone, localizer: localizer) }
  private var words: DoseFormatter {
    DoseFormatter(localizer: localizer, zone: model.zone, now: call.now)
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("care-team.\(name)"))
  }

  private func section(_ name: String, _ content: Markup) -> Markup {
    Section(text("section-\(name)"), id: name, content).markup
  }

  private var hidden: Markup { "<p class=\"muted\">\(text("hidden"))</p>" }

  /// The most common actions, at the top, one press away.
  var actions: Markup {
    let prescribe =
      access.mayPrescribe
      ? LinkButton(
        localizer.text("care-team.prescribe.link"), address: access.deskAddress("/prescribe"),
        kind: .primary, icon: .plus) : nil
    let message =
      model.messages?.conversation.isOpen == true
      ? LinkButton(localizer.text("care-desk.message"), address: "#messages", icon: .message) : nil
    let note = LinkButton(localizer.text("care-desk.note"), address: "#notes", icon: .pencil)
    return ButtonRow("\(prescribe?.markup)\(message?.markup)\(note)").markup
  }

  // MARK: Adherence

  var adherence: Markup {
    guard let statistics = model.adherence else { return section("adherence", hidden) }
    return section(
      "adherence",
      """
      <div class="stack-small">\(counts(statistics.total(statistics.week), days: 7))\
      \(counts(statistics.total(statistics.month), days: 30))\
      \(model.days.map { CareSparkline(adherence: $0, localizer: localizer).markup })</div>
      """)
  }

  // MARK: Heart rate

  /// The latest value in words, and the last four weeks as a chart with a table.
  var heartRate: Markup {
    guard let values = model.heart else { return section("heart-rate", hidden) }
    guard let last = values.max(by: { $0.day < $1.day }) else {
      return section(
        "heart-rate", "<p class=\"muted\">\(localizer.text("care-desk.no-heart"))</p>")
    }
    let day = CivilDate(text: last.day).map { clock.text($0, .medium) } ?? last.day
    let latest = localizer.text(
      "care-desk.heart-latest",
      [
        "rate": .text(
          HeartRateFormatter.amount(last.thousandths, .restingHeartRate, localizer)),
        "day": .text(day),
      ])
    return section(
      "heart-rate",
      """
      <div class="stack"><p>\(latest)</p>\
      \(HeartChart(values: values, clock: clock, hasTable: true))</div>
      """)
  }

  // MARK: Messages

  var messages: Markup {
    guard access.right.shares(.messages) else { return section("messages", hidden) }
    guard let messages = model.messages else { return Markup() }
    return section(
      "messages",
      messages.content(
        access, action: access.deskAddress("/messages"), input: page.message,
        event: call.environment.newIdentifier(), token: call.accountToken, words: words))
  }

  private func counts(_ counts: DoseCounts, days: Int) -> Markup {
    let range = localizer.text("care-team.days", ["days": .number(days)])
    guard let percent = counts.percentTaken else {
      return "<p>\(localizer.text("chart.none", ["range": .text(range)]))</p>"
    }
    let taken = localizer.text(
      "chart.taken",
      [
        "range": .text(range), "taken": .number(counts.takenInAll),
        "planned": .number(counts.planned), "percent": .number(percent),
        "late": .number(counts[.late]),
      ])
    let others = [DoseOutcome.skipped, .refused, .missed].filter { counts[$0] > 0 }.map {
      localizer.text(
        "chart.count", ["outcome": .text($0.rawValue), "count": .number(counts[$0])])
    }
    let rest =
      others.isEmpty
      ? nil : localizer.text("chart.not-taken", ["list": .text(localizer.list(others))])
    return "<p>\(taken)\(rest.map { " \($0)" as Markup })</p>"
  }

  // MARK: The plan

  var plans: Markup {
    guard access.right.shares(.medicines) else { return section("plan", hidden) }
    let running = model.plans.filter { $0.unplanned?.standsOnToday ?? true }
    let ended = model.plans.filter { !($0.unplanned?.standsOnToday ?? true) }
    let content: Markup =
      running.isEmpty
      ? "<p class=\"muted\">\(text("no-plans"))</p>"
      : "<div class=\"grid\">\(running.map(card))</div>"
    let past =
      ended.isEmpty
      ? nil
      : Disclosure(
        localizer.text("care-team.ended", ["count": .number(ended.count)]),
        """
        <ul class="stack-small" role="list">\(each: ended, {
          "<li><strong>\($0.medicineName)</strong><br>\(MedicineEnding($0).text(clock))</li>"
        })</ul>
        """)
    return section("plan", "<div class=\"stack\">\(content)\(past)</div>")
  }

  private func card(_ plan: Plan) -> Card {
    let sentence = DosageFormatter(plan.request, language: localizer.language)
    return Card(
      title: plan.medicineName, level: .third,
      """
      <p>\(sentence.sentence)</p>\(SenderText(words: sentence, localizer: localizer))\
      \(if: plan.status == "on-hold", "<p>\(held(plan))</p>")\
      \(missedDoseAdvice(plan))<p class="muted">\(author(plan))</p>\(planCounts(plan))\(buttons(plan))
      """)
  }

  /// The plan's own rule for a missed dose; its prescriber can change it in the form.
  private func missedDoseAdvice(_ plan: Plan) -> Markup {
    guard let rule = MissedDoseAdvice(plan.request) else { return Markup() }
    let said = MissedDoseAdviceText(words: words).text(rule)
    return "<p>\(localizer.text("missed-dose-advice.form.title")): \(said)</p>"
  }

  private func held(_ plan: Plan) -> String {
    let ending = MedicineEnding(plan)
    let date = ending.date.map { clock.text(clock.day(of: $0), .medium) } ?? "none"
    return localizer.text(
      "medicines.paused",
      ["date": .text(date), "reason": .text(ending.reason ?? "none")])
  }

  private func author(_ plan: Plan) -> String {
    guard let prescriber = Prescriber(plan.request) else {
      return plan.request.json["requester"]?["display"]?.string.map {
        localizer.text("care-team.author", ["who": "other", "name": .text($0)])
      } ?? localizer.text("care-team.author", ["who": "nobody", "name": ""])
    }
    return localizer.text(
      "care-team.author",
      [
        "who": .text(prescriber.account == page.account ? "you" : "other"),
        "name": .text(prescriber.name),
      ])
  }

  private func planCounts(_ plan: Plan) -> Markup {
    guard let statistics = model.adherence, let week = statistics.week[plan.id], !week.isEmpty
    else {
      return Markup()
    }
    return counts(week, days: 7)
  }

  private func buttons(_ plan: Plan) -> Markup {
    guard access.mayPrescribe else { return Markup() }
    let isOwn = Prescriber(plan.request)?.account == page.account
    let path = "/plans/\(plan.id)"
    let change =
      isOwn && plan.status == "active"
      ? LinkButton(
        text("change"), address: access.deskAddress("/prescribe/details", [("plan", plan.id.text)]),
        icon: .pencil, object: plan.medicineName) : nil
    let resume =
      plan.status == "on-hold" && !plan.isPausedHere
      ? FormButton(
        text("go-on"), action: access.deskAddress("\(path)/resume"), token: call.accountToken,
        kind: .secondary, icon: .check, object: plan.medicineName) : nil
    let end = LinkButton(
      text("end-plan"), address: access.deskAddress("\(path)/end"), icon: .stop,
      object: plan.medicineName)
    return ButtonRow("\(change)\(resume)\(end)").markup
  }

  // MARK: Open items

  var waiting: Markup {
    guard !model.waiting.isEmpty || !model.declined.isEmpty else { return Markup() }
    let open = model.waiting.map { proposal in
      Card(
        title: proposal.shownName(in: localizer.language), level: .third,
        """
        <p>\(DosageFormatter(proposal.request, language: localizer.language).sentence)</p>\
        <p class="muted">\(localizer.text(
          "care-team.sent", ["when": .text(clock.text(proposal.created))]))</p>\
        \(if: access.mayPrescribe, FormButton(
          text("withdraw"), action: access.deskAddress("/proposals/\(proposal.id)/withdraw"),
          token: call.accountToken, kind: .quiet, icon: .crossInCircle,
          object: proposal.shownName(in: localizer.language)).markup)
        """)
    }
    let declined = model.declined.map { proposal -> Markup in
      """
      <li>\(localizer.text(
        "care-team.declined",
        [
          "name": .text(proposal.shownName(in: localizer.language)),
          "when": .text(clock.text(proposal.created)),
        ]))</li>
      """
    }
    return section(
      "waiting",
      """
      <div class="stack"><div class="grid">\(open)</div>\
      \(if: !declined.isEmpty, "<ul class=\"stack-small\" role=\"list\">\(declined)</ul>")</div>
      """)
  }

  // MARK: Deliveries and warnings

  var deliveries: Markup {
    guard let health = model.deliveries else { return Markup() }
    let silent = model.silentSince.map { since in
      Notice(.warning, title: localizer.text("health.silent", ["time": .text(words.moment(since))]))
    }
    return section(
      "deliveries",
      """
      \(silent)<p>\(localizer.text(
        "care-team.deliveries",
        [
          "planned": .number(health.planned), "handed": .number(health.handedOver),
          "shown": .number(health.shown), "failed": .number(health.failed),
        ]))</p>
      """)
  }

  var warnings: Markup {
    guard let warnings = model.warnings?.filter({ $0.kind == .heart }), !warnings.isEmpty else {
      return Markup()
    }
    let text = WarningText(localizer: localizer)
    // Answers reveal intakes, which are shared separately.
    let showsAnswer = access.right.shares(.adherence)
    let lines = warnings.prefix(14).map { warning -> Markup in
      """
      <li><strong>\(clock.text(warning.day, .short))</strong><br>\(text.seen(warning))\
      \(text.probability(warning).map { " \($0)" as Markup })\
      \(if: showsAnswer, " \(text.answer(warning))")</li>
      """
    }
    return section("warnings", "<ul class=\"people-list\" role=\"list\">\(lines)</ul>")
  }

  // MARK: Contact, notes, end of care

  var contact: Markup {
    guard let details = model.details, !details.phone.isEmpty || !details.email.isEmpty else {
      return Markup()
    }
    var items: [DescriptionList.Item] = []
    if !details.phone.isEmpty {
      items.append(
        .init(localizer.text("details.form.phone"), markup: PhoneLink(details.phone).markup))
    }
    if !details.email.isEmpty {
      items.append(.init(localizer.text("details.form.email"), details.email))
    }
    return section("contact", DescriptionList(items).markup)
  }

  var notes: Markup {
    let lines = model.notes.map { note -> Markup in
      """
      <li class="stack-small"><p class="muted">\(clock.text(note.created))</p>\
      \(each: note.text.split(whereSeparator: \.isNewline), { "<p>\(String($0))</p>" })\
      \(FormButton(
        text("note-remove"), action: access.deskAddress("/notes/\(note.id)/remove"),
        token: call.accountToken, kind: .quiet, object: clock.text(note.created)))</li>
      """
    }
    let problem = page.mistake?.message(localizer)
    return section(
      "notes",
      """
      <div class="stack"><p>\(text("notes-visible"))</p>\
      \(if: !lines.isEmpty, "<ul class=\"people-list\" role=\"list\">\(lines)</ul>")\
      \(Form(
        action: access.deskAddress("/notes"), token: call.accountToken,
        fields: FormField(
          "note", label: text("note"), kind: .lines(3), value: page.typed, error: problem,
          maximumLength: CareNotes.longest, localizer: localizer).markup,
        buttons: Button(text("note-add"), kind: .secondary, icon: .plus).markup))</div>
      """)
  }

  var leaving: Markup {
    ButtonRow(
      LinkButton(
        localizer.text("care-team.leave.link"), address: "\(access.address)/leave", kind: .quiet,
        icon: .crossInCircle
      ).markup
    ).markup
  }
}

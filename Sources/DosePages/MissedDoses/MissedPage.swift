// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTML
import Hummingbird
import Localization
import People
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The page that asks about the unanswered doses of earlier days, one at a time.
package enum MissedPage {
  static let path = "/missed"

  /// The routes of the page.
  package static let all: [Route] = [
    .page(.get, path, page),
    .form("/missed/unknown", unknown),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "Dose", of: patient)
    guard call.person?.mayAct ?? true else { return call.redirect(to: "/") }
    let (zones, now) = (call.environment.zones, call.now)
    let (zone, summary, dose, advice, shifts) = try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let end = today(zone, now)
      let summary = try MissedDoses.summary(of: patient, dueBefore: end, now: now, in: reader)
      var dose: Dose?
      if let summary,
        let first = try MissedDoses.first(
          of: patient, dueBefore: end, now: now, in: reader)
      {
        let listing = try DoseQueries.listing(
          patient: patient, from: summary.first,
          until: summary.first.adding(milliseconds: 1), now: now, zones: zones, in: reader)
        dose = listing.doses.first { $0.id == first }
      }
      let list = call.environment.interactions.list
      let rescheduling = try dose.flatMap { dose in
        try ReschedulingReading.rescheduling(
          of: dose, list: list, now: now, zones: zones, in: reader)
      }
      let advice = try dose.map { dose in
        let words = DoseFormatter(localizer: call.localizer, zone: zone, now: now)
        return MissedDoseAdvicePart(
          advice: rescheduling?.advice ?? .ask,
          contacts: try DoseSurroundings.contacts(of: patient, call, in: reader),
          words: words, mayAct: call.formToken.mayAct,
          clash: rescheduling?.clash.map(ReschedulingText(words: words, list: list).text))
      }
      let shifts = try ReschedulingCards.open(of: patient, call, in: reader)
      return (zone, summary, dose, advice, shifts)
    }
    try await call.environment.audit(authorization, count: dose == nil ? 0 : 1, at: now)
    var frame = call.frame()
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: now)
    frame.title = call.localizer.text("missed.title")
    frame.place = .today
    frame.back = .init(call.localizer.text("today.title"), address: "/")
    let content: Markup
    if let summary, let dose {
      content = """
        <div class="stack-large" data-answers="\(dose.id.text)">\
        \(question(dose, summary, words, call, advice))</div>
        """
    } else {
      content =
        EmptyState(
          icon: .check, text: call.localizer.text("missed.none"),
          action: LinkButton(
            call.localizer.text("today.title"), address: "/", kind: .primary, icon: .sun
          ).markup
        ).markup
    }
    let cards = ReschedulingCards(
      proposals: shifts, words: words, list: call.environment.interactions.list,
      token: call.formToken, returnPath: path)
    return call.page(frame, "<div class=\"narrow stack-large\">\(cards)\(content)</div>")
  }

  /// Returns one dose with its three possible outcomes; "taken" also accepts another time.
  private static func question(
    _ dose: Dose, _ summary: MissedDoses.Summary, _ words: DoseFormatter, _ call: Call,
    _ advice: MissedDoseAdvicePart?
  ) -> Markup {
    let localizer = words.localizer
    let token = call.formToken
    let local = words.local(dose.due)
    let event = call.environment.newIdentifier()
    let name = dose.medicineName
    let taken = Form(
      action: "/doses/\(dose.id.text)/answers", token: token,
      fields: """
        <input type="hidden" name="event" value="\(event)">\
        <input type="hidden" name="return" value="\(path)">\
        <input type="hidden" name="zone" value="\(words.zone.identifier)">\
        <div class="field-row">\
        \(FormField(
          "at-date", label: localizer.text("missed.date"), kind: .date(), value: local.date.text,
          localizer: localizer))\
        \(FormField(
          "at-time", label: localizer.text("missed.time"), kind: .time,
          value: String(local.time.text.prefix(5)), localizer: localizer))</div>
        """,
      buttons: Button(
        localizer.text("missed.taken"), icon: .check, object: name, name: "action",
        value: "taken", person: token.personName
      ).markup)
    let others = ButtonRow(
      """
      \(FormButton(
        localizer.text("missed.not-taken"), action: "/doses/\(dose.id.text)/answers", token: token,
        fields: [("action", "skipped"), ("event", call.environment.newIdentifier()), ("return", path)],
        kind: .secondary, icon: .barInCircle, object: name))\
      \(FormButton(
        localizer.text("missed.unknown"), action: "/missed/unknown", token: token,
        fields: [("dose", dose.id.text)], kind: .secondary, object: name))
      """)
    return """
      <p>\(localizer.text("missed.help"))</p>\
      \(Card(title: name, """
        <p class="alarm-time">\(words.moment(dose.due))</p>\
        \(dose.amount.map { "<p>\(words.amount($0))</p>" as Markup })\
        \(taken)\(others)
        """))\(advice)\
      <p class="link-alone"><a href="/doses/\(dose.id.text)#\(ReschedulingPart.anchor)">\(localizer.text("rescheduling.title"))</a></p>\
      <p class="muted">\(localizer.text("missed.left", ["count": .number(summary.count)]))</p>\
      \(if: summary.count > 1, FormButton(
        localizer.text("missed.unknown-all"), action: "/missed/unknown", token: token,
        fields: [("dose", "all")], kind: .quiet).markup)
      """
  }

  private static func unknown(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, "MedicationAdministration")
    let typed = form.text("dose") ?? ""
    let dose = DoseID(text: typed)
    guard dose != nil || typed == "all" else {
      throw Failure.badRequest("value", "dose must name a dose, or all.")
    }
    let (patient, account) = (form.patient, form.signedIn.account.id)
    try await form.run { context, writer in
      let now = context.now
      let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
      try MissedDoses.noteUnknown(
        dose, of: patient, by: account, dueBefore: today(zone, now), now: now, in: writer)
    }
    return form.redirect(to: path)
  }

  /// Returns the start of the person's day: today's doses are on Today itself.
  static func today(_ zone: Zone, _ now: Timestamp) -> Timestamp {
    let date = zone.date(at: Instant(milliseconds: now.milliseconds))
    return Timestamp(milliseconds: zone.startOfDay(date).milliseconds)
  }
}

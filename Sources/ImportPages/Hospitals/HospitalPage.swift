// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Exchange
import FHIR
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Prescriptions
import Presentation
import SiteMap
import Storage
import Web

/// The page of one connection: its state, what is imported, and what has reached the hospital.
package struct HospitalPage: Sendable {
  let connection: HospitalConnection
  let lines: [HospitalOutbox.Line]
  let counts: [HospitalOutbox.State: Int]
  let waiting: Int
  let comparison: HospitalComparison
  /// The medicines about which the person is asked because the hospital no longer has them.
  let gone: [Proposal]
  let words: DoseFormatter
  /// The failure of the last action.
  let trouble: String?

  private static let shownLines = 30

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try HospitalRoutes.patient(call, signedIn)
    let authorization = try call.authorize(.read, "MedicationAdministration", of: patient)
    let connection = try await HospitalRoutes.connection(call, of: patient)
    let environment = call.environment
    let (localizer, now) = (call.localizer, call.now)
    let trouble = call.queryValue("trouble").flatMap { $0.utf8.count <= 20 ? $0 : nil }
    let page = try await environment.database.read { reader in
      let (lines, counts) = try HospitalOutbox.lines(
        connection.id, patient: patient, limit: shownLines, in: reader)
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let waiting = try ProposalQueries.open(patient: patient, in: reader)
        .filter { $0.source == connection.base.text }
      let comparison = try HospitalComparisonStore.load(
        connection.id, patient: patient, in: reader)
      return HospitalPage(
        connection: connection, lines: lines, counts: counts, waiting: waiting.count,
        comparison: comparison, gone: waiting.filter(\.isGone),
        words: DoseFormatter(localizer: localizer, zone: zone, now: now), trouble: trouble)
    }
    try await environment.audit(authorization, count: page.lines.count, at: now)
    return page.response(call)
  }

  private var localizer: Localizer { words.localizer }
  private var path: String { HospitalRoutes.address(connection.id) }

  private func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = connection.label
    frame.place = .me
    frame.back = .init(localizer.text("hospitals.title"), address: Address.hospitals)
    frame.hasErrors = trouble != nil
    if let done = call.queryValue("done"), ["fetch", "saved"].contains(done) {
      frame.flash = FlashBar(localizer.text("hospitals.done", ["done": .text(done)]))
    }
    var response = call.page(
      frame,
      """
      <div class="narrow stack-large">\(trouble.map(troubleNotice))\(standing(call))\
      \(if: connection.person != nil, "\(taking(call))\(writing(call))")\(ending(call))</div>
      """)
    let isLoading =
      connection.state == .working && connection.trouble == nil && connection.synced == nil
    // Without a script, the page reloads while the first fetch runs.
    if isLoading { response.headers[.refresh] = "3" }
    return response
  }

  private func troubleNotice(_ code: String) -> Markup {
    Notice(.error, title: HospitalText(words).trouble(code)).markup
  }

  // MARK: State

  private func standing(_ call: Call) -> Markup {
    let isWell = connection.trouble == nil && connection.state == .working
    let kind: Notice.Kind =
      isWell ? .information : connection.state == .choosing ? .information : .warning
    let good = connection.trouble == nil ? nil : connection.synced
    var facts: [DescriptionList.Item] = [
      .init(localizer.text("hospitals.address"), connection.base.text),
      .init(localizer.text("hospitals.version"), "FHIR \(connection.version.rawValue)"),
    ]
    if let person = connection.person {
      let told = [person.name, person.birthDate].compactMap(\.self).joined(separator: ", ")
      facts.append(.init(localizer.text("hospitals.person-there"), told))
    }
    if let compared = comparison.compared {
      facts.append(.init(localizer.text("hospitals.compared"), words.moment(compared)))
    }
    let lastGood: Markup? = good.map { time in
      let moment = words.moment(time)
      return "<p>\(localizer.text("hospitals.last-good", ["time": .text(moment)]))</p>"
    }
    return """
      <section class="section stack">\
      \(Notice(
        kind, title: HospitalText(words).standing(connection), "\(lastGood)"
      ))\(next(call))\(missing(call))\(goneNotice)\(DescriptionList(facts))</section>
      """
  }

  /// The medicines that the hospital no longer has and that wait for a decision on Today.
  private var goneNotice: Markup? {
    if gone.isEmpty { return nil }
    let names = gone.map { $0.shownName(in: localizer.language) }
    return Notice(
      .warning, title: localizer.text("hospitals.gone", ["count": .number(gone.count)]),
      "<p>\(localizer.list(names))</p><p>\(localizer.text("hospitals.gone-help"))</p>"
    ).markup
  }

  /// The question if suspiciously many prescriptions are really gone.
  private func missing(_ call: Call) -> Markup? {
    guard comparison.missing > 0 else { return nil }
    let title = localizer.text(
      "hospitals.missing", ["count": .number(comparison.missing)])
    return Notice(
      .warning, title: title,
      """
      <p>\(localizer.text("hospitals.missing-help"))</p>\
      \(ButtonRow(button("missing", "hospitals.missing-confirm", call).markup))
      """
    ).markup
  }

  /// Returns the next step that someone can take.
  private func next(_ call: Call) -> Markup {
    let signIn = LinkButton(
      localizer.text("hospitals.sign-in"), address: "\(path)/sign-in", kind: .primary, icon: .lock)
    switch connection.state {
    case .choosing:
      return ButtonRow(
        connection.access == .smart
          ? signIn.markup
          : LinkButton(
            localizer.text("hospitals.person"), address: "\(path)/person", kind: .primary,
            icon: .person
          ).markup
      ).markup
    case .expired, .revoked:
      switch connection.access {
      case .smart: return ButtonRow(signIn.markup).markup
      case .token: return tokenForm(call)
      case .open: return ButtonRow(button("fetch", "hospitals.fetch", call).markup).markup
      }
    case .refused:
      return """
        <p>\(localizer.text("hospitals.accept-help"))</p>\
        \(ButtonRow(button("accept", "hospitals.accept", call).markup))
        """
    case .working:
      return ButtonRow(
        """
        \(button("fetch", "hospitals.fetch", call))\
        \(if: waiting > 0, LinkButton(
          localizer.text("hospitals.proposals", ["count": .number(waiting)]), address: "/#proposals",
          kind: .primary, icon: .pill).markup)
        """
      ).markup
    }
  }

  private func tokenForm(_ call: Call) -> Markup {
    let field = FormField(
      "token", label: localizer.text("hospitals.token"), kind: .password,
      hint: localizer.text("hospitals.token-hint"), autocomplete: "off", maximumLength: 8_000,
      localizer: localizer)
    return Form(
      action: path, token: call.formToken, fields: field.markup,
      buttons: Button(
        localizer.text("hospitals.token-save"), name: "do", value: "token",
        person: call.formToken.personName
      ).markup
    ).markup
  }

  private func button(
    _ action: String, _ key: MessageKey, _ call: Call, kind: ButtonKind = .secondary
  ) -> FormButton {
    FormButton(
      localizer.text(key), action: path, token: call.formToken, fields: [("do", action)],
      kind: kind)
  }

  // MARK: Imports and answers

  private func taking(_ call: Call) -> Markup {
    let choices = HospitalConnection.Rule.allCases.map {
      FieldChoice(
        $0.rawValue, localizer.text("hospitals.rule-choice", ["rule": .text($0.rawValue)]))
    }
    let field = FormField(
      "rule", label: localizer.text("hospitals.rule"), kind: .radios(choices),
      value: connection.rule.rawValue, hint: localizer.text("hospitals.rule-hint"),
      localizer: localizer)
    return Section(
      localizer.text("hospitals.taking"), id: "taking",
      Form(
        action: path, token: call.formToken, fields: field.markup,
        buttons: Button(
          localizer.text("hospitals.save"), kind: .secondary, name: "do", value: "rule",
          person: call.formToken.personName
        ).markup
      ).markup
    ).markup
  }

  private func writing(_ call: Call) -> Markup {
    let field = FormField(
      "writes", label: localizer.text("hospitals.writing-label"),
      kind: .checkboxes([
        FieldChoice(
          "yes", localizer.text("hospitals.writes"), hint: localizer.text("hospitals.writes-hint"))
      ]), values: connection.writesSince == nil ? [] : ["yes"], isRequired: false,
      localizer: localizer)
    let refused = counts[.refused] ?? 0
    return Section(
      localizer.text("hospitals.writing"), id: "writing",
      """
      \(Form(
        action: path, token: call.formToken, fields: field.markup,
        buttons: Button(
          localizer.text("hospitals.save"), kind: .secondary,
          object: localizer.text("hospitals.writing-label"), name: "do", value: "writing",
          person: call.formToken.personName
        ).markup))\(sent)\
      \(if: refused > 0, ButtonRow(button("again", "hospitals.again", call).markup).markup)
      """
    ).markup
  }

  private var sent: Markup? {
    guard connection.writesSince != nil || !lines.isEmpty else { return nil }
    let counted = localizer.text(
      "hospitals.counts",
      [
        "reached": .number(counts[.reached] ?? 0), "waiting": .number(counts[.waiting] ?? 0),
        "refused": .number(counts[.refused] ?? 0),
      ])
    return """
      <p>\(counted)</p><ul class="stack" role="list">\(each: lines, line)</ul>
      """
  }

  private func line(_ line: HospitalOutbox.Line) -> Markup {
    let time = FHIRDateTime(line.effective)?.epochMilliseconds
      .map { words.moment(Timestamp(milliseconds: $0)) }
    let what = localizer.text("hospitals.answer", ["status": .text(line.status)])
    let state: String =
      switch line.state {
      case .reached:
        localizer.text(
          "hospitals.reached", ["time": .text(line.reached.map(words.moment) ?? "")])
      case .waiting, .apart:
        localizer.text("hospitals.waiting", ["tries": .number(line.tries)])
      case .refused: localizer.text("hospitals.refused")
      }
    let reason =
      line.state == .reached ? nil : line.trouble.map { HospitalText(words).trouble($0) }
    return """
      <li><strong>\(line.medicine)</strong>\(time.map { ", \($0)" as Markup }): \(what). \(state)\
      \(reason.map { " \($0)" as Markup })\
      \(line.words.map { "<blockquote>\($0)</blockquote>" as Markup })</li>
      """
  }

  private func ending(_ call: Call) -> Markup {
    Disclosure(
      localizer.text("hospitals.end"),
      """
      <p>\(localizer.text("hospitals.end-about"))</p>\
      \(ButtonRow(button("remove", "hospitals.end-now", call, kind: .danger).markup))
      """
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import Reminders
import Scheduling
import SiteMap
import Storage
import Studies
import Web

/// One study: its purpose, what it changes, what is shared now and what left the server, and the way out.
struct StudyDetailPage: Sendable {
  let definition: StudyDefinition
  let participation: StudyParticipant?
  let exports: [StudyExportNote]
  let zone: Zone

  private var address: String { "\(Address.studies)/\(definition.id)" }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: zone, now: call.now)
    var frame = call.frame()
    frame.title = definition.title.text(in: localizer.language)
    frame.place = .me
    frame.back = .init(localizer.text("studies.title"), address: Address.studies)
    if let done = call.queryValue("done"), ["joined", "withdrawn"].contains(done) {
      frame.flash = FlashBar(localizer.text("studies.done", ["done": .text(done)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(about(localizer))\(own(words, call))\
      \(shared(localizer))\(left(words))\(leaving(call))</div>
      """)
  }

  private func about(_ localizer: Localizer) -> Markup {
    let paragraphs = definition.about.paragraphs(in: localizer.language)
    let asked = Set(definition.questionnaires.flatMap(\.days)).count
    return """
      <div class="stack">\(each: paragraphs, { "<p>\($0)</p>" })\
      <p>\(localizer.text("studies.days", ["days": .number(definition.days)]))</p>\
      \(if: asked > 0, "<p>\(localizer.text("studies.asks", ["days": .number(asked)]))</p>")\
      <p>\(localizer.text("studies.contact", ["contact": .text(definition.contact)]))</p></div>
      """
  }

  /// Returns what the person's participation means, or the way to join.
  private func own(_ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = words.localizer
    guard let participation else {
      let isOwn = call.person?.isOwn ?? true
      let note = Notice(.information, title: localizer.text("studies.only-oneself")).markup
      let button = LinkButton(
        localizer.text("studies.join"), address: "\(address)/join", kind: .primary, icon: .pencil
      ).markup
      return isOwn ? ButtonRow(button).markup : note
    }
    let arm = definition.arm(participation.arm)
    let title = arm?.title.text(in: localizer.language) ?? ""
    let since = localizer.text(
      "studies.since", ["time": .text(words.dated(participation.joined))])
    let withdrawn = participation.withdrawn.map { time in
      localizer.text("studies.withdrawn", ["time": .text(words.dated(time))])
    }
    return Section(
      localizer.text("studies.own"),
      """
      <div class="stack"><p>\(since)</p>\(withdrawn.map { "<p>\($0)</p>" as Markup })\
      \(if: participation.withdrawn == nil, changes(title, arm?.changes, localizer))\
      \(ButtonRow(LinkButton(
        localizer.text("studies.copy"), address: "\(address)/consent.pdf", icon: .download
      ).markup))</div>
      """
    ).markup
  }

  private func changes(
    _ title: String, _ changes: StudyArmChanges?, _ localizer: Localizer
  ) -> Markup {
    var lines: [String] = []
    if let changes {
      lines += changes.moreReminders.map {
        localizer.text("studies.change.reminder", ["minutes": .number($0)])
      }
      lines += changes.channels.map { step in
        localizer.text(
          "studies.change.channel",
          ["channel": .text(step.channel.rawValue), "minutes": .number(step.minutes)])
      }
      if let minutes = changes.family {
        lines.append(localizer.text("studies.change.family", ["minutes": .number(minutes)]))
      }
      if let minutes = changes.earlyNotice {
        lines.append(localizer.text("studies.change.notice", ["minutes": .number(minutes)]))
      }
      if changes.asksHeartRate { lines.append(localizer.text("studies.change.heart-rate")) }
    }
    if lines.isEmpty { lines.append(localizer.text("studies.change.nothing")) }
    return """
      <p>\(localizer.text("studies.group", ["group": .text(title)]))</p>\
      <ul>\(each: lines, { "<li>\($0)</li>" })</ul>
      """
  }

  /// Returns the table of what is shared; after a withdrawal, of what was.
  private func shared(_ localizer: Localizer) -> Markup {
    let title = localizer.text("studies.shared")
    let shares = StudyShare.allCases.filter(definition.shares.contains)
    let state =
      participation == nil
      ? "would"
      : participation?.isErased == true
        ? "deleted" : participation?.withdrawn != nil ? "until" : "now"
    let cell = localizer.text("studies.shared.state", ["state": .text(state)])
    return Section(
      title,
      """
      <div class="stack"><div class="table-scroll" role="region" aria-label="\(title)" \
      tabindex="0"><table class="table"><caption class="visually-hidden">\(title)</caption>\
      <thead><tr><th scope="col">\(localizer.text("studies.shared.data"))</th>\
      <th scope="col">\(localizer.text("studies.shared.when"))</th></tr></thead><tbody>\
      \(each: shares, { share in
        """
        <tr><th scope="row">\(localizer.text(
          "studies.share", ["share": .text(share.rawValue)]))</th><td>\(cell)</td></tr>
        """
      })</tbody></table></div>\
      <p>\(localizer.text("studies.shared.never"))</p></div>
      """
    ).markup
  }

  /// Returns the exports that included the person's data.
  private func left(_ words: DoseFormatter) -> Markup {
    guard participation != nil else { return Markup() }
    let localizer = words.localizer
    let rows = exports.map { export in
      localizer.text(
        "studies.export",
        [
          "time": .text(words.dated(export.made)),
          "name": .text(
            export.byName.isEmpty ? localizer.text("studies.operator") : export.byName),
        ])
    }
    return Section(
      localizer.text("studies.exports"),
      """
      \(if: rows.isEmpty, "<p>\(localizer.text("studies.exports.none"))</p>")\
      \(if: !rows.isEmpty, "<ul>\(each: rows, { "<li>\($0)</li>" })</ul>")
      """
    ).markup
  }

  private func leaving(_ call: Call) -> Markup {
    let localizer = call.localizer
    guard let participation, !participation.isErased else { return Markup() }
    let choices = ["keep", "delete"].map { choice in
      FieldChoice(choice, localizer.text("studies.leave.data", ["choice": .text(choice)]))
    }
    let paragraphs = definition.consent.withdrawal.paragraphs(in: localizer.language)
    return Section(
      localizer.text("studies.leave"), id: "leave",
      """
      <div class="stack">\(each: paragraphs, { "<p>\($0)</p>" })\
      <p>\(localizer.text("studies.leave.help"))</p>\
      \(Form(
        action: "\(address)/withdraw", token: call.formToken,
        fields: FormField(
          "data", label: localizer.text("studies.leave.question"), kind: .radios(choices),
          value: "keep", localizer: localizer
        ).markup,
        buttons: Button(
          localizer.text("studies.leave.button"), kind: .danger,
          person: call.formToken.personName
        ).markup))</div>
      """
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Prescriptions
import Presentation
import SiteMap
import Web

/// The page of proposed times: current and proposed times, reasons, moved doses, and what to apply.
struct SimplificationPage: Sendable {
  /// The owner of the medicines.
  enum Subject: Sendable {
    /// The viewer, or a person in the viewer's care.
    case own
    case patient(PractitionerAccess, asksBirthDate: Bool)
  }

  let subject: Subject
  let basis: IntakeBasis
  let proposal: IntakeProposal
  /// The medicines that were not ticked.
  var left: Set<PlanID> = []
  let list: InteractionList
  let localizer: Localizer
  var trial: SimplificationTrial?
  /// True if this selection has been reviewed and may be applied.
  var isSeen = false
  /// True if something changed after the review.
  var isOutdated = false
  var identity = IdentityInput()
  var problem: CareTeamError?
  var taken: TakenTimes?

  var planned: PlannedIntakes { PlannedIntakes(basis, proposal) }

  private var words: SimplificationText {
    SimplificationText(proposal: proposal, list: list, localizer: localizer)
  }

  private func text(_ name: String, _ arguments: MessageArguments = [:]) -> String {
    words.text(name, arguments)
  }

  private var address: String {
    switch subject {
    case .own: Address.simplification
    case .patient(let access, _): "\(access.address)/simplify"
    }
  }

  private var back: String {
    switch subject {
    case .own: "/medicines"
    case .patient(let access, _): access.address
    }
  }

  func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    var frame: PageFrame
    switch subject {
    case .own:
      frame = call.frame()
      frame.title = text("title")
      frame.lead = text("lead")
      frame.place = .medicines
      frame.back = .init(localizer.text("medicines.back-to-list"), address: back)
    case .patient(let access, _):
      frame = call.careFrame(signedIn)
      frame.title = text("title-of", ["name": .text(access.name)])
      frame.lead = text("lead-care")
      frame.back = .init(access.name, address: back)
    }
    frame.hasErrors = problem != nil
    frame.flash = taken.map { taken in
      let times = taken.medicines.map {
        text("was-of", ["name": .text($0.name), "times": .text(words.times($0.minutes))])
      }
      return FlashBar(text("done", ["times": .text(times.joined(separator: "; "))]))
    }
    let status: HTTPResponse.Status =
      problem != nil ? .unprocessableContent : isOutdated ? .conflict : .ok
    return call.page(frame, content(call), status: status)
  }

  private func content(_ call: Call) -> Markup {
    let error = problem?.message(localizer)
    let summary = error.map { [FieldError(field: IdentityInput.nameField, message: $0)] } ?? []
    return """
      <div class="stack-large">\(ErrorSummary(summary, localizer: localizer))\
      \(if: isOutdated, Notice(.warning, title: text("outdated")).markup)\
      \(Notice(.information, title: text("caution"), "<p>\(text("caution-more"))</p>"))\
      \(findings)\(sides)\(trial.map { SimplificationTrialPart(trial: $0, words: words) })\(form(call, error))\(reasons)\(rest)</div>
      """
  }

  // MARK: Rules not kept now

  private var findings: Markup {
    "\(each: proposal.findings, finding)"
  }

  private func finding(_ finding: IntakeFinding) -> Markup {
    let outcome: Markup
    if finding.isMended {
      outcome = "<p><strong>\(text("mended"))</strong></p>"
    } else {
      outcome = """
        <p>\(text("clash"))</p><p>\(finding.clash.map(words.markup))</p><p>\(text("clash-ask"))</p>
        """
    }
    return Notice(
      .warning, title: words.title(finding), "<p>\(words.markup(finding.rule))</p>\(outcome)"
    ).markup
  }

  // MARK: Current and proposed times

  private var sides: Markup {
    let (before, after) = (proposal.timesBefore, proposal.timesAfter)
    if before.isEmpty { return "<p>\(text("none"))</p>" }
    let outcome =
      proposal.changes.isEmpty
      ? "nothing"
      : after.count < before.count ? "fewer" : after.count > before.count ? "more" : "same"
    let summary = text(
      "summary",
      [
        "outcome": .text(outcome), "before": .text(words.count(before)),
        "after": .text(words.count(after)),
      ])
    let now = before.map { minute in
      DescriptionList.Item(words.time(minute), localizer.list(proposal.namesBefore(at: minute)))
    }
    var cards = [Card(title: text("now"), DescriptionList(now).markup)]
    if !proposal.changes.isEmpty {
      let then = entries.map { minute, entries in
        DescriptionList.Item(
          words.time(minute),
          markup: """
            \(each: entries.enumerated().map { $0 }, { index, entry in
              "\(if: index > 0, "<br>")\(line(entry))"
            })
            """)
      }
      cards.append(Card(title: text("proposed"), DescriptionList(then).markup))
    }
    return """
      <section class="stack"><p class="number"><strong>\(summary)</strong></p>\
      \(if: !proposal.isExhaustive, "<p class=\"muted\">\(text("bounded"))</p>")\
      <div class="grid">\(cards)</div></section>
      """
  }

  private func line(_ entry: IntakeEntry) -> Markup {
    guard entry.isMoved else { return Markup(text: entry.name) }
    let moved = text(
      "moved", ["name": .text(entry.name), "time": .text(words.time(entry.from))])
    return "<strong>\(moved)</strong>"
  }

  /// The medicines at each proposed time.
  private var entries: [(minute: Int, entries: [IntakeEntry])] {
    Dictionary(grouping: proposal.entries, by: \.to).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  // MARK: Reasons

  private var reasons: Markup {
    let parts = entries.map { minute, entries -> Markup in
      """
      <h3>\(words.time(minute))</h3>\(DescriptionList(entries.map { entry in
        DescriptionList.Item(
          entry.name,
          markup: """
            <ul class="stack-small" role="list">\(each: entry.rules, { "<li>\(words.markup($0))</li>" })</ul>
            """)
      }))
      """
    }
    if parts.isEmpty { return Markup() }
    return Disclosure(text("why"), "\(parts)").markup
  }

  // MARK: The form

  private func form(_ call: Call, _ error: String?) -> Markup {
    let medicines = proposal.after.medicines.filter {
      $0.kept == nil && !$0.intakes.isEmpty || $0.kept == .left
    }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    // If all may be moved and nothing is gained, there is nothing to choose.
    let mayGain = !proposal.changes.isEmpty || medicines.contains { $0.kept == .left }
    if !mayGain { return Markup() }
    let changes = Dictionary(
      proposal.changes.map { ($0.medicine, $0) }, uniquingKeysWith: { first, _ in first })
    let choices = medicines.map { medicine in
      let hint =
        changes[medicine.id].map {
          text("change", ["from": .text(words.times($0.from)), "to": .text(words.times($0.to))])
        } ?? text("stays", ["times": .text(words.times(medicine.minutes))])
      return FieldChoice(medicine.id.text, medicine.name, hint: hint)
    }
    let token: FormToken
    var asks: IdentityFields?
    switch subject {
    case .own: token = call.formToken
    case .patient(_, let asksBirthDate):
      token = call.accountToken
      if isSeen {
        asks = IdentityFields(
          input: identity, asksBirthDate: asksBirthDate, problem: error, localizer: localizer)
      }
    }
    return Form(
      action: address, token: token,
      fields: """
        \(FormField(
          SimplificationRoutes.takeField, label: text("take"), kind: .checkboxes(choices),
          values: medicines.filter { $0.kept == nil }.map(\.id.text), hint: text("take-hint"),
          isRequired: true, localizer: localizer))\
        \(if: isSeen, """
          <input type="hidden" name="\(SimplificationRoutes.seenField)" \
          value="\(basis.digest(of: proposal))">
          """)\(asks)
        """, buttons: buttons(call)
    ).markup
  }

  private func buttons(_ call: Call) -> Markup {
    let show = Button(
      text(isSeen ? "show-again" : "show"), kind: isSeen ? .secondary : .primary,
      icon: .calendar, name: "show", value: "yes")
    var accept: Button?
    if isSeen, !proposal.changes.isEmpty {
      switch subject {
      case .own:
        accept = Button(
          text("take-over"), icon: .check, name: "accept", value: "yes",
          person: call.formToken.personName)
      case .patient(let access, _):
        accept = Button(
          text("send", ["name": .text(access.name)]), icon: .check, name: "accept", value: "yes")
      }
    }
    return """
      \(accept)\(show)\(LinkButton(text("keep"), address: back, kind: .quiet))
      """
  }

  // MARK: Details

  private var rest: Markup {
    let kept = proposal.kept.map { medicine, why in
      DescriptionList.Item(
        medicine.name,
        markup: """
          \(words.kept(why))\(if: !medicine.intakes.isEmpty, """
            <br><span class="muted">\(words.times(medicine.minutes))</span>
            """)
          """)
    }
    let apart = proposal.unforeseen
    var gaps: [String] = []
    if !basis.unlisted.isEmpty {
      gaps.append(
        localizer.text(
          "interactions.unlisted",
          ["names": .text(basis.unlisted.joined(separator: ", "))]))
    }
    gaps.append(localizer.text("interactions.not-complete"))
    return """
      \(if: !apart.isEmpty, Section(text("apart"), """
        <ul class="stack-small" role="list">\(each: apart, { "<li>\(words.markup($0))</li>" })</ul>
        """).markup)\
      \(if: !kept.isEmpty, Section(text("left"), DescriptionList(kept).markup).markup)\
      \(Section(text("rules-title"), """
        <ul class="stack-small" role="list">\(each: ["parts", "gap", "clock"], {
          "<li>\(text("rules", ["which": .text($0)]))</li>"
        })\(each: gaps, { "<li>\($0)</li>" })</ul>
        """))
      """
  }
}

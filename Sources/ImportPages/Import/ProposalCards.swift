// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Knowledge
import Localization
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage
import Web

/// The proposals from elsewhere, at the top of Today: the old and the new sentence, and one button.
struct ProposalCards: PagePart {
  let reading: ProposalReading
  let token: FormToken
  let words: DoseFormatter
  let list: InteractionList

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    if reading.isEmpty { return Markup() }
    return """
      \(Section(
        localizer.text("import.today"), id: "proposals",
        "<div class=\"stack\">\(each: reading.stops, stop)\(each: reading.items, card)</div>"))
      """
  }

  private func card(_ item: ProposalReading.Item) -> Markup {
    let proposal = item.proposal
    let request = proposal.request
    let name = item.shownName(in: localizer.language)
    let words = DosageFormatter(request, language: localizer.language)
    let content: Markup = """
      \(item.isUrgent ? Notice(.warning, title: localizer.text("import.look-first")) : nil)\
      \(from(proposal))\(kind(item))\(sentences(item, words))\(confirmations(item))\
      \(each: words.quotes, { "<blockquote>\($0)</blockquote>" })\(findings(item))\
      \(supply(item))\
      \(ButtonRow("\(accepting(item, name))\(button(item, "decline", .quiet, nil, name))"))\
      \(if: item.isUrgent && !proposal.isPrescribed,
        "<p class=\"small muted\">\(localizer.text("import.decline-stops"))</p>")
      """
    return Card(title: name, level: .third, content).markup
  }

  /// Returns the findings, shown above the button that accepts it.
  private func findings(_ item: ProposalReading.Item) -> Markup? {
    item.check.map {
      MedicineFindings($0, list: list, words: words, confirmed: item.confirmed).markup
    }
  }

  /// The question if the doses end with the supply; nil if there is none.
  private func question(_ item: ProposalReading.Item) -> SupplyQuestion? {
    let today = words.zone.date(at: Instant(milliseconds: words.now.milliseconds))
    return SupplyQuestion.of(item.proposal.request, zone: words.zone, today: today)
  }

  private func supply(_ item: ProposalReading.Item) -> Markup? {
    question(item).map { question in
      Notice(
        .information, title: QuestionText(localizer: localizer).text(.supply(question)),
        "<p>\(localizer.text("questions.supply-waits"))</p>"
      ).markup
    }
  }

  /// Returns the button that accepts it, or one for each answer to the question about its supply.
  private func accepting(_ item: ProposalReading.Item, _ name: String) -> Markup {
    guard let question = question(item) else {
      return button(item, "accept", .primary, .check, name).markup
    }
    let text = QuestionText(localizer: localizer)
    let buttons = SupplyQuestion.Answer.allCases.map { answer in
      FormButton(
        text.text(answer, question), action: "/proposals/\(item.proposal.id)", token: token,
        fields: [
          ("action", "accept"), (SafetyQuestionFields.supplyField, answer.rawValue),
        ], kind: .secondary, icon: .check, object: name
      ).markup
    }
    return "\(buttons)"
  }

  private func confirmations(_ item: ProposalReading.Item) -> Markup {
    let text = QuestionText(localizer: localizer)
    return "\(each: item.confirmations, { "<p class=\"muted\">\(text.text($0, words))</p>" })"
  }

  private func from(_ proposal: Proposal) -> Markup? {
    // A change of times that no one prescribed has no requester.
    let name = proposal.requester ?? (proposal.isPrescribed ? proposal.source : nil)
    return name.map { name in
      "<p class=\"muted\">\(localizer.text("import.from", ["name": .text(name)]))</p>"
    }
  }

  private func kind(_ item: ProposalReading.Item) -> Markup {
    let kind = item.proposal.isGone ? "gone" : item.proposal.kind.rawValue
    return "<p>\(localizer.text("import.kind", ["kind": .text(kind)]))</p>"
  }

  private func sentences(_ item: ProposalReading.Item, _ words: DosageFormatter) -> Markup {
    guard item.proposal.kind == .changed, let before = item.before else {
      return "<p>\(words.sentence)</p>"
    }
    let old = DosageFormatter(before.request, language: localizer.language)
    return DescriptionList([
      .init(localizer.text("import.before"), Self.named(before.medicineName, old.sentence)),
      .init(
        localizer.text("import.after"),
        Self.named(item.proposal.shownName(in: localizer.language), words.sentence)),
    ]).markup
  }

  /// Returns the medicine and its sentence separately.
  private static func named(_ name: String, _ sentence: String) -> String {
    sentence.isEmpty ? name : "\(name): \(sentence)"
  }

  private func button(
    _ item: ProposalReading.Item, _ action: String, _ kind: ButtonKind, _ icon: Icon?,
    _ name: String
  ) -> FormButton {
    FormButton(
      action == "accept"
        ? localizer.text("import.accept", ["kind": .text(item.proposal.kind.rawValue)])
        : localizer.text("import.decline"),
      action: "/proposals/\(item.proposal.id)", token: token, fields: [("action", action)],
      kind: kind, icon: icon, object: name)
  }

  private func stop(_ item: ProposalReading.Item) -> Markup {
    let name = item.before?.medicineName ?? item.proposal.shownName(in: localizer.language)
    let reason = item.proposal.request.statusReasonText
    // Returns who stopped it here; for other systems the source is a file.
    let from =
      item.proposal.isPrescribed
      ? "<p>\(localizer.text("import.from", ["name": .text(item.proposal.source)]))</p>" as Markup
      : nil
    let status = item.proposal.request.status ?? ""
    let button = FormButton(
      localizer.text("import.understood"), action: "/proposals/\(item.proposal.id)",
      token: token, fields: [("action", "seen")], kind: .secondary, icon: .check, object: name)
    return Notice(
      .warning,
      title: localizer.text(
        "import.stopped", ["name": .text(name), "status": .text(status)]),
      "\(from)\(reason.map { "<blockquote>\($0)</blockquote>" as Markup })\(button)"
    ).markup
  }
}

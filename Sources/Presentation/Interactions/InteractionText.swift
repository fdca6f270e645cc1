// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Knowledge
import Localization
import Prescriptions
import SiteMap
import Storage
import Web

/// Puts interaction warnings into words.
package struct InteractionText: Sendable {
  /// The medicines that were checked, with the notes about their warnings.
  package let checked: CheckedMedicines
  /// The list with which they were checked.
  package let list: InteractionList
  /// The formatter of times and durations.
  package let words: DoseFormatter

  /// Creates a text for checked medicines.
  package init(checked: CheckedMedicines, list: InteractionList, words: DoseFormatter) {
    self.checked = checked
    self.list = list
    self.words = words
  }

  private var localizer: Localizer { words.localizer }
  private var handbook: Handbook { .shipped }

  /// Returns one line with the severity and the subject.
  func title(_ warning: InteractionWarning) -> String {
    localizer.text(
      "interactions.title",
      [
        "severity": .text(
          localizer.text(
            "interactions.severity", ["severity": .text(warning.severity.rawValue)])),
        "what": .text(about(warning)),
      ])
  }

  /// Returns the subject of the warning.
  func about(_ warning: InteractionWarning) -> String {
    let names = warning.substances.map(checked.name)
    let isWritten = [.duplicate, .allergy, .group].contains(warning.kind)
    return localizer.text(
      "interactions.about",
      [
        "kind": .text(warning.kind.rawValue), "a": .text(names.first ?? ""),
        "b": .text(names.dropFirst().first ?? ""),
        "subject": .text(
          isWritten
            ? warning.subject
            : handbook.words(
              warning.subject, of: warning.interaction, in: localizer.language)),
      ])
  }

  /// Returns the effects and what to do.
  func effects(_ warning: InteractionWarning) -> [String] {
    var lines: [String] = []
    if let row = warning.interaction {
      lines = handbook.effects(of: row, in: localizer.language)
    }
    if [.duplicate, .allergy, .group].contains(warning.kind) {
      lines.append(
        localizer.text(
          "interactions.do",
          [
            "kind": .text(warning.kind.rawValue),
            "group": .text(
              warning.group.map { handbook.label(of: $0, in: localizer.language) } ?? ""),
          ]))
    }
    return lines
  }

  /// Returns the gap between the two medicines.
  func spacing(_ warning: InteractionWarning) -> [String] {
    guard let row = warning.interaction, warning.kind != .duplicate else { return [] }
    let language = localizer.language
    let names = warning.substances.map(checked.name)
    let (a, b) = (
      names.first ?? handbook.words(row.first, of: row, in: language),
      names.dropFirst().first ?? handbook.words(row.second, of: row, in: language)
    )
    return [("before", row.beforeHours), ("after", row.afterHours)].compactMap { order, hours in
      hours.map {
        localizer.text(
          "interactions.spacing",
          ["order": .text(order), "a": .text(a), "b": .text(b), "time": .text(length($0))])
      }
    }
  }

  private func length(_ hours: Double) -> String {
    let minutes = Int(hours * 60)
    if minutes >= 2_880, minutes % 1_440 == 0 {
      return localizer.text("interactions.days", ["count": .number(minutes / 1_440)])
    }
    return words.duration(minutes: minutes)
  }

  /// Returns the source with its certainty, and the list with its version.
  func source(_ warning: InteractionWarning) -> Markup {
    let citation = warning.interaction?.citation ?? warning.group?.citation
    guard let citation else {
      return Markup(
        text: localizer.text(
          "interactions.own-source", ["kind": .text(warning.kind.rawValue)]))
    }
    let isOwn = warning.interaction?.isOwn ?? false
    let isOpen = warning.interaction?.isToBeConfirmed ?? true
    var parts: [String] = []
    if citation.facts == .named { parts.append(localizer.text("knowledge.not-read")) }
    parts.append(
      localizer.text("interactions.confirmed", ["state": .text(isOpen ? "open" : "done")]))
    parts.append(
      localizer.text(
        "interactions.list",
        [
          "whose": .text(isOwn ? "own" : "shipped"),
          "version": .text(isOwn ? list.own?.version ?? "" : list.version),
        ]))
    // Shown by its host, on its own line: a full address would wrap and be hard to press.
    let link: Markup? = citation.links.first.map { link in
      let host = link.split(separator: "/").prefix(2).joined(separator: "//")
      return """
        <br><a class="source-link" href="\(link)" rel="noreferrer noopener nofollow">\(host)</a>
        """
    }
    return """
      \(localizer.text("interactions.source")) <span lang="en">\(citation.name)</span> · \
      \(parts.joined(separator: " · "))\(link)
      """
  }

  /// Returns the name of the source.
  func sourceName(_ warning: InteractionWarning) -> String {
    (warning.interaction?.citation ?? warning.group?.citation)?.name
      ?? localizer.text("interactions.own-source", ["kind": .text(warning.kind.rawValue)])
  }

  /// Returns the text that says who confirmed the warning before sending, and when.
  func confirmation(_ confirmation: ConfirmedFindings.Confirmation) -> String {
    localizer.text(
      "interactions.confirmed-by",
      [
        "name": .text(confirmation.byName), "when": .text(words.moment(confirmation.at)),
      ])
  }

  /// Returns who marked it as known, and when.
  func note(_ note: InteractionNotes.Note) -> String {
    localizer.text(
      "interactions.known",
      ["name": .text(note.byName), "when": .text(words.moment(note.said))])
  }
}

/// The warnings as cards, the most severe first.
package struct InteractionCards: PagePart {
  /// The warnings to show.
  package let report: InteractionReport
  /// The words for the warnings.
  package let said: InteractionText
  /// The token of the forms that mark a warning as known; nil to leave them out, as before a
  /// medicine is saved.
  package var token: FormToken?
  /// The address to return to.
  var back = Address.interactions
  /// The warnings that a practitioner confirmed.
  var confirmed: [String: ConfirmedFindings.Confirmation] = [:]

  /// Creates the cards.
  ///
  /// - Parameters:
  ///   - back: The address to which the forms return.
  ///   - confirmed: The warnings that a practitioner confirmed, by key.
  package init(
    report: InteractionReport, said: InteractionText, token: FormToken? = nil,
    back: String = Address.interactions, confirmed: [String: ConfirmedFindings.Confirmation] = [:]
  ) {
    self.report = report
    self.said = said
    self.token = token
    self.back = back
    self.confirmed = confirmed
  }

  private var localizer: Localizer { said.words.localizer }

  /// The cards; empty if there are no warnings.
  package var markup: Markup {
    "\(each: report.warnings, card)"
  }

  private func card(_ warning: InteractionWarning) -> Markup {
    let note = said.checked.notes[warning.key]
    return Notice(
      kind(warning.severity), title: said.title(warning),
      """
      \(each: said.effects(warning), { "<p>\($0)</p>" })\
      \(each: said.spacing(warning), { "<p>\($0)</p>" })\
      <p class="small muted">\(said.source(warning))</p>\
      \(note.map { "<p><strong>\(said.note($0))</strong></p>" as Markup })\
      \(confirmed[warning.key].map { "<p>\(said.confirmation($0))</p>" as Markup })\
      \(token.map { button(warning, isKnown: note != nil, $0) })
      """
    ).markup
  }

  private func button(
    _ warning: InteractionWarning, isKnown: Bool, _ token: FormToken
  ) -> FormButton {
    FormButton(
      localizer.text(isKnown ? "interactions.take-back" : "interactions.i-know"),
      action: Address.knownInteractions, token: token,
      fields: [
        ("warning", warning.key), ("action", isKnown ? "take-back" : "say"), ("return", back),
      ], kind: .quiet, object: said.about(warning))
  }

  private func kind(_ severity: InteractionSeverity) -> Notice.Kind {
    switch severity {
    case .contraindicated: .error
    case .severe: .warning
    case .moderate, .minor: .information
    }
  }
}

/// The limits of an interaction check, always shown so that no warning is not taken for safety.
package struct InteractionGaps: PagePart {
  /// The report whose limits are shown.
  package let report: InteractionReport
  /// The words for the limits.
  package let said: InteractionText

  /// Creates the limits of a report.
  package init(report: InteractionReport, said: InteractionText) {
    self.report = report
    self.said = said
  }

  private var localizer: Localizer { said.words.localizer }

  /// The limits as a list, which always ends with the sentence that the list is not complete.
  package var markup: Markup {
    var lines = gaps
    lines.append(localizer.text("interactions.not-complete"))
    return "<ul class=\"stack-small\" role=\"list\">\(each: lines, { "<li>\($0)</li>" })</ul>"
  }

  /// The lines as JSON, for programs.
  var limits: [JSONValue] { gaps.map { .string($0) } }

  private var gaps: [String] {
    var lines: [String] = []
    if !said.checked.seesMedicines { lines.append(localizer.text("interactions.unseen-medicines")) }
    if !said.checked.seesBody { lines.append(localizer.text("interactions.unseen-body")) }
    if !report.unlisted.isEmpty {
      lines.append(line("interactions.unlisted", report.unlisted.map(said.checked.name)))
    }
    if !report.incomplete.isEmpty {
      lines.append(line("interactions.incomplete", report.incomplete.map(said.checked.name)))
    }
    if !report.unlistedAllergies.isEmpty {
      lines.append(line("interactions.unlisted-allergies", report.unlistedAllergies))
    }
    if report.silentPairs > 0 {
      lines.append(
        localizer.text("interactions.silent", ["count": .number(report.silentPairs)]))
    }
    return lines
  }

  private func line(_ key: MessageKey, _ names: [String]) -> String {
    localizer.text(
      key, ["names": .text(names.joined(separator: ", ")), "count": .number(names.count)])
  }
}

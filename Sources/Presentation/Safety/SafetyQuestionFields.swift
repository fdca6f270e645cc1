// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Scheduling
import Storage
import Web

/// The contraindications and questions about a form, with fields to override those that can be
/// overridden: by a note, a typed word, a tick or a choice.
package struct SafetyQuestionFields: PagePart, Sendable {
  /// The form field of the note.
  package static let field = "bar-note"
  static let wordField = "bar-word"
  static let tickField = "bar-tick"
  /// The form field of the answer about the supply.
  package static let supplyField = "supply"
  private static let shownField = "bar-shown"

  /// The findings to show.
  package let lines: [SafetyFinding]
  let note: String
  var word = ""
  var ticked: [String] = []
  var chosen = ""
  /// The keys of the findings that the page with the form already showed.
  package let shown: Set<String>
  /// The language of the fields.
  package let localizer: Localizer
  /// True if the person sees the questions for the first time, so that no answer is missing yet.
  package var isFirstAsked = false

  /// True if every finding can be overridden.
  package var mayBeSetAside: Bool { !lines.contains { $0.answer == .never } }

  /// The word that confirms a schedule that is more frequent than its rule.
  static func word(_ localizer: Localizer) -> String { localizer.text("questions.word") }

  /// Returns true if the form answers a line.
  static func isAnswered(_ line: SafetyFinding, _ form: FormBody, _ localizer: Localizer) -> Bool {
    switch line.answer {
    case .note: (3...500).contains((form.text(field) ?? "").count)
    case .word: isWord(form.text(wordField) ?? "", localizer)
    case .tick: form.all(tickField).contains(line.key)
    case .choice(let choices): choices.contains { $0.value == form.text(supplyField) }
    case .never: false
    }
  }

  private static func isWord(_ typed: String, _ localizer: Localizer) -> Bool {
    // Normalised like names: ignoring case, spacing and the Turkish dotted and dotless i.
    func plain(_ text: String) -> String {
      Ingredient.key(name: text.filter { $0.isLetter || $0.isWhitespace })
    }
    return plain(typed) == plain(word(localizer)) && !typed.isEmpty
  }

  init(_ lines: [SafetyFinding], _ form: FormBody, _ localizer: Localizer) {
    self.lines = lines
    note = form.text(Self.field) ?? ""
    word = form.text(Self.wordField) ?? ""
    ticked = form.all(Self.tickField)
    chosen = form.text(Self.supplyField) ?? ""
    shown = Set(form.all(Self.shownField))
    self.localizer = localizer
  }

  /// Returns the answers given so far as hidden fields, for a form that is shown again with another
  /// question.
  package static func carried(_ form: FormBody) -> Markup {
    let kept = [field, wordField, tickField, supplyField].flatMap { name in
      form.all(name).filter { !$0.isEmpty }.map { (name: name, value: $0) }
    }
    return """
      \(each: kept, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
      """
  }

  /// The findings and the fields, or the sentence that they cannot be overridden.
  package var markup: Markup {
    """
    \(each: lines, { $0.notice(localizer) })\
    \(each: lines, { "<input type=\"hidden\" name=\"\(Self.shownField)\" value=\"\($0.key)\">" })\
    \(if: mayBeSetAside, answers)\
    \(if: !mayBeSetAside, "<p><strong>\(localizer.text("contraindications.never"))</strong></p>")
    """
  }

  private var answers: Markup {
    let word = Self.word(localizer)
    let ticks = lines.compactMap { line -> FieldChoice? in
      guard case .tick(let label) = line.answer else { return nil }
      return FieldChoice(line.key, label)
    }
    let choices = lines.flatMap { line -> [FieldChoice] in
      guard case .choice(let choices) = line.answer else { return [] }
      return choices
    }
    return """
      \(if: lines.contains { $0.answer == .word }, FormField(
        Self.wordField, label: localizer.text("questions.type", ["word": .text(word)]),
        value: self.word, hint: localizer.text("questions.type-hint"),
        error: missing(localizer.text("questions.type-missing", ["word": .text(word)])),
        autocomplete: "off", maximumLength: 40, localizer: localizer).markup)\
      \(if: !ticks.isEmpty, FormField(
        Self.tickField, label: localizer.text("questions.amount"), kind: .checkboxes(ticks),
        values: ticked, error: missing(localizer.text("questions.amount-missing")),
        localizer: localizer
      ).markup)\
      \(if: !choices.isEmpty, FormField(
        Self.supplyField, label: localizer.text("questions.supply-choose"), kind: .radios(choices),
        value: chosen, error: missing(localizer.text("questions.supply-missing")),
        localizer: localizer
      ).markup)\
      \(if: lines.contains { $0.answer == .note }, FormField(
        Self.field, label: localizer.text("contraindications.note"), kind: .lines(2), value: note,
        hint: localizer.text("contraindications.note-hint"),
        error: missing(localizer.text("contraindications.note-missing")), maximumLength: 500,
        localizer: localizer).markup)
      """
  }

  private func missing(_ message: String) -> String? { isFirstAsked ? nil : message }

  /// The errors for the summary above the form.
  package var errors: [FieldError] { fieldErrors(of: lines) }

  /// Returns the errors for some of the findings, one for each field; the notices explain the
  /// reasons.
  package func fieldErrors(of lines: [SafetyFinding]) -> [FieldError] {
    if lines.isEmpty { return [] }
    guard mayBeSetAside else {
      return [FieldError(field: "name", message: localizer.text("contraindications.never"))]
    }
    var seen: Set<String> = []
    return lines.map(error).filter { seen.insert($0.field).inserted }
  }

  private func error(_ line: SafetyFinding) -> FieldError {
    switch line.answer {
    case .word:
      let word = MessageArgument.text(Self.word(localizer))
      return FieldError(
        field: Self.wordField, message: localizer.text("questions.type-missing", ["word": word]))
    case .tick:
      return FieldError(field: Self.tickField, message: localizer.text("questions.amount-missing"))
    case .choice:
      return FieldError(
        field: Self.supplyField, message: localizer.text("questions.supply-missing"))
    case .note, .never:
      return FieldError(
        field: Self.field, message: localizer.text("contraindications.note-missing"))
    }
  }
}

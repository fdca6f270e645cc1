// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Localization
import People
import Presentation
import Storage
import Web

/// The answers about a medicine's appearance, exactly as typed, with their mistakes.
struct AppearanceInput: Sendable, Hashable {
  /// The field that shows that the form contains these questions; a form without it changes no
  /// appearance.
  static let marker = "look"

  var draft = AppearanceDraft()
  var issues: [AppearanceIssue] = []
  /// True if the form contained the questions.
  private(set) var isAsked = false

  init() {}

  init(_ look: MedicineAppearance?) {
    draft = AppearanceDraft(look)
  }

  /// Reads the posted answers and their mistakes.
  init(form: FormBody) {
    isAsked = form.isChecked(Self.marker)
    guard isAsked else { return }
    func typed(_ field: AppearanceField) -> String { form.raw(Self.name(of: field)) ?? "" }
    draft.shape = typed(.shape)
    draft.color = typed(.color)
    draft.secondColor = typed(.secondColor)
    draft.isScored = form.isChecked(Self.name(of: .score))
    draft.imprint = typed(.imprint)
    do {
      _ = try draft.look()
    } catch {
      issues = error.issues
    }
  }

  /// Saves the answers if the form contained the questions.
  func keep(
    ofPlan plan: PlanID, patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    guard isAsked else { return }
    try AppearanceCommands(patient: patient, context: context)
      .keep(try draft.look(), ofPlan: plan, in: writer)
  }

  static func name(of field: AppearanceField) -> String { "look-\(field.rawValue)" }

  func errors(_ localizer: Localizer) -> [FieldError] {
    issues.map {
      FieldError(field: Self.name(of: $0.field), message: Self.message($0, localizer))
    }
  }

  static func message(_ issue: AppearanceIssue, _ localizer: Localizer) -> String {
    localizer.text(
      "appearance.problem",
      ["problem": .text(issue.rawValue), "most": .number(MedicineAppearance.longestImprint)])
  }
}

/// The questions about a medicine's appearance, all of them optional.
struct AppearanceFields: PagePart {
  let input: AppearanceInput
  let localizer: Localizer

  private var words: AppearanceFormatter { AppearanceFormatter(localizer: localizer) }
  private var draft: AppearanceDraft { input.draft }

  var markup: Markup {
    """
    <input type="hidden" name="\(AppearanceInput.marker)" value="yes">\(shapes)\
    <div class="field-row">\
    \(color(.color, draft.color))\(color(.secondColor, draft.secondColor))</div>\
    \(FormField(
      AppearanceInput.name(of: .score), label: localizer.text("appearance.field.score"),
      kind: .checkboxes([FieldChoice("yes", localizer.text("appearance.field.score-choice"))]),
      values: draft.isScored ? ["yes"] : [], error: error(.score), isRequired: false,
      localizer: localizer))\
    \(FormField(
      AppearanceInput.name(of: .imprint), label: localizer.text("appearance.field.imprint"),
      value: draft.imprint, hint: localizer.text("appearance.field.imprint-hint"),
      error: error(.imprint), isRequired: false, autocomplete: "off",
      maximumLength: MedicineAppearance.longestImprint, localizer: localizer))
    """
  }

  /// The same questions, collapsed in a longer form; expanded if one has an answer.
  var folded: Disclosure {
    Disclosure(
      localizer.text("appearance.question"),
      isOpen: input.draft != AppearanceDraft() || !input.issues.isEmpty,
      "<p>\(localizer.text("appearance.form-help"))</p>\(markup)")
  }

  // MARK: Shapes

  private var shapes: Markup {
    let name = AppearanceInput.name(of: .shape)
    let id = FormField.controlID(name)
    let message = error(.shape)
    return """
      <fieldset class="field\(if: message != nil, " has-error")"\
      \(Markup.attribute("aria-describedby", message == nil ? nil : "\(id)-error"))>\
      <legend>\(localizer.text("appearance.field.shape")) \
      <span class="optional">\(localizer.text("parts.field.optional"))</span></legend>\
      \(message.map { problem($0, id: id) })\
      <div class="choices choices-inline">\
      \(choice(id: id, value: "", drawing: nil, localizer.text("appearance.not-said")))\
      \(each: MedicineShape.allCases, { shape in
        choice(
          id: "\(id)-\(shape.rawValue)", value: shape.rawValue, drawing: drawing(shape),
          words.name(of: shape))
      })</div></fieldset>
      """
  }

  private func choice(id: String, value: String, drawing: AppearanceDrawing?, _ label: String)
    -> Markup
  {
    """
    <label class="choice"><input type="radio" id="\(id)" \
    name="\(AppearanceInput.name(of: .shape))" value="\(value)"\
    \(Markup.attribute("checked", draft.shape == value))>\
    <span class="choice-text look-choice">\(drawing)<span>\(label)</span></span></label>
    """
  }

  /// A shape on its own has no conflicts.
  private func drawing(_ shape: MedicineShape) -> AppearanceDrawing? {
    (try? MedicineAppearance(shape: shape)).map { AppearanceDrawing(look: $0, side: 32) }
  }

  private func problem(_ message: String, id: String) -> Markup {
    """
    <p class="field-error" id="\(id)-error">\(Icon.warning)<span><span class="visually-hidden">\
    \(localizer.text("parts.field.error")) </span>\(message)</span></p>
    """
  }

  // MARK: Colours

  private func color(_ field: AppearanceField, _ value: String) -> FormField {
    let choices =
      [FieldChoice("", localizer.text("appearance.not-said"))]
      + MedicineColor.allCases.map { FieldChoice($0.rawValue, words.name(of: $0)) }
    return FormField(
      AppearanceInput.name(of: field),
      label: localizer.text("appearance.field.color", ["which": .text(field.rawValue)]),
      kind: .select(choices), value: value, error: error(field), isRequired: false,
      localizer: localizer)
  }

  private func error(_ field: AppearanceField) -> String? {
    input.issues.first { $0.field == field }.map { AppearanceInput.message($0, localizer) }
  }
}

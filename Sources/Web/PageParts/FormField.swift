// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// A question of a form: label, hint, error and control, linked for assistive technology.
package struct FormField: PagePart {
  /// The name that the form sends.
  package let name: String
  /// The question or its short name.
  package let label: String
  /// The control that asks it.
  package let kind: FieldKind
  /// The language of the words "optional" and "error".
  package let localizer: Localizer
  /// The answers so far; checkboxes may have several.
  package var values: [String]
  /// Help that stays visible.
  package var hint: String?
  /// The mistake and its remedy; nil if there is none.
  package var error: String?
  /// True if an answer is needed; other fields are marked as optional.
  package var isRequired: Bool
  /// The autocomplete token, such as `email` or `current-password`.
  package var autocomplete: String?
  /// The unit shown behind a number.
  package var unit: String?
  /// The greatest number of characters.
  package var maximumLength: Int?

  /// Creates a question with at most one answer, or a set of checkboxes with `values`.
  package init(
    _ name: String, label: String, kind: FieldKind = .text, value: String? = nil,
    values: [String] = [], hint: String? = nil, error: String? = nil, isRequired: Bool = true,
    autocomplete: String? = nil, unit: String? = nil, maximumLength: Int? = nil,
    localizer: Localizer
  ) {
    self.name = name
    self.label = label
    self.kind = kind
    self.localizer = localizer
    self.values = value.map { [$0] } ?? values
    self.hint = hint
    self.error = error
    self.isRequired = isRequired
    self.autocomplete = autocomplete
    self.unit = unit
    self.maximumLength = maximumLength
  }

  /// Returns the identifier of the control, or of the first one of a group, to which an error
  /// summary leads.
  package static func controlID(_ name: String) -> String { "field-\(name)" }

  var controlID: String { Self.controlID(name) }
  private var hintID: String { "\(controlID)-hint" }
  private var errorID: String { "\(controlID)-error" }

  /// The ids of hint and error, for `aria-describedby`.
  var describedBy: String? {
    var ids: [String] = []
    if hint != nil { ids.append(hintID) }
    if error != nil { ids.append(errorID) }
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }

  /// The question with its control.
  package var markup: Markup {
    if kind.isGroup {
      return """
        <fieldset class="\(fieldClass)"\(Markup.attribute("aria-describedby", describedBy))>\
        <legend>\(labelMarkup)</legend>\(notes)\(control)</fieldset>
        """
    }
    return """
      <div class="\(fieldClass)"><label for="\(controlID)">\(labelMarkup)</label>\(notes)\
      \(control)</div>
      """
  }

  private var fieldClass: Markup { error == nil ? "field" : "field has-error" }

  private var labelMarkup: Markup {
    if isRequired { return Markup(text: label) }
    return "\(label) <span class=\"optional\">\(localizer.text("parts.field.optional"))</span>"
  }

  private var notes: Markup {
    """
    \(hint.map { "<p class=\"hint\" id=\"\(hintID)\">\($0)</p>" as Markup })\
    \(error.map(errorMarkup))
    """
  }

  private func errorMarkup(_ message: String) -> Markup {
    """
    <p class="field-error" id="\(errorID)">\(Icon.warning)<span><span class="visually-hidden">\
    \(localizer.text("parts.field.error")) </span>\(message)</span></p>
    """
  }

  private var control: Markup {
    FieldControl(field: self).markup
  }
}

/// Several questions that belong together, under one legend.
package struct FieldGroup: PagePart {
  private let legend: String
  private let hint: String?
  private let content: Markup

  /// Creates a group of fields.
  package init(_ legend: String, hint: String? = nil, _ content: Markup) {
    self.legend = legend
    self.hint = hint
    self.content = content
  }

  /// The fieldset.
  package var markup: Markup {
    """
    <fieldset class="fieldset"><legend>\(legend)</legend>\
    \(hint.map { "<p class=\"hint\">\($0)</p>" as Markup })\(content)</fieldset>
    """
  }
}

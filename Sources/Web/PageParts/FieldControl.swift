// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The control inside a field.
struct FieldControl {
  let field: FormField

  var markup: Markup {
    switch field.kind {
    case .text: input(type: "text")
    case .email: input(type: "email", inputMode: "email")
    case .telephone: input(type: "tel", inputMode: "tel")
    case .search: input(type: "search")
    case .password: password
    case .integer: number(inputMode: "numeric")
    case .decimal: number(inputMode: "decimal")
    case .date(let first, let last):
      input(
        type: "date",
        more: Markup.attribute("min", first) + Markup.attribute("max", last))
    case .time: input(type: "time")
    case .file(let types): input(type: "file", more: Markup.attribute("accept", types))
    case .lines(let count): textArea(rows: count)
    case .select(let choices): select(choices)
    case .radios(let choices, let isCompact):
      group(choices, type: "radio", isCompact: isCompact)
    case .checkboxes(let choices, let isCompact):
      group(choices, type: "checkbox", isCompact: isCompact)
    }
  }

  private var value: String? { field.values.first }

  /// The attributes of every single control.
  private var common: Markup {
    """
     id="\(field.controlID)" name="\(field.name)"\
    \(Markup.attribute("autocomplete", field.autocomplete))\
    \(Markup.attribute("maxlength", field.maximumLength.map { String($0) }))\
    \(Markup.attribute("aria-describedby", field.describedBy))\
    \(if: field.error != nil, " aria-invalid=\"true\"")\
    \(if: field.isRequired, " aria-required=\"true\"")
    """
  }

  private func input(
    type: StaticString, inputMode: String? = nil, style: Markup = "input", more: Markup = ""
  ) -> Markup {
    """
    <input class="\(style)"\(Markup.attribute("type", "\(type)"))\(common)\
    \(Markup.attribute("inputmode", inputMode))\(more)\(Markup.attribute("value", value))>
    """
  }

  private func number(inputMode: String) -> Markup {
    let control = input(type: "text", inputMode: inputMode, style: "input input-number")
    guard let unit = field.unit else { return control }
    return "<div class=\"input-with-unit\">\(control)<span>\(unit)</span></div>"
  }

  private var password: Markup {
    let words =
      Markup.attribute("data-show", field.localizer.text("parts.password.show"))
      + Markup.attribute("data-hide", field.localizer.text("parts.password.hide"))
    return """
      <div class="password-field"><input class="input" type="password"\(common)\(words) \
      autocapitalize="none" spellcheck="false"></div>
      """
  }

  private func textArea(rows: Int) -> Markup {
    // Browsers drop the line break after the tag; without it they would drop a leading one in the
    // text.
    "<textarea class=\"input\"\(common) rows=\"\(rows)\">\n\(value ?? "")</textarea>"
  }

  private func select(_ choices: [FieldChoice]) -> Markup {
    """
    <select class="input"\(common)>\
    \(each: choices, { "<option value=\"\($0.value)\"\(isChosen($0))>\($0.label)</option>" })\
    </select>
    """
  }

  private func isChosen(_ choice: FieldChoice) -> Markup {
    Markup.attribute("selected", field.values.contains(choice.value))
  }

  private func group(_ choices: [FieldChoice], type: String, isCompact: Bool) -> Markup {
    let cards = choices.enumerated().map { position, choice in
      card(
        choice, type: type,
        id: position == 0 ? field.controlID : "\(field.controlID)-\(position + 1)")
    }
    let style: Markup = isCompact ? "choices choices-inline" : "choices"
    return "<div class=\"\(style)\">\(cards)</div>"
  }

  private func card(_ choice: FieldChoice, type: String, id: String) -> Markup {
    let hintID = choice.hint.map { _ in "\(id)-hint-text" }
    return """
      <label class="choice"><input type="\(type)" id="\(id)" name="\(field.name)" \
      value="\(choice.value)"\(Markup.attribute("checked", field.values.contains(choice.value)))\
      \(Markup.attribute("aria-describedby", hintID))>\
      <span class="choice-text">\(choice.label)\
      \(choice.hint.map { "<span class=\"hint\" id=\"\(hintID ?? "")\">\($0)</span>" as Markup })\
      </span></label>
      """
  }
}

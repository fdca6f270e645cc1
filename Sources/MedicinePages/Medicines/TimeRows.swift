// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Web

/// Several times of day under one question, each with its slot.
///
/// The script `schedule.js` shows rows as they are needed; without it a button adds more.
struct TimeRows: PagePart {
  let name: String
  let legend: String
  let rows: [MedicineInput.TimeRow]
  /// The number of rows shown without a script.
  let openRows: Int
  var error: String?
  /// True if the rows are side by side, each with an invisible label that gives its number.
  var isCompact = false
  let localizer: Localizer

  private var total: Int { max(rows.count, MedicineInput.offeredTimes) }
  private var open: Int {
    let filled = rows.lastIndex { !TypedText.trimmed($0.text).isEmpty }.map { $0 + 1 } ?? 0
    return max(filled, openRows)
  }

  private var controlID: String { FormField.controlID(name) }

  var markup: Markup {
    """
    <fieldset class="field\(if: error != nil, " has-error")\(if: isCompact, " compact-times")" \
    data-rows="\(name)">\
    <legend>\(legend)</legend>\(error.map(message))\
    <div class="field-row time-rows">\(each: 0..<total, row)</div>\
    \(if: open < total, more)</fieldset>
    """
  }

  private func message(_ error: String) -> Markup {
    """
    <p class="field-error" id="\(controlID)-error">\(Icon.warning)<span>\
    <span class="visually-hidden">\(localizer.text("parts.field.error")) </span>\(error)</span></p>
    """
  }

  private func row(_ index: Int) -> Markup {
    let row = index < rows.count ? rows[index] : MedicineInput.TimeRow(slot: nil, text: "")
    let id = index == 0 ? controlID : "\(controlID)-\(index + 1)"
    return """
      <div class="field"\(Markup.attribute("hidden", index >= open))>\
      <label for="\(id)"\(if: isCompact, " class=\"visually-hidden\"")>\
      \(localizer.text("medicines.form.time", ["number": .number(index + 1)]))</label>\
      <input type="hidden" name="\(name)-slot" value="\(row.slot.map { String($0) } ?? "")">\
      <input class="input" type="time" id="\(id)" name="\(name)" value="\(row.text)"\
      \(if: error != nil && index == 0, invalid)></div>
      """
  }

  private var invalid: Markup {
    " aria-invalid=\"true\" aria-describedby=\"\(controlID)-error\""
  }

  private var more: Markup {
    """
    <button type="submit" class="button button-secondary" name="more" value="\(name)" data-more>\
    \(Icon.plus)<span>\(localizer.text("medicines.form.more-times"))</span></button>
    """
  }
}

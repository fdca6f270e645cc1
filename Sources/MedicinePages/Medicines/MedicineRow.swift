// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Plans
import Web

/// One medicine in a list: its picture, its name with the strength, and the main facts.
///
/// The name links to the medicine's own page, which has the full sentence.
struct MedicineRow: PagePart {
  let plan: Plan
  /// The photo or drawing; nil if there is none.
  let picture: Markup?
  /// The amount and whatever else fits on one line.
  var facts: [String] = []
  /// The time of the next dose, with a label for screen readers.
  var next: (label: String, time: String)?
  /// Warnings and remarks, below the row.
  var notes = Markup()
  /// The buttons in the row's menu, with its name; nil for no menu.
  var menu: (label: String, buttons: Markup)?

  var markup: Markup {
    """
    <li class="medicine-row"><span class="medicine-picture">\(picture ?? Icon.pill.markup)</span>\
    <div class="medicine-text"><p class="medicine-name">\
    <a href="/medicines/\(plan.id.text)">\(plan.medicineName)</a></p>\
    \(line)</div>\(menu.map(disclosure))\
    \(if: !notes.isEmpty, "<div class=\"medicine-notes stack-small\">\(notes)</div>")</li>
    """
  }

  /// The line with the dose, and the next time at its end.
  private var line: Markup {
    guard !facts.isEmpty || next != nil else { return Markup() }
    return """
      <p class="medicine-facts">\
      \(if: !facts.isEmpty, "<span>\(facts.joined(separator: " · "))</span> ")\(next.map(time))</p>
      """
  }

  private func time(_ next: (label: String, time: String)) -> Markup {
    """
    <span class="medicine-next"><span class="visually-hidden">\(next.label) </span>\(next.time)</span>
    """
  }

  private func disclosure(_ menu: (label: String, buttons: Markup)) -> Markup {
    """
    <details class="intake-menu"><summary class="button button-quiet">\(Icon.menu)\
    <span class="visually-hidden">\(menu.label) \(plan.medicineName)</span></summary>\
    \(ButtonRow(menu.buttons))</details>
    """
  }
}

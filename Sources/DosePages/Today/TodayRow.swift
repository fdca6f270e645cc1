// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Plans
import Presentation
import Web

/// One medicine at one time: its name, amount and instruction, a check button, and a menu.
///
/// It looks the same everywhere, so that an answer can update it in place.
struct TodayRow: PagePart {
  enum Style: String {
    /// To be answered now.
    case now
    /// Still to come.
    case ahead
    /// Answered, or its time has passed.
    case done
  }

  let style: Style
  /// The dose; nil for an intake that answered none.
  var dose: Dose?
  /// The intake, if it answered no dose.
  var entry: AdministrationID?
  let name: String
  var address: String?
  /// The amount, the instruction and whatever else fits on one line.
  var facts: [String] = []
  var chip: StateChip?
  /// The picture, and information to read before answering.
  var notes = Markup()
  /// The form of the check button, or another form next to the name.
  var check = Markup()
  /// The menu of one-press actions; nil for no menu.
  var menu: Markup?
  /// The name of the menu, before the medicine's.
  var menuName = ""
  /// Buttons with longer labels, below the name.
  var actions = Markup()

  var markup: Markup {
    let title: Markup = address.map { "<a href=\"\($0)\">\(name)</a>" } ?? Markup(text: name)
    return """
      <li class="intake intake-\(style.rawValue)"\(dose.map(DoseCard.identity))\(entry.map(identity))>\
      <div class="intake-text"><p class="intake-name">\(title)</p>\
      \(if: !facts.isEmpty, "<p class=\"intake-facts\">\(facts.joined(separator: " · "))</p>")\
      \(chip)\(notes)</div>\
      \(if: !check.isEmpty, "<div class=\"intake-check\">\(check)</div>")\
      \(menu.map(disclosure))\
      \(if: !actions.isEmpty, "<div class=\"intake-actions\">\(ButtonRow(actions))</div>")</li>
      """
  }

  /// Returns the attributes by which scripts find the row of an entry.
  private func identity(_ entry: AdministrationID) -> Markup {
    " id=\"entry-\(entry.text)\" data-answers=\"entry-\(entry.text)\""
  }

  private func disclosure(_ content: Markup) -> Markup {
    """
    <details class="intake-menu"><summary class="button button-quiet">\(Icon.menu)\
    <span class="visually-hidden">\(menuName) \(name)</span></summary>\(ButtonRow(content))</details>
    """
  }
}

/// The rows of one time, in a card.
struct TodaySlot: PagePart {
  enum Style: String {
    case now, late, ahead, done
  }

  let style: Style
  /// The local time as people read it; nil for rows of different times.
  var time: String?
  /// The same instant for machines.
  var timestamp: String?
  var chip: StateChip?
  /// How long all rows can be taken, if it is the same for each.
  var note: String?
  /// The button for all rows, in its own part.
  var all = Markup()
  let rows: [TodayRow]

  var markup: Markup {
    """
    <div class="slot slot-\(style.rawValue)">\(time.map(head))\
    \(note.map { "<p class=\"slot-note\">\($0)</p>" as Markup })\(all)\
    <ul class="intakes" role="list">\(rows)</ul></div>
    """
  }

  private func head(_ time: String) -> Markup {
    let clock: Markup = """
      <time\(Markup.attribute("datetime", timestamp))>\(time)</time>
      """
    return """
      <div class="slot-head">\(HeadingLevel.third.heading(clock, style: "slot-time"))\(chip)</div>
      """
  }
}

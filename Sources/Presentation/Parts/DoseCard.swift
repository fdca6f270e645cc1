// SPDX-License-Identifier: Apache-2.0

import HTML
import Plans
import Web

/// A dose in a list: large time, medicine, sentence, state and answer buttons.
package struct DoseCard: PagePart {
  /// The attention that the dose needs.
  package enum Emphasis: Sendable {
    /// Due, without an answer.
    case now
    /// Late, without an answer.
    case late
    /// Not due yet.
    case later
    /// Answered, missed or cancelled.
    case done
  }

  private let emphasis: Emphasis
  private let time: String
  private let timestamp: String?
  private let name: String
  private let address: String?
  private let sentence: String?
  private let chip: StateChip
  private let details: Markup
  private let actions: Markup
  private let dose: Dose?

  /// Creates a dose card.
  ///
  /// - Parameters:
  ///   - time: The local time as people read it, `08:00`.
  ///   - timestamp: The instant for machines, `2026-03-01T08:00:00+01:00`.
  ///   - address: The page of the medicine or dose; nil for no link.
  ///   - details: Notes below the sentence.
  ///   - actions: Buttons for a `ButtonRow`.
  ///   - dose: The dose that the buttons answer. Its answers that wait to be sent are shown here, and an
  ///     answer changes this card without a new page.
  package init(
    _ emphasis: Emphasis, time: String, timestamp: String? = nil, name: String,
    address: String? = nil, sentence: String? = nil, chip: StateChip, details: Markup = Markup(),
    actions: Markup = Markup(), dose: Dose? = nil
  ) {
    self.emphasis = emphasis
    self.time = time
    self.timestamp = timestamp
    self.name = name
    self.address = address
    self.sentence = sentence
    self.chip = chip
    self.details = details
    self.actions = actions
    self.dose = dose
  }

  /// The card as an item of a `DoseList`.
  package var markup: Markup {
    let title: Markup = address.map { "<a href=\"\($0)\">\(name)</a>" } ?? Markup(text: name)
    return """
      <li class="dose\(style)"\(dose.map(Self.identity))><div class="dose-head">\
      <time class="dose-time"\(Markup.attribute("datetime", timestamp))>\(time)</time>\(chip)</div>\
      <div class="dose-body">\(HeadingLevel.third.heading(title, style: "dose-name"))\
      \(sentence.map { "<p>\($0)</p>" as Markup })\(details)\
      \(if: !actions.isEmpty, "<div class=\"dose-actions\">\(ButtonRow(actions))</div>")\
      </div></li>
      """
  }

  /// Returns the attributes by which scripts find the card of a dose and its state.
  package static func identity(_ dose: Dose) -> Markup {
    """
     id="dose-\(dose.id.text)" data-answers="\(dose.id.text)" \
    data-part="\(dose.state.rawValue) \(String(dose.version))"
    """
  }

  private var style: Markup {
    switch emphasis {
    case .now: " dose-now"
    case .late: " dose-late"
    case .later: ""
    case .done: " dose-done"
    }
  }
}

/// Dose cards in the given order.
package struct DoseList: PagePart {
  private let cards: [DoseCard]

  /// Creates a list of cards.
  package init(_ cards: [DoseCard]) {
    self.cards = cards
  }

  /// The list with one item per card.
  package var markup: Markup { "<ul class=\"doses\" role=\"list\">\(cards)</ul>" }
}

// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The state of a dose, as an icon and a word: never only a colour.
package struct StateChip: PagePart {
  /// The states that a dose can be shown in.
  package enum State: String, CaseIterable, Sendable {
    /// Taken in time; the detail is the time.
    case taken
    /// The dose is due now.
    case due
    /// Still open after its on-time window; the detail is its due time.
    case overdue
    /// Taken after its on-time window; the detail is the time.
    case late
    /// Not recorded by the end of its late window.
    case missed
    /// Skipped on purpose; the detail is the reason.
    case skipped
    /// Refused by the person; the detail is the reason.
    case refused
    /// Still to come; the detail is the time.
    case scheduled
    /// Postponed by the person; the detail is the time of the next reminder.
    case later
    /// Withheld by a rule until the person decides.
    case withheld
    /// No longer planned.
    case cancelled
  }

  /// The state shown.
  package let state: State
  /// A time or reason shown after the word.
  package let detail: String?
  /// The texts in the language of the chip.
  package let localizer: Localizer

  /// Creates a chip; each state says what its detail means.
  package init(_ state: State, detail: String? = nil, localizer: Localizer) {
    self.state = state
    self.detail = detail
    self.localizer = localizer
  }

  /// The chip's words, for a sentence or a status message.
  package var text: String {
    guard let detail, !detail.isEmpty else {
      return localizer.text("parts.state", ["state": .text(state.rawValue)])
    }
    return localizer.text(
      "parts.state-with-detail", ["state": .text(state.rawValue), "detail": .text(detail)])
  }

  /// The chip.
  package var markup: Markup {
    "<span class=\"chip chip-\(colour)\">\(icon)<span>\(text)</span></span>"
  }

  /// The icon for the state, the same everywhere.
  package var icon: Icon {
    switch state {
    case .taken: .check
    case .due: .bell
    case .overdue, .late, .scheduled, .later: .clock
    case .missed: .crossInCircle
    case .skipped, .cancelled: .barInCircle
    case .refused: .slashInCircle
    case .withheld: .pause
    }
  }

  private var colour: String {
    switch state {
    case .taken: "taken"
    case .due: "due"
    case .overdue, .late: "late"
    case .missed: "missed"
    case .skipped, .refused, .cancelled: "skipped"
    case .scheduled, .later: "scheduled"
    case .withheld: "due"
    }
  }
}

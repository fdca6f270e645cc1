// SPDX-License-Identifier: Apache-2.0

import Calendar
import Dosing
import HTML
import Localization
import Scheduling
import Storage
import Web

/// A preview of the doses that a change would move.
struct DoseReschedulingPart: PagePart {
  /// The most lines: if everything moves, the first ones suffice.
  private static let mostLines = 12

  let moves: [DoseMove]
  /// The clocks before and after the change, which differ for a change of zone.
  let before: MedicineClock
  let after: MedicineClock
  /// True if the lines need no medicine name.
  var isOfOneMedicine = false

  private var localizer: Localizer { after.localizer }

  var markup: Markup {
    if moves.isEmpty { return "<p>\(text("none", [:]))</p>" }
    // Doses that would lose a person's own new time are always listed.
    let shown = moves.enumerated().filter { $0.offset < Self.mostLines || $0.element.losesMove }
      .map(\.element)
    let left = moves.count - shown.count
    return """
      <ul class="stack-small" role="list">\(each: shown, { "<li>\(line($0))</li>" })</ul>\
      \(if: left > 0, "<p class=\"muted\">\(text("more", ["n": .number(left)]))</p>")
      """
  }

  private func line(_ move: DoseMove) -> String {
    var words = sentence(move)
    if move.losesMove { words = text("loses", ["what": .text(words)]) }
    return isOfOneMedicine
      ? words
      : text("of", ["name": .text(move.medicineName), "what": .text(words)])
  }

  private func sentence(_ move: DoseMove) -> String {
    let old = move.from.map { before.text($0) }
    let new = move.to.map { after.text($0) }
    if move.isWithheld, let new { return text("withheld", ["when": .text(new)]) }
    switch (old, new) {
    case (let old?, let new?) where old == new:
      // The local time is the same, but the instant changes.
      return text("same-clock", ["when": .text(new)])
    case (let old?, let new?): return text("moved", ["from": .text(old), "to": .text(new)])
    case (nil, let new?): return text("added", ["when": .text(new)])
    case (let old, nil): return text("removed", ["when": .text(old ?? "")])
    }
  }

  private func text(_ name: String, _ arguments: MessageArguments) -> String {
    localizer.text(MessageKey("medicines.moves.\(name)"), arguments)
  }
}

/// The doses that the next clock change moves, each with the rule that moves it.
package struct ClockReschedulingNotice: PagePart {
  /// The number of days ahead for which it is shown.
  package static let days = 7

  /// The doses that the clock change moves.
  package let moves: [ClockMove]
  /// The formatter of times in the patient's zone.
  package let clock: MedicineClock

  /// Creates the notice.
  package init(moves: [ClockMove], clock: MedicineClock) {
    self.moves = moves
    self.clock = clock
  }

  /// The notice; empty if no dose moves.
  package var markup: Markup {
    if moves.isEmpty { return Markup() }
    let localizer = clock.localizer
    let words = DoseReasonText(localizer: localizer)
    return Notice(
      .information, title: localizer.text("medicines.moves.clock-title"),
      """
      <ul class="stack-small" role="list">\(each: moves, { move in
        """
        <li>\(localizer.text(
          "medicines.moves.of",
          ["name": .text(move.medicineName), "what": .text(time(of: move))])). \
        \(move.reasons.map { words.text($0) }.joined(separator: " "))</li>
        """
      })</ul>
      """
    ).markup
  }

  /// Returns the new time, and the old one if no reason states it.
  private func time(of move: ClockMove) -> String {
    guard let usual = move.usual else { return clock.text(move.due) }
    return clock.localizer.text(
      "medicines.moves.moved",
      [
        "from": .text(clock.localizer.time(hour: usual.hour, minute: usual.minute)),
        "to": .text(clock.text(move.due)),
      ])
  }
}

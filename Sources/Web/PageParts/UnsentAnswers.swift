// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The place, filled in by a script, for answers queued on this device and their outcomes; also the
/// line that confirms an action without leaving the page.
///
/// A page that shows the dose itself marks it with `data-answers`; the answer is then shown there.
struct UnsentAnswers: PagePart {
  let localizer: Localizer

  /// The words that the script needs, by the name of their attribute.
  private static let words = [
    "kept", "saved", "lost", "answered", "asked", "failed", "look", "seen", "undo", "needs",
    "missing", "unlikely", "changed", "unsaved", "again", "typed",
  ]
  /// The answers that are identified by their state.
  private static let states: [StateChip.State] = [.taken, .skipped, .refused, .later]

  var markup: Markup {
    """
    <div class="notice notice-warning" id="unsent" tabindex="-1" hidden\
    \(attribute("entries", PageAssets.entries.path))\
    \(attribute("postpone", localizer.text("ring.worker.later", ["minutes": .number(10)])))\
    \(attribute("skip", localizer.text("ring.text.skip")))\
    \(attribute("copied", localizer.text("offline.copied", ["time": .text("…")])))\
    \(each: Self.words, { attribute($0, localizer.text(MessageKey("offline.\($0)"))) })\
    \(each: Self.states, { attribute($0.rawValue, StateChip($0, localizer: localizer).text) })>\
    \(Icon.clock)<ul class="notice-body" role="list"></ul></div>\
    <div class="said" id="said"><p aria-live="polite"></p></div>
    """
  }

  private func attribute(_ name: String, _ text: String) -> Markup {
    " data-\(name)=\"\(text)\""
  }
}

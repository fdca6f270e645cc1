// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Plans
import Storage
import Web

/// The history of a dose's answers, in order: who reported what, and when.
package struct DoseStory: PagePart {
  /// The answers, corrections and undos, in the order in which they were recorded.
  package let entries: [AnswerStoryEntry]
  /// The formatter of times and amounts.
  package let words: DoseFormatter

  /// Creates the section for a dose.
  package init(entries: [AnswerStoryEntry], words: DoseFormatter) {
    self.entries = entries
    self.words = words
  }

  /// The section; empty if there are no entries.
  package var markup: Markup {
    guard !entries.isEmpty else { return Markup() }
    return """
      \(Section(
        words.localizer.text("dose.story.title"),
        "<ol class=\"stack-small\" role=\"list\">\(each: entries, { "<li>\(line($0))</li>" })</ol>"))
      """
  }

  /// Returns the line for one answer.
  func line(_ entry: AnswerStoryEntry) -> Markup {
    let localizer = words.localizer
    let recorded = words.moment(entry.recorded)
    var notes: [String] = []
    if let amount = entry.amount { notes.append(words.amount(amount)) }
    if let minutes = entry.minutes {
      notes.append(
        localizer.text("dose.story.put-off", ["time": .text(words.duration(minutes: minutes))]))
    }
    if let reason = entry.reason {
      notes.append(localizer.text("dose.story.reason", ["reason": .text(reason)]))
    }
    if words.moment(entry.at) != recorded {
      notes.append(localizer.text("dose.story.written", ["when": .text(recorded)]))
    }
    let action = localizer.text(MessageKey("dose.story.\(entry.action.rawValue)"))
    return """
      <strong><time datetime="\(words.machine(entry.at))">\(words.moment(entry.at))</time> \
      \(action)</strong>, \
      \(localizer.text("dose.story.by", ["name": .text(entry.by)]))\
      \(if: !notes.isEmpty, "<br><span class=\"muted\">\(notes.joined(separator: " · "))</span>")
      """
  }
}

// SPDX-License-Identifier: Apache-2.0

import Localization
import Statistics

/// The sentences that are read out; medicines are named only if chosen.
package struct VoiceText: Sendable {
  /// The most medicines that are read out by name; more are counted.
  static let mostNames = 5

  /// The texts in the language of the sentences.
  package let localizer: Localizer
  let namesMedicine: Bool

  /// Creates the sentences of a language.
  package init(localizer: Localizer, namesMedicine: Bool) {
    self.localizer = localizer
    self.namesMedicine = namesMedicine
  }

  /// Returns what was taken, what waits, and when the next dose comes.
  package func status(_ day: VoiceDay) -> String {
    var sentences = [taken(day)]
    if !day.due.isEmpty { sentences.append(waiting(day)) }
    if let next = day.next, day.part == nil, day.due.isEmpty {
      sentences.append(localizer.text("voice.next", ["time": .text(next)]))
    }
    return sentences.joined(separator: " ")
  }

  /// Returns the question that reads back what a yes would log; that nothing is due if no dose waits.
  package func readBack(_ day: VoiceDay) -> String {
    guard !day.due.isEmpty else { return localizer.text("voice.nothing-due") }
    if let medicines = names(of: day) {
      return localizer.text(
        "voice.read-back-named",
        [
          "medicines": .text(medicines), "time": .text(times(of: day)),
          "count": .number(day.due.count),
        ])
    }
    return localizer.text(
      "voice.read-back", ["count": .number(day.due.count), "time": .text(times(of: day))])
  }

  /// Returns that doses were logged.
  package func logged(_ count: Int) -> String {
    localizer.text("voice.logged", ["count": .number(count)])
  }

  /// The sentence for an answer that the app must ask about first.
  package var asks: String { localizer.text("voice.asks") }
  /// The sentence for a question that is no longer open.
  package var over: String { localizer.text("voice.over") }

  private func taken(_ day: VoiceDay) -> String {
    let key: MessageKey =
      if day.planned == 0 {
        "voice.empty"
      } else if day.taken == 0 {
        "voice.taken-none"
      } else if day.taken >= day.planned {
        "voice.taken-all"
      } else {
        "voice.taken-some"
      }
    return localizer.text(
      key,
      [
        "part": .text(day.part?.rawValue ?? "day"), "taken": .number(day.taken),
        "planned": .number(day.planned),
      ])
  }

  private func waiting(_ day: VoiceDay) -> String {
    let first = day.due.first?.time ?? ""
    if let medicines = names(of: day) {
      return localizer.text(
        "voice.due-named", ["time": .text(first), "medicines": .text(medicines)])
    }
    return localizer.text(
      "voice.due", ["count": .number(day.due.count), "time": .text(first)])
  }

  /// Returns the names of the due medicines; nil if they are hidden or too many to listen to.
  private func names(of day: VoiceDay) -> String? {
    guard namesMedicine, day.due.count <= Self.mostNames else { return nil }
    return localizer.list(day.due.map(\.medicine))
  }

  private func times(of day: VoiceDay) -> String {
    var times: [String] = []
    for due in day.due where !times.contains(due.time) { times.append(due.time) }
    return localizer.list(times)
  }
}

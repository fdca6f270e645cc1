// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

extension DosagePhrasing {
  /// Returns events of the day as text, with the number of doses a day that they mean.
  mutating func eventPhrases(
    _ pattern: TimingPhrase, _ timing: TimingView
  ) -> (phrases: [String], slots: Int) {
    let codes = pattern.when.sorted { Self.place($0) < Self.place($1) }
    guard !codes.isEmpty, codes.allSatisfy(Self.dayOrder.contains) else { return ([], 0) }
    let offset = timing.offset.flatMap { $0 > 0 ? offsetText($0) : nil }
    // With a meal, an offset has no reference point (timing errors), so it is not expressed.
    let isMeasured = offset != nil && !codes.contains { ["C", "CM", "CD", "CV"].contains($0) }
    let phrases = codes.map { code in
      if let offset, isMeasured { return self.event(code, offset) }
      return localizer.text("dosage.event", ["event": .text(code)])
    }
    elements.voice(.recurrence, "when")
    if isMeasured || timing.offset == 0 { elements.voice(.recurrence, "offset") }
    // With meals, before meals and after meals stand for three each (timing rule 21).
    let slots = codes.reduce(0) { $0 + (["C", "AC", "PC"].contains($1) ? 3 : 1) }
    return (phrases, slots)
  }

  private func event(_ code: String, _ offset: String) -> String {
    let measured = localizer.text(
      "dosage.event-offset", ["event": .text(code), "offset": .text(offset)])
    guard measured.isEmpty else { return measured }
    return localizer.text(
      "dosage.event-later",
      [
        "event": .text(localizer.text("dosage.event", ["event": .text(code)])),
        "offset": .text(offset),
      ])
  }

  /// Returns an offset without an event.
  mutating func offsetAlone() -> String? {
    guard let timing = dosage.timing, let offset = timing.offset, offset > 0, timing.when.isEmpty
    else { return nil }
    elements.voice(.recurrence, "offset")
    return localizer.text("dosage.offset-alone", ["offset": .text(offsetText(offset))])
  }

  private func offsetText(_ minutes: Int) -> String {
    let isHours = minutes % 60 == 0
    return span(PlainNumber(isHours ? minutes / 60 : minutes), isHours ? "h" : "min")
  }

  /// Returns the sort key of an event in the day.
  static func place(_ code: String) -> Int {
    dayOrder.firstIndex(of: code) ?? dayOrder.count
  }

  static let dayOrder = [
    "WAKE", "MORN.early", "MORN", "ACM", "CM", "PCM", "MORN.late", "AC", "C", "PC", "ACD", "NOON",
    "CD", "PCD", "AFT.early", "AFT", "AFT.late", "EVE.early", "ACV", "CV", "PCV", "EVE", "EVE.late",
    "HS", "NIGHT", "PHS",
  ]
}

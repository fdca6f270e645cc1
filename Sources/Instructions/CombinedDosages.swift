// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Dosages that differ only in the amount at each time of day, combined into one sentence:
/// `10 units at 07:30 and 6 units at 12:00 and 18:00`.
struct CombinedDosages {
  /// The positions of the dosages in the prescription; the first one carries the sentence.
  let members: [Int]
  /// The amounts with their times, in the order of the day.
  let amounts: String

  /// Returns the combinations among the dosages; a dosage in none of them gets its own sentence.
  static func found(
    in dosages: [DosageView], localizer: SentenceLocalizer
  ) -> [CombinedDosages] {
    guard dosages.count > 1 else { return [] }
    let lowest = dosages.compactMap(\.sequence).min() ?? 0
    var groups: [Common: [Dose]] = [:]
    for (index, dosage) in dosages.enumerated() {
      guard let common = Common(dosage, step: dosage.sequence ?? lowest),
        let dose = Dose(dosage, at: index, localizer)
      else { continue }
      groups[common, default: []].append(dose)
    }
    return groups.values.compactMap { CombinedDosages($0, localizer) }
  }

  private init?(_ doses: [Dose], _ localizer: SentenceLocalizer) {
    guard doses.count > 1 else { return nil }
    let words = doses.flatMap(\.times)
    // Two amounts at the same time could be read as a choice.
    guard Set(words).count == words.count else { return nil }
    members = doses.map(\.index)
    let areTimed = doses.allSatisfy(\.isTimed)
    let isDaily = areTimed || !doses.contains(where: \.isTimed)
    let ordered =
      isDaily ? doses.sorted { ($0.place, $0.index) < ($1.place, $1.index) } : doses
    amounts = localizer.list(ordered.map(\.words))
  }
}

/// The properties that two dosages must share to be combined into one sentence.
private struct Common: Hashable {
  private let step: Int
  private let unit: StatedUnit
  /// Everything except the amount, the times and the sender's text.
  private let rest: JSONValue

  private static let ofRepeat: Set<String> = [
    "timeOfDay", "when", "frequency", "period", "periodUnit", "dayOfWeek", "boundsPeriod",
    "boundsDuration", "boundsRange",
  ]

  init?(_ dosage: DosageView, step: Int) {
    guard !dosage.asNeeded, let timing = dosage.timing, timing.presentElements == ["repeat"],
      !timing.hasExtensions, timing.presentRepeatElements.allSatisfy(Self.ofRepeat.contains),
      dosage.doseAndRateCount == 1, let entry = dosage.json["doseAndRate"]?[0],
      let quantity = entry["doseQuantity"],
      let stated = try? StatedQuantity(quantity, "")
    else { return nil }
    let slots = timing.timeOfDay.count + timing.when.count
    let period = timing.repeatObject?.exact("period")
    guard slots > 0, timing.timeOfDay.isEmpty || timing.when.isEmpty,
      period == nil && timing.periodUnit == nil
        || period == PlainNumber(1) && timing.periodUnit == "d",
      timing.frequency == nil || timing.frequency == slots
    else { return nil }
    guard var object = dosage.json.object, var shared = timing.repeatObject?.object,
      var dose = entry.object
    else { return nil }
    for name in ["timeOfDay", "when", "frequency", "period", "periodUnit"] { shared[name] = nil }
    dose["doseQuantity"] = nil
    for name in ["id", "text", "sequence"] { object[name] = nil }
    object["timing"] = .object(shared)
    object["doseAndRate"] = .object(dose)
    self.step = step
    unit = stated.unit
    rest = .object(object)
  }
}

/// A dosage's amount with its times.
private struct Dose {
  let index: Int
  /// The clock times or events, as text.
  let times: [String]
  let isTimed: Bool
  /// The amount with its times, such as `10 units at 07:30`.
  let words: String
  /// The sort key of its first time in the day.
  let place: String

  /// Creates a dose; nil if part of the dosage is not expressed, or if the sender's text must be quoted.
  init?(_ dosage: DosageView, at index: Int, _ localizer: SentenceLocalizer) {
    var whole = DosagePhrasing(dosage, localizer)
    guard (try? whole.sentence()) != nil else { return nil }
    let unvoiced = whole.elements.unvoiced
    guard unvoiced.allSatisfy({ $0 == "text" || $0 == "doseAndRate.type" }),
      unvoiced.contains("text") == (dosage.text != nil)
    else { return nil }
    var phrasing = DosagePhrasing(dosage, localizer)
    guard let amount = (try? phrasing.dosePhrase())?.amount else { return nil }
    let scheduled = phrasing.scheduleParts()
    isTimed = !scheduled.times.isEmpty
    times = isTimed ? scheduled.times : scheduled.events
    guard !times.isEmpty else { return nil }
    let key: MessageKey = isTimed ? "dosage.at-times" : "dosage.at-events"
    let when = localizer.text(
      key, [isTimed ? "times" : "events": .text(localizer.list(times))])
    words = localizer.text(
      "dosage.amount-when", ["amount": .text(amount), "when": .text(when)])
    let event = (dosage.timing?.when ?? []).map(DosagePhrasing.place).min() ?? 0
    place = isTimed ? times[0] : event < 10 ? "0\(event)" : "\(event)"
    self.index = index
  }
}

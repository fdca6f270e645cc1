// SPDX-License-Identifier: Apache-2.0

import Access
import Diary
import Identifiers
import Localization
import Plans
import Scheduling
import Statistics
import Storage
import Web

/// A medicine whose effect on a measure is added to a report, as the address names it: `effect=plan~measure`.
///
/// Without such a field, a report has the medicines for which a measure was chosen; an empty one leaves them out.
struct ReportEffectChoice: Sendable, Hashable {
  /// The greatest number in one report.
  static let most = 4

  let plan: PlanID
  let measure: String

  /// Reads the choices of a query; others than `plan~measure` are ignored.
  static func all(_ fields: [FormPair]) -> [ReportEffectChoice] {
    var choices: [ReportEffectChoice] = []
    for field in fields where field.name == "effect" && choices.count < most {
      let parts = field.value.split(separator: "~", maxSplits: 1).map(String.init)
      guard parts.count == 2, EffectMeasure(key: parts[1]) != nil else { continue }
      let choice = ReportEffectChoice(plan: PlanID(parts[0]), measure: parts[1])
      if !choices.contains(choice) { choices.append(choice) }
    }
    return choices
  }

  /// Returns the fields of the medicines that are taken now and for which a measure was chosen on their page.
  static func kept(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [FormPair] {
    try EffectChoices.current(of: patient, in: reader).prefix(most).map { kept in
      let choice = ReportEffectChoice(plan: kept.plan, measure: kept.choice.measure.key)
      return FormPair(name: "effect", value: choice.text)
    }
  }

  /// The value of the field `effect`.
  var text: String { "\(plan.text)~\(measure)" }

  /// The part of a query that names it.
  var query: String { "&effect=\(QueryText.encode(text))" }
}

/// The comparisons of a medicine for a report.
struct ReportEffect: Sendable {
  let medicine: String
  let content: EffectContent

  /// Reads the chosen comparisons of a year; a medicine or measure that the person has not is left out.
  ///
  /// - Parameter part: The Observations that may be seen.
  static func load(
    _ choices: [ReportEffectChoice], of content: ReportContent, patient: PatientID,
    part: ObservationPart, in reader: any SQLReader
  ) throws -> [ReportEffect] {
    var effects: [ReportEffect] = []
    for choice in choices {
      guard let plan = try PlanQueries.plan(choice.plan, patient: patient, in: reader) else {
        continue
      }
      let found = try EffectContent.load(
        choice.plan, of: patient, range: .year, keys: [choice.measure], part: part,
        zone: content.zone, now: content.now, in: reader)
      // Without the measure, the first one would be shown instead.
      guard found.series.first?.measure.measure.key == choice.measure else { continue }
      effects.append(ReportEffect(medicine: plan.medicineName, content: found))
    }
    return effects
  }

  /// Returns the comparisons as a part of the report.
  func part(_ localizer: Localizer) -> ReportDocument.Part {
    let words = EffectText(localizer: localizer)
    func pair(_ name: String, _ text: String) -> String {
      localizer.text("chart.column", ["name": .text(name), "rate": .text(text)])
    }
    var blocks: [ReportDocument.Block] = []
    for comparison in content.comparisons {
      blocks.append(.text(words.title(comparison)))
      blocks.append(.list(words.lines(comparison).map { pair($0.term, $0.text) }))
    }
    if blocks.isEmpty { blocks.append(.text(localizer.text("effect.no-changes"))) }
    blocks.append(.text(localizer.text("effect.not-cause")))
    return ReportDocument.Part(
      title: pair(localizer.text("effect.title"), medicine), blocks: blocks)
  }
}

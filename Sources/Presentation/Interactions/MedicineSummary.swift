// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import Identifiers
import Knowledge
import Plans
import Prescriptions
import Scheduling
import Statistics
import Storage

/// A person's medicines in brief: what is taken, how regularly, and the warnings that are open.
package struct MedicineSummary: Sendable, Hashable {
  /// The share of the doses of some days that were taken.
  package struct Adherence: Sendable, Hashable {
    /// The doses whose outcome is known.
    package let planned: Int
    /// The doses taken, on time or late.
    package let taken: Int
    /// The share taken, in whole percent.
    package let percent: Int
  }

  /// A warning that comes before a medicine is taken, and that no one has acknowledged.
  package struct OpenWarning: Sendable, Hashable {
    /// The severity and the subject in one line.
    package let title: String
    /// True for the two worst severities.
    package let isSevere: Bool
  }

  /// The number of days that count, today included.
  package static let days = 30

  /// The adherence; nil if no dose was due, or if it is not shared.
  package let adherence: Adherence?
  /// The names of the current medicines; empty if they are not shared.
  package let medicines: [String]
  /// The open warnings, the most serious first.
  package let warnings: [OpenWarning]

  /// Reads the summary of a person.
  ///
  /// - Parameters:
  ///   - sharesAdherence: True if the actor may see which doses were taken; the caller has decided it.
  ///   - actor: The account that asks; only medicines and allergies that it may see are read.
  ///   - words: The formatter with the language and the person's zone.
  package static func read(
    _ patient: PatientID, sharesAdherence: Bool, actor: Actor, list: InteractionList,
    words: DoseFormatter, in reader: any SQLReader
  ) throws -> MedicineSummary {
    let checked = try InteractionReading.check(
      list, patient: patient, actor: actor, now: words.now, zone: words.zone, in: reader)
    let said = InteractionText(checked: checked, list: list, words: words)
    let open = checked.report.warnings.filter { $0.comesFirst && checked.notes[$0.key] == nil }
    return MedicineSummary(
      adherence: try sharesAdherence ? adherence(of: patient, words, in: reader) : nil,
      medicines: checked.medicines.map(\.shownName),
      warnings: open.map {
        OpenWarning(title: said.title($0), isSevere: $0.severity <= .severe)
      })
  }

  private static func adherence(
    of patient: PatientID, _ words: DoseFormatter, in reader: any SQLReader
  ) throws -> Adherence? {
    let first = words.zone.startOfDay(words.today.adding(days: 1 - days))
    let counts = try HistoryQueries.counts(
      HistoryFilter(), patient: patient, from: Timestamp(milliseconds: first.milliseconds),
      until: words.now, now: words.now, in: reader)
    return counts.percentTaken.map {
      Adherence(planned: counts.planned, taken: counts.takenInAll, percent: $0)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Scheduling
import Statistics
import Storage
import TimeZones

/// A page of the history.
package struct HistoryPart: Sendable {
  /// The lines, newest first.
  package var entries: [HistoryEntry] = []
  /// All versions of corrected answers, by dose.
  var corrections: [DoseID: [AnswerStoryEntry]] = [:]
  /// The page with older lines.
  var earlier: HistoryPlace?
  /// The page with newer lines.
  var later: HistoryPlace?
}

/// The position of a page in the history, as addresses express it.
package struct HistoryPlace: Sendable, Hashable {
  /// The last day of the page.
  package let end: CivilDate
  /// The number of lines up to that day that newer pages show; 0 unless its days have many lines.
  package var skipped = 0

  /// Reads the number of skipped lines from an address.
  package static func skipped(_ text: String?) -> Int {
    min(max(text.flatMap { Int($0) } ?? 0, 0), 1_000_000)
  }
}

/// Reads the history in pages of whole days, or of parts of days with very many lines; the caller
/// has checked that the actor may see it.
package enum HistoryReading {
  /// The maximum number of lines of a page.
  static let mostLines = 200

  /// Reads the page that ends with a day.
  ///
  /// - Parameters:
  ///   - lines: The approximate number of lines; the day of the last one is shown in full, up to
  ///     ``mostLines``.
  ///   - from: The first day that may be shown; nil for no limit.
  ///   - until: The last day that may be shown.
  ///   - end: The last day of this page; nil for the last day that may be shown.
  ///   - skipped: The number of lines up to that day that newer pages show.
  package static func part(
    _ filter: HistoryFilter, patient: PatientID, lines: Int = 30, from: CivilDate?,
    until: CivilDate, end: CivilDate?, skipped: Int = 0, zone: Zone, now: Timestamp,
    in reader: any SQLReader
  ) throws -> HistoryPart {
    func instant(_ day: CivilDate) -> Timestamp {
      Timestamp(milliseconds: zone.startOfDay(day).milliseconds)
    }
    func day(_ timestamp: Timestamp) -> CivilDate {
      zone.date(at: Instant(milliseconds: timestamp.milliseconds))
    }
    let lower = from.map(instant) ?? Timestamp(milliseconds: .min)
    let upper = instant(until.adding(days: 1))
    let end = min(end ?? until, until)
    let stop = min(instant(end.adding(days: 1)), upper)
    let reach = try HistoryQueries.moment(
      lines, before: stop, filter, patient: patient, now: now, in: reader)
    let start = max(reach.map { instant(day($0)) } ?? lower, lower)
    var part = HistoryPart()
    let found: ArraySlice<HistoryEntry> = try HistoryQueries.entries(
      filter, patient: patient, from: start, until: stop, most: skipped + mostLines + 1, now: now,
      in: reader
    ).reversed().dropFirst(skipped)
    part.entries = Array(found.prefix(mostLines))
    if let newest = part.entries.first, let oldest = part.entries.last {
      part.corrections = try HistoryQueries.corrections(
        plan: filter.plan, patient: patient, from: oldest.moment,
        until: newest.moment.adding(milliseconds: 1), in: reader)
    }
    if found.count > mostLines {
      part.earlier = HistoryPlace(end: end, skipped: skipped + mostLines)
    } else if reach != nil, start > lower,
      try !HistoryQueries.isEmpty(
        filter, patient: patient, from: lower, until: start, now: now, in: reader)
    {
      part.earlier = HistoryPlace(end: day(start).adding(days: -1))
    }
    if skipped > 0 {
      part.later = HistoryPlace(end: end, skipped: max(skipped - mostLines, 0))
    } else if stop < upper {
      let next = try HistoryQueries.moment(
        lines, from: stop, until: upper, filter, patient: patient, now: now, in: reader)
      part.later = HistoryPlace(end: next.map(day) ?? until)
    }
    return part
  }
}

// SPDX-License-Identifier: Apache-2.0

import Adherence
import Scheduling
import Storage
import TimeZones

/// Some whole days of the history, as one page shows them.
struct HistoryPart: Sendable {
  /// Newest first.
  var entries: [HistoryEntry] = []
  /// Every version of what was said, for doses whose answer was changed.
  var corrections: [DoseID: [AnswerStoryEntry]] = [:]
  /// The last day of the page with older lines.
  var earlier: CivilDate?
  /// The last day of the page with newer lines.
  var later: CivilDate?
}

/// Reads the history by pages of whole days; the caller has decided that it may be shown.
enum HistoryReading {
  /// Reads the page that ends with a day.
  ///
  /// - Parameters:
  ///   - lines: about how many there are; the day of the last of them is shown in full.
  ///   - from: the first day that may be shown; nil for the beginning of everything.
  ///   - until: the last day that may be shown.
  ///   - end: the last day of this page.
  static func part(
    _ filter: HistoryFilter, patient: String, lines: Int = 30, from: CivilDate?,
    until: CivilDate, end: CivilDate?, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws -> HistoryPart {
    func instant(_ day: CivilDate) -> Timestamp {
      Timestamp(milliseconds: zone.startOfDay(day).milliseconds)
    }
    func day(_ timestamp: Timestamp) -> CivilDate {
      zone.date(at: Instant(milliseconds: timestamp.milliseconds))
    }
    let lower = from.map(instant) ?? Timestamp(milliseconds: .min)
    let upper = instant(until.adding(days: 1))
    let stop = min(instant(min(end ?? until, until).adding(days: 1)), upper)
    let reach = try HistoryQueries.moment(
      lines, before: stop, filter, patient: patient, now: now, in: reader)
    let start = max(reach.map { instant(day($0)) } ?? lower, lower)
    var part = HistoryPart()
    part.entries = try HistoryQueries.entries(
      filter, patient: patient, from: start, until: stop, now: now, in: reader
    ).reversed()
    part.corrections = try HistoryQueries.corrections(
      plan: filter.plan, patient: patient, from: start, until: stop, in: reader)
    if reach != nil, start > lower,
      try !HistoryQueries.isEmpty(
        filter, patient: patient, from: lower, until: start, now: now, in: reader)
    {
      part.earlier = day(start).adding(days: -1)
    }
    if stop < upper {
      let next = try HistoryQueries.moment(
        lines, from: stop, until: upper, filter, patient: patient, now: now, in: reader)
      part.later = next.map(day) ?? until
    }
    return part
  }
}

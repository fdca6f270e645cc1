// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// The last intake of a plan, from which the next dose is counted.
struct LastIntake: Sendable, Hashable {
  let taken: Instant
  /// The time at which it was recorded; no dose becomes due earlier because of it.
  let recorded: Instant
  /// The highest dose number of the era at the time of recording; -1 for none.
  let number: Int64
}

/// Doses that each follow a number of hours after the last one taken, within waking hours if the
/// plan states them.
///
/// A dose that falls outside the waking hours waits for their beginning, and the hours continue
/// from there.
package struct IntakeChain: Sendable {
  let everyMilliseconds: Int64
  let waking: DayWindow?
  let zone: Zone
  /// The first dose.
  private(set) var first: Instant
  private(set) var firstNumber: Int64 = 0
  /// The end, exclusive; nil for no end.
  let end: Instant?
  /// The end of the dose numbers, exclusive; nil for no limit.
  let numberEnd: Int64?

  /// Creates a chain.
  ///
  /// - Parameter start: the beginning of the plan; no dose is earlier.
  init(
    everyMilliseconds: Int64, waking: DayWindow?, start: Instant, end: Instant?, count: Int?,
    after last: LastIntake?, zone: Zone
  ) {
    self.everyMilliseconds = max(everyMilliseconds, 1)
    self.waking = waking
    self.zone = zone
    self.end = end
    numberEnd = count.map { Int64($0) }
    first = start
    first = awake(start)
    guard let last else { return }
    firstNumber = last.number + 1
    var next = next(after: last.taken)
    if waking == nil, next <= last.recorded {
      let behind = last.recorded.milliseconds(since: next) / self.everyMilliseconds
      next = next.adding(milliseconds: behind * self.everyMilliseconds)
    }
    var steps: Int64 = 0
    while next <= last.recorded {
      steps += 1
      // The last intake may be years ago: jump ahead instead of counting every dose.
      next = steps < Self.farthest ? self.next(after: next) : self.next(after: last.recorded)
    }
    first = max(next, first)
  }

  /// Returns the dose that follows an intake at an instant.
  func next(after instant: Instant) -> Instant {
    awake(instant.adding(milliseconds: everyMilliseconds))
  }

  /// Returns the instant itself, or the next beginning of the waking hours.
  func awake(_ instant: Instant) -> Instant {
    guard let waking else { return instant }
    let local = zone.local(at: instant)
    if waking.contains(local.time) { return instant }
    let date = local.time > waking.from ? local.date.adding(days: 1) : local.date
    let begin = zone.instant(of: date, at: waking.from)?.instant ?? zone.startOfDay(date)
    return max(begin, instant)
  }

  /// Returns the doses in [from, until), in order.
  func occurrences(from: Instant, until: Instant, limit: Int) -> [Occurrence] {
    var found: [Occurrence] = []
    walk(from: from) { occurrence in
      guard occurrence.instant < until, found.count < limit else { return false }
      found.append(occurrence)
      return true
    }
    return found
  }

  /// Returns the first dose strictly after an instant.
  func first(after instant: Instant) -> Occurrence? {
    var found: Occurrence?
    walk(from: instant.adding(milliseconds: 1)) { occurrence in
      found = occurrence
      return false
    }
    return found
  }

  /// Returns the last dose strictly before an instant.
  func last(before instant: Instant) -> Occurrence? {
    var found: Occurrence?
    // Waking hours delay a dose by less than a day.
    walk(from: instant.adding(milliseconds: -everyMilliseconds - 2 * 86_400_000)) { occurrence in
      guard occurrence.instant < instant else { return false }
      found = occurrence
      return true
    }
    return found
  }

  /// Returns the time of the dose with a number.
  func instant(of number: Int64) -> Instant? {
    guard number >= firstNumber else { return nil }
    var found: Instant?
    walk(from: first) { occurrence in
      guard occurrence.id != .running(number) else {
        found = occurrence.instant
        return false
      }
      return number - firstNumber < Self.farthest
    }
    return found
  }

  /// The maximum number of doses after the last intake: years of hourly doses.
  private static let farthest: Int64 = 50_000
  /// The maximum number of doses visited to reach an instant: more than a century at two a day.
  private static let most: Int64 = 100_000

  /// Visits the doses from an instant on until the visitor returns false.
  private func walk(from: Instant, _ visit: (Occurrence) -> Bool) {
    var instant = first
    var number = firstNumber
    if waking == nil, from > first {
      let ahead =
        (from.milliseconds(since: first) + everyMilliseconds - 1) / everyMilliseconds
      instant = first.adding(milliseconds: ahead * everyMilliseconds)
      number += ahead
    }
    var steps: Int64 = 0
    while instant <= .latest, end.map({ instant < $0 }) ?? true,
      numberEnd.map({ number < $0 }) ?? true
    {
      // Waking hours have to be visited one by one. A plan that began long ago with tiny intervals and no
      // intakes gives no doses, so that it cannot block other work.
      steps += 1
      if steps > Self.most, instant < from { return }
      if instant >= from,
        !visit(Occurrence(id: .running(number), instant: instant, shift: .none))
      {
        return
      }
      instant = next(after: instant)
      number += 1
    }
  }
}

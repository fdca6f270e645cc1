// SPDX-License-Identifier: Apache-2.0

extension DosingRule {
  /// Returns the rules in a zone, each with the dose of its step; `anchor` is used for an alarm without a first date.
  public func rules(
    anchor: TimingAnchor, in zone: Zone
  ) -> [(rule: TimingRule, dose: TimingNode?)] {
    switch self {
    case .alarm(let alarm):
      var rule = TimingRule(
        pattern: .calendar(
          alarm.weekdays.map { .weekdays($0, everyWeeks: 1) } ?? .daily,
          alarm.times.map { .clock($0) }),
        anchor: alarm.from.map { Self.anchor($0, zone) } ?? anchor,
        end: alarm.until.map { .through($0, in: zone) })
      rule.excludedDates = alarm.excludedDates
      return [(rule, nil)]
    case .cyclic(let cyclic):
      let rule = TimingRule(
        pattern: .calendar(
          .runs(on: cyclic.daysOn, off: cyclic.daysOff), cyclic.times.map { .clock($0) }),
        anchor: Self.anchor(cyclic.start, zone))
      return [(rule, nil)]
    case .taper(let start, let steps): return Self.taper(start, steps, zone)
    case .interval(let every, let first, let count):
      let begin = first.start(in: zone)
      let rule = TimingRule(
        pattern: .elapsed(everyMilliseconds: every, times: 1),
        anchor: TimingAnchor(instant: begin.instant, date: begin.date), count: count)
      return [(rule, nil)]
    }
  }

  private static func anchor(_ date: CivilDate, _ zone: Zone) -> TimingAnchor {
    TimingAnchor(instant: zone.startOfDay(date), date: date)
  }

  private static func taper(
    _ start: CivilDate, _ steps: [TaperStep], _ zone: Zone
  ) -> [(rule: TimingRule, dose: TimingNode?)] {
    var rules: [(rule: TimingRule, dose: TimingNode?)] = []
    var day = start.daysSinceEpoch
    for step in steps where day <= CivilDate.latestDay {
      let last = CivilDate(daysSinceEpoch: day + step.days - 1)
      let rule = TimingRule(
        pattern: .calendar(.daily, step.times.map { .clock($0) }),
        anchor: anchor(CivilDate(daysSinceEpoch: day), zone), end: .through(last, in: zone))
      rules.append((rule, step.dose))
      day += step.days
    }
    return rules
  }
}

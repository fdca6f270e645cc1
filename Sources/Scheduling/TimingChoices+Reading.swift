// SPDX-License-Identifier: Apache-2.0

extension TimingChoices {
  /// Parses the `settings` of a question.
  ///
  /// The minutes of rule 21 are stored in the rhythm. Settings that are not given keep their defaults.
  init(_ question: NodeReader, _ rhythm: inout DailyRhythm) throws(TimingError) {
    self.init()
    guard let reader = try question.object("settings") else { return }
    for member in reader.members {
      switch Self.names.firstIndex(where: { $0.isSame(as: member.name) }) {
      case 0:
        let choice = try Self.choice(reader, member, ["next", "skip", "shift"])
        gap = [.next, .skip, .shift][choice]
      case 1: takesSecond = try Self.choice(reader, member, ["first", "second"]) == 1
      case 2: countsDaysByClock = try Self.choice(reader, member, ["elapsed", "clock"]) == 1
      case 3: try readTimes(reader)
      case 4: takesLongestPeriod = try Self.choice(reader, member, ["shortest", "longest"]) == 1
      case 5: skipsShortMonths = try Self.choice(reader, member, ["last", "skip"]) == 1
      case 6:
        guard let minutes = try reader.integer(member.name) else { continue }
        if minutes < 0 { throw reader.error(member.name, .negative) }
        if minutes > 1_440 { throw reader.error(member.name, .outOfRange) }
        rhythm.mealOffsetMinutes = minutes
      default: throw reader.error(member.name, .unknownElement)
      }
    }
  }

  private static let names = [
    "gap", "overlap", "every24Hours", "times", "period", "shortMonth", "mealMinutes",
  ]

  private static func choice(
    _ reader: NodeReader, _ member: TimingMember, _ words: [String]
  ) throws(TimingError) -> Int {
    guard case .text(let text) = member.value,
      let index = words.firstIndex(where: { $0.isSame(as: text) })
    else { throw reader.error(member.name, .unknownCode) }
    return index
  }

  /// Parses the times for numbers of doses a day, such as `{"2":["09:00","21:00"]}` for two.
  private mutating func readTimes(_ reader: NodeReader) throws(TimingError) {
    guard let own = try reader.object("times") else { return }
    for member in own.members {
      var clock: [ClockTime] = []
      for text in try own.texts(member.name) ?? [] {
        guard let time = ClockTime(text: text) else {
          throw own.error(member.name, .malformed("HH:MM or HH:MM:SS"))
        }
        clock.append(time)
      }
      guard member.name.isSame(as: String(clock.count)), clock.count <= 24,
        Set(clock).count == clock.count
      else { throw own.error(member.name, .malformed("a list of that many times")) }
      times.set(clock, perDay: clock.count)
    }
  }
}

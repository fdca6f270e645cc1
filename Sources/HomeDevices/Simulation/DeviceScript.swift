// SPDX-License-Identifier: Apache-2.0

import Storage

/// A script of days with a device: what a person does with it, and what goes wrong.
///
/// The same script with the same seed gives the same reports. Each line is `HH:MM[~MINUTES] ACTION [WORD…]
/// [PERCENT%]` below a line `day N` or `day N-M`; `#` begins a comment.
package struct DeviceScript: Sendable, Hashable {
  /// The event at a time.
  enum Action: Sendable, Hashable {
    case event(DeviceEvent.Kind, compartment: String, weight: Int64?, battery: Int?)
    /// From here on, events wait on the device.
    case offline
    /// Everything that waited is sent as one report.
    case online
    /// The device's clock is ahead by this many milliseconds from here on.
    case skew(Int64)
    /// The last report is sent again.
    case replay
    /// The device starts again and counts from 0.
    case restart
    /// Compartments are opened one after another, ten seconds apart.
    case refill([String])
  }

  /// A line of the script.
  struct Line: Sendable, Hashable {
    let days: ClosedRange<Int>
    let second: Int
    /// The seconds by which it may be earlier or later.
    let spread: Int
    /// The percentage of days on which it happens.
    let chance: Int
    let action: Action
  }

  /// The most days of a script.
  static let mostDays = 3_660

  let lines: [Line]

  /// The number of days.
  package var days: Int { lines.map(\.days.upperBound).max() ?? 0 }

  /// Reads a script.
  ///
  /// - Throws: ``DeviceScriptError`` with the number of the first line that is not understood.
  package init(_ text: String) throws(DeviceScriptError) {
    var lines: [Line] = []
    var days = 1...1
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first else { continue }
      if first == "day" {
        guard words.count == 2, let named = Self.days(words[1]) else {
          throw DeviceScriptError(line: index + 1)
        }
        days = named
      } else {
        guard let read = Self.line(words, days) else { throw DeviceScriptError(line: index + 1) }
        lines.append(read)
      }
    }
    self.lines = lines
  }

  private static func days(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first.flatMap({ $0 }), let last = ends.last.flatMap({ $0 }),
      ends.count <= 2, 1 <= first, first <= last, last <= mostDays
    else { return nil }
    return first...last
  }

  private static func line(_ words: [String], _ days: ClosedRange<Int>) -> Line? {
    var words = words
    var chance = 100
    if let last = words.last, last.hasSuffix("%"), words.count > 2 {
      guard let percent = Int(last.dropLast()), (0...100).contains(percent) else { return nil }
      chance = percent
      words.removeLast()
    }
    guard words.count >= 2 else { return nil }
    let parts = words[0].split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count <= 2, let second = Self.second(parts[0]) else { return nil }
    var spread = 0
    if parts.count == 2 {
      guard let minutes = Int(parts[1]), (0...720).contains(minutes) else { return nil }
      spread = minutes * 60
    }
    guard let action = Self.action(words[1], Array(words.dropFirst(2))) else { return nil }
    return Line(days: days, second: second, spread: spread, chance: chance, action: action)
  }

  /// Reads `08:05` or `08:05:30`.
  private static func second(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      (0...23).contains(hour), (0...59).contains(minute)
    else { return nil }
    guard parts.count == 3 else { return hour * 3_600 + minute * 60 }
    guard let second = parts[2], (0...59).contains(second) else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private static func action(_ name: String, _ words: [String]) -> Action? {
    switch (name, words.count) {
    case ("offline", 0): return .offline
    case ("online", 0): return .online
    case ("replay", 0): return .replay
    case ("restart", 0): return .restart
    case ("refill", 1...): return .refill(words)
    case ("skew", 1):
      guard let seconds = Int64(words[0]), abs(seconds) <= 10_000_000_000 else { return nil }
      return .skew(seconds * 1_000)
    case ("weight", 1), ("weight", 2):
      guard let grams = words.last.flatMap(Double.init), abs(grams) <= 1_000_000 else {
        return nil
      }
      return .event(
        .weight, compartment: words.count == 2 ? words[0] : HomeDeviceCompartment.whole,
        weight: Int64((grams * 1_000).rounded()), battery: nil)
    case ("battery", 1):
      guard let percent = Int(words[0]), (0...100).contains(percent) else { return nil }
      return .event(
        .battery, compartment: HomeDeviceCompartment.whole, weight: nil, battery: percent)
    case (_, 0...1):
      guard let kind = DeviceEvent.Kind(rawValue: name), kind != .weight, kind != .battery else {
        return nil
      }
      return .event(
        kind, compartment: words.first ?? HomeDeviceCompartment.whole, weight: nil, battery: nil)
    default: return nil
    }
  }
}

/// A line of a script that is not understood.
package struct DeviceScriptError: Error, Sendable, Hashable {
  /// The number of the line, from 1.
  package let line: Int
}

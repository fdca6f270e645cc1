// SPDX-License-Identifier: Apache-2.0

/// Writes instants of a zone as "2026-03-01T08:00:00+01:00": to the second, with the numeric offset in force.
public struct InstantWriter: Sendable {
  private let zone: Zone
  /// The stretch that held the last instant; neighbours are mostly in it too.
  private var span = ZoneSpan(start: 0, end: 0, offset: 0)
  /// The date last written, and its text with the T that follows.
  private var day = Int.min
  private var dayText: [UInt8] = []
  private var offsetText: [UInt8] = []

  /// Makes a writer for a zone.
  public init(_ zone: Zone) { self.zone = zone }

  /// Appends the text of an instant as ASCII.
  public mutating func append(_ instant: Instant, to bytes: inout [UInt8]) {
    let seconds = instant.supportedSeconds
    if seconds < span.start || seconds >= span.end {
      span = zone.span(at: seconds)
      writeOffset()
    }
    let wall = seconds + span.offset
    let date = Int(flooredQuotient(wall, 86_400))
    if date != day { writeDate(date) }
    bytes.append(contentsOf: dayText)
    let time = Int(flooredRemainder(wall, 86_400))
    Self.append(time / 3600, &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(time / 60 % 60, &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(time % 60, &bytes)
    bytes.append(contentsOf: offsetText)
  }

  private mutating func writeOffset() {
    offsetText.removeAll(keepingCapacity: true)
    offsetText.append(span.offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    // Offsets with seconds are history; ISO 8601 has room for minutes.
    let minutes = Int(span.offset.magnitude) / 60
    Self.append(minutes / 60, &offsetText)
    offsetText.append(UInt8(ascii: ":"))
    Self.append(minutes % 60, &offsetText)
  }

  private mutating func writeDate(_ number: Int) {
    day = number
    let date = CivilDate(daysSinceEpoch: number).parts
    dayText.removeAll(keepingCapacity: true)
    Self.append(date.year / 100, &dayText)
    Self.append(date.year % 100, &dayText)
    dayText.append(UInt8(ascii: "-"))
    Self.append(date.month, &dayText)
    dayText.append(UInt8(ascii: "-"))
    Self.append(date.day, &dayText)
    dayText.append(UInt8(ascii: "T"))
  }

  /// Two digits of a number from 0 to 99.
  private static func append(_ number: Int, _ bytes: inout [UInt8]) {
    bytes.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    bytes.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}

extension Zone {
  /// An instant as "2026-03-01T08:00:00+01:00".
  public func text(of instant: Instant) -> String {
    var bytes: [UInt8] = []
    var writer = InstantWriter(self)
    writer.append(instant, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

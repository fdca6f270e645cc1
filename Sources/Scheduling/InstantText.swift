// SPDX-License-Identifier: Apache-2.0

/// Formats instants as "2026-03-01T08:00:00+01:00": local time to the second with the numeric UTC offset.
public struct InstantWriter: Sendable {
  private let zone: Zone
  /// The span that contained the last instant; the next one is usually in it too.
  private var span = ZoneSpan(start: 0, end: 0, offset: 0)
  /// The day most recently written; `dayText` is its text, including the "T".
  private var day = Int.min
  private var dayText: [UInt8] = []
  private var offsetText: [UInt8] = []

  /// Creates a writer for a zone.
  public init(_ zone: Zone) { self.zone = zone }

  /// Appends the ASCII text of an instant.
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
    // Only historical offsets have seconds, and ISO 8601 offsets end at minutes.
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

  /// Appends a number from 0 to 99 as two digits.
  private static func append(_ number: Int, _ bytes: inout [UInt8]) {
    bytes.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    bytes.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}

extension Zone {
  /// Returns an instant in the form "2026-03-01T08:00:00+01:00".
  public func text(of instant: Instant) -> String {
    var bytes: [UInt8] = []
    var writer = InstantWriter(self)
    writer.append(instant, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

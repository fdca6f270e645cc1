// SPDX-License-Identifier: Apache-2.0

/// Writes instants of a zone as "2026-03-01T08:00:00+01:00": to the second, with the numeric offset in force.
public struct InstantWriter: Sendable {
  private let zone: Zone
  /// The stretch that held the last instant; neighbours are mostly in it too.
  private var span = ZoneSpan(start: 0, end: 0, offset: 0)

  /// Makes a writer for a zone.
  public init(_ zone: Zone) { self.zone = zone }

  /// Appends the text of an instant as ASCII.
  public mutating func append(_ instant: Instant, to bytes: inout [UInt8]) {
    let seconds = instant.supportedSeconds
    if seconds < span.start || seconds >= span.end { span = zone.span(at: seconds) }
    let wall = seconds + span.offset
    let date = CivilDate(daysSinceEpoch: Int(flooredQuotient(wall, 86_400))).parts
    let time = Int(flooredRemainder(wall, 86_400))
    Self.append(date.year / 100, &bytes)
    Self.append(date.year % 100, &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(date.month, &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(date.day, &bytes)
    bytes.append(UInt8(ascii: "T"))
    Self.append(time / 3600, &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(time / 60 % 60, &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(time % 60, &bytes)
    bytes.append(span.offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    // Offsets with seconds are history; ISO 8601 has room for minutes.
    let minutes = Int(span.offset.magnitude) / 60
    Self.append(minutes / 60, &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(minutes % 60, &bytes)
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

// SPDX-License-Identifier: Apache-2.0

/// The identifier of a dose in a plan's era; it does not change when the dose's time of day is edited.
public enum OccurrenceID: Hashable, Sendable {
  /// A slot on a nominal date: the date of the event, even if an offset moves the dose to another date.
  case slot(date: CivilDate, slot: Int)
  /// The number of an elapsed dose, counted from 0 at the anchor.
  case running(Int64)
  /// One of the given instants.
  case instant(Instant)

  /// The identifier in the form "20260301-2", "n17" or "e1772348400000".
  public var text: String {
    switch self {
    case .slot(let date, let slot): date.compactText + "-" + String(slot)
    case .running(let number): "n" + String(number)
    case .instant(let instant): "e" + String(instant.milliseconds)
    }
  }

  /// Parses a value of `text`; nil for anything else.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, bytes.count <= 32 else { return nil }
    switch first {
    case UInt8(ascii: "n"):
      guard let number = canonicalInteger(bytes.dropFirst()) else { return nil }
      self = .running(number)
    case UInt8(ascii: "e"):
      guard let milliseconds = canonicalInteger(bytes.dropFirst()) else { return nil }
      self = .instant(Instant(milliseconds: milliseconds))
    default:
      guard bytes.count >= 10, bytes[8] == UInt8(ascii: "-"),
        let year = digitsValue(bytes[0..<4]), let month = digitsValue(bytes[4..<6]),
        let day = digitsValue(bytes[6..<8]),
        let date = CivilDate(year: Int(year), month: Int(month), day: Int(day)),
        let number = canonicalInteger(bytes[9...]), let slot = Int(exactly: number)
      else { return nil }
      self = .slot(date: date, slot: slot)
    }
  }
}

/// A dose of a schedule at its instant.
public struct Occurrence: Hashable, Sendable {
  /// The identifier of the dose.
  public let id: OccurrenceID
  /// The time at which it is due.
  public let instant: Instant
  /// The effect of a clock change on its written wall time.
  public let shift: ZonedShift

  /// Creates an occurrence.
  public init(id: OccurrenceID, instant: Instant, shift: ZonedShift = .none) {
    self.id = id
    self.instant = instant
    self.shift = shift
  }
}

extension Occurrence {
  /// Returns the union of two ascending lists with one dose for each instant; the first list takes precedence (rules 10
  /// and 26).
  public static func union(_ first: [Occurrence], _ second: [Occurrence]) -> [Occurrence] {
    var merged: [Occurrence] = []
    merged.reserveCapacity(first.count + second.count)
    var remaining = second[...]
    for occurrence in first {
      while let other = remaining.first, other.instant <= occurrence.instant {
        if other.instant < occurrence.instant { merged.append(other) }
        remaining = remaining.dropFirst()
      }
      merged.append(occurrence)
    }
    merged.append(contentsOf: remaining)
    return merged
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Storage
import Synchronization

/// A clock that stands still until a test moves it.
package final class FixedClock: Sendable {
  private let instant: Mutex<Timestamp>

  package init(_ start: Timestamp) { instant = Mutex(start) }

  /// Begins at an instant such as "2026-03-01T08:00:00+01:00"; at 1970 for anything else.
  package convenience init(_ text: String) { self.init(Timestamp(text)) }

  package var now: Timestamp { instant.withLock { $0 } }

  package func set(_ text: String) { instant.withLock { $0 = Timestamp(text) } }

  package func advance(milliseconds: Int64) {
    instant.withLock { $0 = $0.adding(milliseconds: milliseconds) }
  }

  package func advance(minutes: Int64) { advance(milliseconds: minutes * 60_000) }

  package func advance(hours: Int64) { advance(milliseconds: hours * 3_600_000) }
}

extension Timestamp {
  /// An instant as FHIR writes it; 1970 for anything else, which no test uses.
  package init(_ text: String) {
    self.init(milliseconds: FHIRDateTime(text)?.epochMilliseconds ?? 0)
  }
}

/// Makes the identifiers `prefix1`, `prefix2`, ….
package final class CountingIdentifiers: Sendable {
  private let prefix: String
  private let count = Mutex(0)

  package init(prefix: String = "id") { self.prefix = prefix }

  package func next() -> String {
    let number = count.withLock { count -> Int in
      count += 1
      return count
    }
    return "\(prefix)\(number)"
  }
}

/// A random sequence that is the same for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Storage
import Synchronization

/// A clock that stands still until a test moves it.
package final class FixedClock: Sendable {
  private let instant: Mutex<Timestamp>

  /// Creates a clock that stands at an instant.
  package init(_ start: Timestamp) { instant = Mutex(start) }

  /// Creates a clock that stands at an instant such as "2026-03-01T08:00:00+01:00", or at 1970 for
  /// any other text.
  package convenience init(_ text: String) { self.init(Timestamp(text)) }

  /// The instant at which the clock stands.
  package var now: Timestamp { instant.withLock { $0 } }

  /// Sets the clock to an instant such as "2026-03-01T08:00:00+01:00", also an earlier one.
  package func set(_ text: String) { instant.withLock { $0 = Timestamp(text) } }

  /// Moves the clock forward by milliseconds, or back by a negative number.
  package func advance(milliseconds: Int64) {
    instant.withLock { $0 = $0.adding(milliseconds: milliseconds) }
  }

  /// Moves the clock forward by minutes.
  package func advance(minutes: Int64) { advance(milliseconds: minutes * 60_000) }

  /// Moves the clock forward by hours.
  package func advance(hours: Int64) { advance(milliseconds: hours * 3_600_000) }
}

extension Timestamp {
  /// Creates an instant from FHIR text; 1970 for any other text, which no test uses.
  package init(_ text: String) {
    self.init(milliseconds: FHIRDateTime(text)?.epochMilliseconds ?? 0)
  }
}

/// A source of the identifiers `prefix1`, `prefix2` and so on.
package final class CountingIdentifiers: Sendable {
  private let prefix: String
  private let count = Mutex(0)

  /// Creates a source whose identifiers begin with `prefix`.
  package init(prefix: String = "id") { self.prefix = prefix }

  /// Returns the next identifier; the first one ends in 1.
  package func next() -> String {
    let number = count.withLock { count -> Int in
      count += 1
      return count
    }
    return "\(prefix)\(number)"
  }
}

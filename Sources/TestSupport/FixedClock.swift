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

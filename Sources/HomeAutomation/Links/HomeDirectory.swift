// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The people on the broker by the id in their topics, with what a press must repeat now.
package final class HomeDirectory: Sendable {
  /// A person on the broker.
  package struct Entry: Sendable {
    /// The link of the person.
    package let link: HomeLink
    /// The key of the due doses, as it was last published: empty if none wait, nil before the first time.
    package var doseKey: String?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Creates an empty directory.
  package init() {}

  /// Returns the person of an id; nil if there is none.
  package func entry(_ id: String) -> Entry? { entries.withLock { $0[id] } }

  /// Adds a person, or replaces the link of one whose key stays.
  package func add(_ link: HomeLink, as id: String) {
    entries.withLock { entries in
      entries[id] = Entry(link: link, doseKey: entries[id]?.doseKey)
    }
  }

  /// Removes a person.
  package func remove(_ id: String) {
    entries.withLock { $0[id] = nil }
  }

  /// Notes what a press must repeat from now on.
  package func note(_ doseKey: String, of id: String) {
    entries.withLock { $0[id]?.doseKey = doseKey }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// An entry of the diary before it has an id.
package struct DiaryDraft: Sendable, Hashable {
  /// The value.
  package var value: DiaryValue
  /// A note; empty for none.
  package var note: String
  /// The reason why an unlikely value is right; empty for none.
  package var reason: String
  /// The time to which the entry belongs.
  package var at: Timestamp

  /// Creates a draft.
  package init(_ value: DiaryValue, at: Timestamp, note: String = "", reason: String = "") {
    self.value = value
    self.at = at
    self.note = note
    self.reason = reason
  }
}

/// An entry of the diary.
package struct DiaryEntry: Sendable, Hashable {
  /// The id of its Observation.
  package let id: String
  /// The tracker.
  package let tracker: TrackerID
  /// The content.
  package let draft: DiaryDraft
  /// The minutes by which the person's clock was ahead of UTC.
  package let offsetMinutes: Int
  /// False for a value that a device or another program sent.
  package let isOwn: Bool

  /// Creates an entry.
  package init(
    id: String, tracker: TrackerID, draft: DiaryDraft, offsetMinutes: Int, isOwn: Bool = true
  ) {
    self.id = id
    self.tracker = tracker
    self.draft = draft
    self.offsetMinutes = offsetMinutes
    self.isOwn = isOwn
  }

  /// The day and the second of that day, on the person's clock at the time of the entry.
  var localDay: (day: CivilDate, second: Int) {
    let local = draft.at.milliseconds / 1_000 + Int64(offsetMinutes) * 60
    let second = ((local % 86_400) + 86_400) % 86_400
    return (CivilDate(daysSinceEpoch: Int((local - second) / 86_400)), Int(second))
  }
}

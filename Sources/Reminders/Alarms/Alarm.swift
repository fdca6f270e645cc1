// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Scheduling
import Storage

/// An alarm that a person set up, independent of medicines.
package struct Alarm: Sendable, Hashable {
  /// The patient for whom the alarm rings.
  package let patient: PatientID
  /// The identifier of the alarm.
  package let id: AlarmID
  /// The alarm as the person set it up.
  package let draft: AlarmDraft
  /// The number of the era, which grows with each change to the meaning of the times.
  let era: Int64
  /// The next time at which the alarm rings; nil while it is off or has ended.
  package let next: Timestamp?
  /// The number of the version, growing by one with each change by a person.
  package let version: Int64

  /// Returns the name of the alarm: its label, or the name of its kind.
  package func name(_ localizer: Localizer) -> String { draft.kind.name(draft.label, localizer) }
}

/// The settings of an alarm, as a person enters them.
package struct AlarmDraft: Sendable, Hashable {
  /// The kind of the alarm.
  package var kind: AlarmKind
  /// The label, which can be empty unless the kind is ``AlarmKind/own``.
  package var label: String
  /// The time of day and the days on which the alarm rings.
  package var times: AlarmTimes
  /// The sound: a raw value of ``AlarmSound``, or the id of one of the person's own sounds.
  package var sound: String
  /// The minutes by which the first "later" postpones the alarm, from 1 to 240.
  package var snooze: Int
  /// The minutes before the alarm at which a notice announces it, from 1 to 1440; nil for no
  /// notice.
  package var lead: Int?
  /// True if the alarm is on.
  package var isOn: Bool

  /// Creates a draft; by default with the standard sound and snooze, without an advance notice, and
  /// on.
  package init(
    kind: AlarmKind, label: String, times: AlarmTimes, sound: String = AlarmSound.standard.rawValue,
    snooze: Int = Alert.standardSnooze, lead: Int? = nil, isOn: Bool = true
  ) {
    self.kind = kind
    self.label = label
    self.times = times
    self.sound = sound
    self.snooze = snooze
    self.lead = lead
    self.isOn = isOn
  }

  /// The minutes offered for the first "later".
  package static let snoozes = [5, 10, 15, 20, 30, 60]
  /// The minutes before an alarm that are offered for an advance notice.
  package static let leads = [10, 15, 30, 60, 120]
  /// The longest label, in Unicode scalars.
  package static let longestLabel = 80
}

/// A problem with a draft.
package enum AlarmIssue: String, Sendable, Hashable, CaseIterable {
  case labelMissing, labelTooLong, labelUnreadable, endsBeforeStart, over, startOutOfRange,
    soundUnknown, snooze, lead
}

extension AlarmDraft {
  /// Returns all problems with the draft; `sounds` are the ids of the person's own sounds.
  package func issues(sounds: Set<String>, now: Timestamp, zone: Zone) -> [AlarmIssue] {
    var issues: [AlarmIssue] = []
    if kind == .own && label.isEmpty { issues.append(.labelMissing) }
    if label.unicodeScalars.count > Self.longestLabel { issues.append(.labelTooLong) }
    if label.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      issues.append(.labelUnreadable)
    }
    if !(1900...2200).contains(times.starts.year)
      || !(1900...2200).contains(
        (times.ends ?? times.starts).year)
    {
      issues.append(.startOutOfRange)
    } else if let ends = times.ends, ends < times.starts {
      issues.append(.endsBeforeStart)
    } else if isOn && times.next(after: now, in: zone) == nil {
      issues.append(.over)
    }
    if AlarmSound(rawValue: sound) == nil && !sounds.contains(sound) {
      issues.append(.soundUnknown)
    }
    if !(1...240).contains(snooze) { issues.append(.snooze) }
    if let lead, !(1...1_440).contains(lead) { issues.append(.lead) }
    return issues
  }
}

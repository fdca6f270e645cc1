// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Scheduling
import Storage

/// An alarm of the person's own, beside those of medicines.
package struct Alarm: Sendable, Hashable {
  package let patient: PatientID
  package let id: AlarmID
  package let draft: AlarmDraft
  /// Grows with each change of what its times mean.
  let era: Int64
  /// When it rings next; nil while it is off or over.
  package let next: Timestamp?
  package let version: Int64

  package func name(_ localizer: Localizer) -> String { draft.kind.name(draft.label, localizer) }
}

/// What a person says about an alarm.
package struct AlarmDraft: Sendable, Hashable {
  package var kind: AlarmKind
  /// May be empty where the kind says enough.
  package var label: String
  package var times: AlarmTimes
  /// A name of ``AlarmSound``, or the id of a sound of one's own.
  package var sound: String
  /// By how many minutes the first "later" puts off.
  package var snooze: Int
  /// By how many minutes it is announced.
  package var lead: Int?
  package var isOn: Bool

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

  package static let snoozes = [5, 10, 15, 20, 30, 60]
  package static let leads = [10, 15, 30, 60, 120]
  package static let longestLabel = 80
}

/// What is wrong with a draft.
package enum AlarmIssue: String, Sendable, Hashable, CaseIterable {
  case labelMissing, labelTooLong, labelUnreadable, endsBeforeStart, over, startOutOfRange,
    soundUnknown, snooze, lead
}

extension AlarmDraft {
  /// All that is wrong; `sounds` are the ids of the person's own.
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

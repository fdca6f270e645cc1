// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Statistics
import Storage

/// The medicines that are taken now, by the part of the day at which they are due.
///
/// A medicine with doses in several parts is in each of them. One that is not taken every day, or
/// not today and tomorrow, is among the other days.
struct MedicinesByTime: Sendable {
  /// A part of the day, or the group of medicines without a daily time.
  enum Group: Sendable, Hashable {
    case part(DayPart)
    case otherDays

    static let all = DayPart.allCases.map(Group.part) + [.otherDays]
  }

  /// A medicine in one group.
  struct Entry: Sendable {
    let plan: Plan
    /// The doses of the group, one for each time of day, starting with the next; empty if there are
    /// no more doses.
    let doses: [ComingDose]

    var next: ComingDose? { doses.first }
  }

  /// The groups that have medicines, in the order of the day.
  let groups: [(group: Group, entries: [Entry])]

  init(_ running: [MedicineList.Running], zone: Zone) {
    func clockTime(_ dose: ComingDose) -> ClockTime {
      zone.local(at: Instant(milliseconds: dose.due.milliseconds)).time
    }
    var found: [Group: [Entry]] = [:]
    for item in running {
      guard item.isDaily else {
        let entry = Entry(plan: item.plan, doses: Array(item.doses.prefix(1)))
        found[.otherDays, default: []].append(entry)
        continue
      }
      for part in DayPart.allCases {
        var times: Set<ClockTime> = []
        let doses = item.doses.filter { dose in
          let time = clockTime(dose)
          return DayPart(hour: time.hour) == part && times.insert(time).inserted
        }
        guard !doses.isEmpty else { continue }
        found[.part(part), default: []].append(Entry(plan: item.plan, doses: doses))
      }
    }
    groups = Group.all.compactMap { group in
      guard let entries = found[group] else { return nil }
      let sorted = entries.sorted { left, right in
        switch group {
        case .part:
          let times = [left, right].map { entry in
            entry.doses.map { Self.position(clockTime($0)) }.min() ?? 0
          }
          return (times[0], left.plan.medicineName) < (times[1], right.plan.medicineName)
        case .otherDays:
          let last = Timestamp(milliseconds: .max)
          return (left.next?.due ?? last, left.plan.medicineName)
            < (right.next?.due ?? last, right.plan.medicineName)
        }
      }
      return (group, sorted)
    }
  }

  /// Returns the seconds since the start of the morning, so that 23:00 comes before 02:00.
  static func position(_ time: ClockTime) -> Int {
    (time.secondsOfDay + 19 * 3_600) % 86_400
  }
}

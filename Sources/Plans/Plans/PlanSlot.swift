// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// A time of day of a plan with the id that its doses keep through edits.
package struct PlanSlot: Sendable, Hashable {
  /// The slot's number, which is never used again within the plan.
  package let id: Int
  /// The position of its dosage in the request.
  package let dosage: Int
  /// The time of day, by the clock or by an event of the day.
  package let time: SlotTime

  /// Creates a slot.
  package init(id: Int, dosage: Int, time: SlotTime) {
    self.id = id
    self.dosage = dosage
    self.time = time
  }
}

extension SlotTime {
  /// The form stored in `plan_slots.time`: "08:00:00", "ACM" or "ACM+20".
  package var text: String {
    switch self {
    case .clock(let time): time.text
    case .event(let event, let offset): event.code + (offset.map { "+\($0)" } ?? "")
    }
  }

  /// Reads the form of ``text``; nil for anything else.
  package init?(text: String) {
    if let time = ClockTime(text: text) {
      self = .clock(time)
      return
    }
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count <= 2, let event = DayEvent(code: String(parts[0])) else { return nil }
    guard parts.count == 2 else {
      self = .event(event, offsetMinutes: nil)
      return
    }
    guard let offset = Int(parts[1]), offset >= 0 else { return nil }
    self = .event(event, offsetMinutes: offset)
  }
}

/// The assignment of an edited request's times to the slots they already had.
package enum SlotAssignment {
  /// The slots in use and those that were retired.
  package struct Result: Sendable, Hashable {
    /// The slots in use, in the order of the rules.
    package let slots: [PlanSlot]
    /// The ids of slots that are no longer used.
    package let retired: [Int]
  }

  /// Assigns a slot to each time of the rules.
  ///
  /// An unchanged time keeps its slot. A changed one takes the slot that `named` gives it or, with
  /// `pairsInOrder`, the next free one. New ids follow `highest`.
  package static func assign(
    _ rules: [PlanRule], existing: [PlanSlot], highest: Int, named: [SlotTime: Int],
    pairsInOrder: Bool
  ) -> Result {
    var wanted: [(dosage: Int, time: SlotTime)] = []
    for rule in rules {
      guard case .calendar(_, let times) = rule.pattern else { continue }
      wanted += times.map { (rule.dosage, $0) }
    }
    var free = existing.sorted { $0.id < $1.id }
    var ids = [Int?](repeating: nil, count: wanted.count)
    func take(_ index: Int, where matches: (PlanSlot) -> Bool) {
      guard ids[index] == nil, let found = free.firstIndex(where: matches) else { return }
      ids[index] = free.remove(at: found).id
    }
    for (index, item) in wanted.enumerated() {
      take(index) { $0.dosage == item.dosage && $0.time == item.time }
    }
    for (index, item) in wanted.enumerated() { take(index) { $0.time == item.time } }
    for (index, item) in wanted.enumerated() {
      if let name = named[item.time] { take(index) { $0.id == name } }
    }
    if pairsInOrder {
      for index in wanted.indices { take(index) { _ in true } }
    }
    var last = highest
    var slots: [PlanSlot] = []
    for (index, item) in wanted.enumerated() {
      if ids[index] == nil { last += 1 }
      slots.append(PlanSlot(id: ids[index] ?? last, dosage: item.dosage, time: item.time))
    }
    return Result(slots: slots, retired: free.map(\.id))
  }
}

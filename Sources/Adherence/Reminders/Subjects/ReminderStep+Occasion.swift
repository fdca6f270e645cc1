// SPDX-License-Identifier: Apache-2.0

import Storage

extension ReminderStep {
  /// What to do about a reminder that rings for something besides doses.
  static func next(
    _ row: ReminderRow, occasion: Occasion?, timing: LadderTiming = .standard, now: Timestamp
  ) -> ReminderStep {
    var step = ReminderStep(row)
    step.timing = timing
    step.timing.isCritical = occasion?.isCritical ?? false
    step.follow(occasion, now: now)
    return step
  }

  private mutating func follow(_ occasion: Occasion?, now: Timestamp) {
    guard let occasion, occasion.state != .cancelled else {
      return row.close(row.outcome ?? .cancelled, at: now)
    }
    guard occasion.state == .open else { return row.close(.answered, at: now) }
    guard now < occasion.ends else {
      return row.close(row.outcome ?? (row.handedOver == nil ? .missed : .expired), at: now)
    }
    if occasion.generation > row.generation {
      row = row.next(starts: occasion.ringsFrom, due: occasion.due, ends: occasion.ends)
      row.generation = occasion.generation
    } else if let before = row.outcome {
      // Woken, with nothing new to ring for.
      return row.close(before, at: now)
    }
    guard row.started <= now else {
      row.nextAt = row.started
      return
    }
    ring(for: [], now: now)
  }
}

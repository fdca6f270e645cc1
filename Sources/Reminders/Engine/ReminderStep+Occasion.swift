// SPDX-License-Identifier: Apache-2.0

import Storage

extension ReminderStep {
  // MARK: An occasion

  mutating func follow(_ occasion: Occasion?, now: Timestamp) {
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

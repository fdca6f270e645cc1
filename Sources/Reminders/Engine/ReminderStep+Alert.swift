// SPDX-License-Identifier: Apache-2.0

import Storage

extension ReminderStep {
  // MARK: An alert

  mutating func follow(_ alert: Alert?, now: Timestamp) {
    guard let alert, alert.state != .cancelled else {
      return row.close(row.outcome ?? .cancelled, at: now)
    }
    guard alert.state == .open else { return row.close(.answered, at: now) }
    guard now < alert.ends else {
      return row.close(row.outcome ?? (row.handedOver == nil ? .missed : .expired), at: now)
    }
    if alert.generation > row.generation {
      row = row.next(starts: alert.ringsFrom, due: alert.due, ends: alert.ends)
      row.generation = alert.generation
    } else if let before = row.outcome {
      // It was woken with nothing new to ring for.
      return row.close(before, at: now)
    }
    guard row.started <= now else {
      row.nextAt = row.started
      return
    }
    ring(for: [], now: now)
  }
}

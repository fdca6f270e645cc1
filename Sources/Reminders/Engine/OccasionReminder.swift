// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// A kind that rings for an ``Occasion``.
protocol OccasionReminder: ReminderHandler {}

extension OccasionReminder {
  var isOccasion: Bool { true }
  var isToldOnce: Bool { false }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], occasion: Occasion?, now: Timestamp
  ) {
    step.follow(occasion, now: now)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    guard delivery.isTold, let occasion = delivery.occasion else { return .end(.stale) }
    guard !occasion.state.isAnswered else { return .end(.answered) }
    let isTooLate = delivery.handedOver == nil && now > delivery.freshUntil
    let isCurrent =
      delivery.generation == delivery.currentGeneration && !delivery.isSuperseded && !isTooLate
    return delivery.sending(if: occasion.state == .open && isCurrent, at: now)
  }
}

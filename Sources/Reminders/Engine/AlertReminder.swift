// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// A kind that rings for an ``Alert``.
protocol AlertReminder: ReminderHandler {}

extension AlertReminder {
  var isAlert: Bool { true }
  var isToldOnce: Bool { false }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp
  ) {
    step.follow(alert, now: now)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    guard delivery.isTold, let alert = delivery.alert else { return .end(.stale) }
    guard !alert.state.isAnswered else { return .end(.answered) }
    let isTooLate = delivery.handedOver == nil && now > delivery.freshUntil
    let isCurrent =
      delivery.generation == delivery.currentGeneration && !delivery.isSuperseded && !isTooLate
    return delivery.sending(if: alert.state == .open && isCurrent, at: now)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// A kind from heart rate monitoring: not about doses, and new in each generation.
protocol HeartReminder: ReminderHandler {}

extension HeartReminder {
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    let isCurrent = delivery.generation == delivery.currentGeneration
    return delivery.sending(if: delivery.isTold && isCurrent, at: now)
  }

  func page(of subject: ReminderID) -> String? { "/heart-rate/warnings/\(subject)" }
}

// SPDX-License-Identifier: Apache-2.0

import Reminders
import Synchronization
import Web

/// The number of deliveries in progress on each channel.
///
/// Each channel has its own limit, so that a slow mail program never delays a push.
final class DeliveryPlaces: Sendable {
  private struct State {
    var used: [ReminderChannel: Int] = [:]
    /// Channels with more waiting deliveries than free places.
    var starved: Set<ReminderChannel> = []
  }

  private let state = Mutex(State())
  private let wake: WakeSignal

  init(wake: WakeSignal) {
    self.wake = wake
  }

  private static func capacity(_ channel: ReminderChannel) -> Int {
    switch channel {
    case .push: 1024
    case .mail: 8
    case .ntfy, .webhook: 64
    case .sms, .call: 16
    }
  }

  var inUse: Int { state.withLock { $0.used.values.reduce(0, +) } }

  func free(_ channel: ReminderChannel) -> Int {
    state.withLock { Self.capacity(channel) - $0.used[channel, default: 0] }
  }

  func take(_ channel: ReminderChannel) {
    state.withLock { $0.used[channel, default: 0] += 1 }
  }

  /// Records that all places were taken: the loop is woken when a quarter is free again.
  func noteStarved(_ channel: ReminderChannel) {
    state.withLock { _ = $0.starved.insert(channel) }
  }

  func release(_ channel: ReminderChannel) {
    let rings = state.withLock { state in
      let used = state.used[channel, default: 1] - 1
      state.used[channel] = used
      let capacity = Self.capacity(channel)
      guard capacity - used >= capacity / 4 else { return false }
      return state.starved.remove(channel) != nil
    }
    if rings { wake.ring() }
  }
}

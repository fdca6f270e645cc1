// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import Synchronization

/// The number of requests that each app sends in the name of each account, so that one that runs wild doesn't slow
/// others down.
///
/// Each node counts its own, in whole minutes. An account counts for itself: no one uses up what an app may do for
/// other people.
package final class AppRequestLimit: Sendable {
  private struct Sender: Sendable, Hashable {
    let app: AppID
    let account: AccountID
  }

  private struct Count: Sendable {
    var minute: Int64
    var requests: Int
  }

  /// The most requests in a minute.
  package static let usual = 30_000
  /// The number of senders beyond which those of earlier minutes are forgotten.
  private static let remembered = 10_000

  private let most: Int
  private let state = Mutex<[Sender: Count]>([:])

  /// Creates the count.
  package init(most: Int = AppRequestLimit.usual) {
    self.most = most
  }

  /// Counts a request; returns the seconds to wait if it is one too many, else nil.
  package func wait(of app: AppID, for account: AccountID, at now: Timestamp) -> Int? {
    let minute = now.milliseconds / 60_000
    let sender = Sender(app: app, account: account)
    return state.withLock { counts in
      if counts.count >= Self.remembered { counts = counts.filter { $0.value.minute == minute } }
      var count = counts[sender] ?? Count(minute: minute, requests: 0)
      if count.minute != minute { count = Count(minute: minute, requests: 0) }
      count.requests = min(count.requests + 1, most + 1)
      counts[sender] = count
      guard count.requests > most else { return nil }
      return Int(60 - now.milliseconds / 1000 % 60)
    }
  }
}

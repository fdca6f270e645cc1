// SPDX-License-Identifier: Apache-2.0

import Storage

/// The latest attempt to mail administrators about one kind of fault.
struct FaultMailRecord: Sendable, Hashable {
  /// The minutes until the next attempt after the first, second, … refusal in a row.
  static let pauses: [Int64] = [1, 5, 15, 60]
  /// The minutes after a mail in which the same kind of fault is not mailed again.
  static let quietMinutes: Int64 = 60

  /// The number of refusals since the last accepted mail.
  private(set) var refusals = 0
  private(set) var last: Timestamp?

  /// Returns true if a mail about this kind of fault may be sent now.
  func allowsMail(at now: Timestamp) -> Bool {
    guard let last else { return true }
    let pause =
      refusals == 0 ? Self.quietMinutes : Self.pauses[min(refusals, Self.pauses.count) - 1]
    let passed = now.milliseconds - last.milliseconds
    // A clock that was set back does not delay the mail by more than the pause.
    return passed < 0 || passed >= pause * 60_000
  }

  mutating func note(isAccepted: Bool, at now: Timestamp) {
    refusals = isAccepted ? 0 : refusals + 1
    last = now
  }
}

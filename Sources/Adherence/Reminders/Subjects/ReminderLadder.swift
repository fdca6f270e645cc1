// SPDX-License-Identifier: Apache-2.0

import Storage

/// How a reminder reaches somebody.
package enum ReminderChannel: String, Sendable, Hashable, CaseIterable {
  case push, mail
}

/// Somebody who is told of a patient's doses, with the devices that they have.
struct ReminderRecipient: Sendable, Hashable {
  /// A subscription with what is known of its health.
  struct Device: Sendable, Hashable {
    let subscription: String
    let unshown: Int64
    let firstUnshown: Timestamp?

    /// Whether the device is treated as broken: five or more were handed over without one being
    /// shown, the first of them over a day ago.
    func isBroken(at now: Timestamp) -> Bool {
      guard unshown >= 5, let firstUnshown else { return false }
      return firstUnshown.adding(milliseconds: 24 * 3_600_000) < now
    }
  }

  let account: String
  var devices: [Device]
}

/// One address that a rung goes to.
struct RungAddress: Sendable, Hashable {
  /// What stands for the mailbox of an account in `deliveries.address`.
  static let mailbox = "mail"

  let recipient: String
  let channel: ReminderChannel
  let address: String
}

/// The rungs of a reminder and whom each goes to.
enum ReminderLadder {
  /// Minutes from the start of the generation: push, push again, the loud channel else push, mail.
  static let minutes: [Int64] = [0, 5, 10, 20]
  /// A rung later than this moves the ones after it by as much.
  static let tolerance: Int64 = 30_000
  /// A rung later than this is not fired any more.
  static let patience: Int64 = 3_600_000

  static func count(_ kind: ReminderKind) -> Int { kind == .doses ? minutes.count : 1 }

  static func time(of rung: Int, started: Timestamp) -> Timestamp {
    started.adding(milliseconds: minutes[min(max(rung, 0), minutes.count - 1)] * 60_000)
  }

  /// The addresses of a rung; mail goes at once to somebody without a device that works.
  static func addresses(
    rung: Int, recipients: [ReminderRecipient], mailIsPossible: Bool, now: Timestamp
  ) -> [RungAddress] {
    var addresses: [RungAddress] = []
    for recipient in recipients {
      if rung < 3 {
        for device in recipient.devices {
          addresses.append(
            RungAddress(
              recipient: recipient.account, channel: .push, address: device.subscription))
        }
      }
      let works = recipient.devices.contains { !$0.isBroken(at: now) }
      if mailIsPossible, rung == 3 || (rung == 0 && !works) {
        addresses.append(
          RungAddress(
            recipient: recipient.account, channel: .mail, address: RungAddress.mailbox))
      }
    }
    return addresses
  }
}

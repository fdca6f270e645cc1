// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// How a reminder reaches somebody.
package enum ReminderChannel: String, Sendable, Hashable, CaseIterable {
  case push, mail, ntfy, webhook, sms, call

  /// Whether its addresses are set up by a person, one by one, and proven by a test.
  package var isSetUp: Bool { self != .push && self != .mail }
  /// Whether it goes to a phone number, through the operator's gateway.
  package var isPhone: Bool { self == .sms || self == .call }
}

/// Somebody who is told of a patient's doses, with the devices that they have.
package struct ReminderRecipient: Sendable, Hashable {
  /// A subscription with what is known of its health.
  package struct Device: Sendable, Hashable {
    package let subscription: String
    package let unshown: Int64
    package let firstUnshown: Timestamp?

    package init(subscription: String, unshown: Int64, firstUnshown: Timestamp?) {
      self.subscription = subscription
      self.unshown = unshown
      self.firstUnshown = firstUnshown
    }

    /// Whether the device is treated as broken: five or more were handed over without one being shown, the
    /// first of them over a day ago, or two and more, the first over six days ago, for who takes something
    /// once a week.
    package func isBroken(at now: Timestamp) -> Bool {
      guard unshown >= 2, let firstUnshown else { return false }
      let hours: Int64 = unshown >= 5 ? 24 : 6 * 24
      return firstUnshown.adding(milliseconds: hours * 3_600_000) < now
    }
  }

  package let account: AccountID
  package var devices: [Device]
  /// Whether no reminder is to go to the mailbox.
  package var isMailboxSilent = false
  /// Whether they do not act for the patient, and are told when nobody answers.
  var isFamily = false
  /// Of the family: what they may be told of when nobody answers.
  var hears: Set<ReminderKind> = []
  /// Whether they are a guardian who waits until nobody else answered.
  var isWaiting = false
  /// The channels on which they do not want to be told of the patient.
  package var silenced: Set<ReminderChannel> = []
  /// What else they set up and proved.
  package var addresses: [EscalationAddress] = []

  package init(
    account: AccountID, devices: [Device], isMailboxSilent: Bool = false, isFamily: Bool = false,
    hears: Set<ReminderKind> = [], isWaiting: Bool = false, silenced: Set<ReminderChannel> = [],
    addresses: [EscalationAddress] = []
  ) {
    self.account = account
    self.devices = devices
    self.isMailboxSilent = isMailboxSilent
    self.isFamily = isFamily
    self.hears = hears
    self.isWaiting = isWaiting
    self.silenced = silenced
    self.addresses = addresses
  }

  /// What stands in for a device without ringing, writing or calling.
  static let quietChannels: Set<ReminderChannel> = [.ntfy]
  /// What takes over where no device works, besides the mailbox.
  var others: [EscalationAddress] { addresses }

  func of(_ channels: Set<ReminderChannel>) -> [EscalationAddress] {
    addresses.filter { channels.contains($0.channel) }
  }
}

/// One address that a rung goes to.
package struct EscalationAddress: Sendable, Hashable {
  /// What stands for the mailbox of an account in `deliveries.address`.
  static let mailbox = "mail"

  let recipient: AccountID
  package let channel: ReminderChannel
  let address: String
}

/// Whom a rung goes to, and where.
enum ReminderEscalation {
  /// A notice goes to every device and mailbox at once.
  static func noticeAddresses(
    recipients: [ReminderRecipient], mailIsPossible: Bool
  ) -> [EscalationAddress] {
    recipients.flatMap { recipient in
      recipient.devices.map {
        EscalationAddress(recipient: recipient.account, channel: .push, address: $0.subscription)
      }
        + (mailIsPossible && !recipient.isMailboxSilent
          ? [
            EscalationAddress(
              recipient: recipient.account, channel: .mail, address: EscalationAddress.mailbox)
          ] : [])
    }
  }

  /// A word ahead goes to devices, and by ntfy where none of them works: nobody is called or written to for it.
  static func quietAddresses(recipients: [ReminderRecipient], now: Timestamp) -> [EscalationAddress] {
    recipients.filter { $0.is(.acting) }.flatMap { recipient in
      recipient.devices.map {
        EscalationAddress(recipient: recipient.account, channel: .push, address: $0.subscription)
      }
        + (recipient.devices.contains { !$0.isBroken(at: now) }
          ? [] : recipient.of(ReminderRecipient.quietChannels))
    }
  }

  /// What is low, or a change of the clock, is told like a word ahead, and by mail to whoever has neither; nobody is
  /// called for it.
  static func calmAddresses(
    recipients: [ReminderRecipient], mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    let quiet = quietAddresses(recipients: recipients, now: now)
    let written = recipients.filter { recipient in
      recipient.is(.acting) && mailIsPossible && !recipient.isMailboxSilent
        && !quiet.contains { $0.recipient == recipient.account }
    }
    return quiet
      + written.map {
        EscalationAddress(recipient: $0.account, channel: .mail, address: EscalationAddress.mailbox)
      }
  }

  /// The addresses of a rung; whoever has no device that works gets the loud channel and mail at the first
  /// one that comes to them.
  static func addresses(
    _ rung: EscalationStep, of escalation: EscalationPolicy = .standard, isFirst: Bool,
    recipients: [ReminderRecipient], mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    var addresses: [EscalationAddress] = []
    for recipient in recipients where recipient.is(rung.recipient) {
      let devices = recipient.devices.map {
        EscalationAddress(recipient: recipient.account, channel: .push, address: $0.subscription)
      }
      let works = recipient.devices.contains { !$0.isBroken(at: now) }
      let needsMore = (isFirst || recipient.isFamily || recipient.isWaiting) && !works
      let meant = recipient.of(escalation.channels(with: rung))
      addresses += needsMore ? recipient.others : meant
      // Where a way is not set up, the device rings in its place.
      let isPush = rung.channel == .push || (rung.channel != .mail && meant.isEmpty)
      if isPush { addresses += devices }
      let isMail = rung.channel == .mail || needsMore
      if isMail, mailIsPossible, !recipient.isMailboxSilent {
        addresses.append(
          EscalationAddress(
            recipient: recipient.account, channel: .mail, address: EscalationAddress.mailbox))
      }
    }
    return addresses
  }
}

extension ReminderRecipient {
  func `is`(_ recipient: EscalationStep.Recipient) -> Bool {
    switch recipient {
    case .acting: !isFamily && !isWaiting
    case .family(let id): isFamily && account == id
    // Whoever waited and is now to be told at once keeps their rung: better told twice than never.
    case .guardian(let id): !isFamily && account == id
    }
  }
}

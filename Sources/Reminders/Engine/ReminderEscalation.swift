// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The channel by which a reminder reaches a person.
package enum ReminderChannel: String, Sendable, Hashable, CaseIterable {
  case push, mail, ntfy, webhook, sms, call

  /// True if people set up its addresses one by one and confirm each by a test.
  package var isSetUp: Bool { self != .push && self != .mail }
  /// True if it goes to a phone number, through the operator's gateway.
  package var isPhone: Bool { self == .sms || self == .call }
}

/// A recipient of a patient's reminders, with their devices and addresses.
package struct ReminderRecipient: Sendable, Hashable {
  /// A device with its recent reliability.
  package struct Device: Sendable, Hashable {
    /// The identifier of the device.
    package let subscription: String
    /// The number of reminders handed over since the device last showed one.
    package let unshown: Int64
    /// The time of the first of them; nil if the device showed the last one.
    package let firstUnshown: Timestamp?

    /// Creates the health of a device.
    package init(subscription: String, unshown: Int64, firstUnshown: Timestamp?) {
      self.subscription = subscription
      self.unshown = unshown
      self.firstUnshown = firstUnshown
    }

    /// Returns true if the device counts as broken.
    ///
    /// That needs five or more reminders in a row that it did not show, the first over a day ago;
    /// or two to four, the first over six days ago, for people who take something once a week.
    package func isBroken(at now: Timestamp) -> Bool {
      guard unshown >= 2, let firstUnshown else { return false }
      let hours: Int64 = unshown >= 5 ? 24 : 6 * 24
      return firstUnshown.adding(milliseconds: hours * 3_600_000) < now
    }
  }

  /// The account that receives the reminders.
  package let account: AccountID
  /// The account's devices.
  package var devices: [Device]
  /// True if no reminder goes to the mailbox.
  package var isMailboxSilent = false
  /// True if they do not act for the patient but are informed if no one answers.
  var isFamily = false
  /// The kinds of reminders about which a family member is informed if no one answers.
  var hears: Set<ReminderKind> = []
  /// True if they are a guardian who waits until no one else has answered.
  var isWaiting = false
  /// The channels on which they do not want reminders about the patient.
  package var silenced: Set<ReminderChannel> = []
  /// The other addresses that they set up and confirmed.
  package var addresses: [EscalationAddress] = []

  /// Creates a recipient, who acts for the patient unless stated otherwise.
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

  /// The channels that replace a device without ringing, texting or calling.
  static let quietChannels: Set<ReminderChannel> = [.ntfy]
  /// The channels, in addition to the mailbox, that take over if no device works.
  var others: [EscalationAddress] { addresses }

  func of(_ channels: Set<ReminderChannel>) -> [EscalationAddress] {
    addresses.filter { channels.contains($0.channel) }
  }
}

/// One address of a recipient on one channel.
package struct EscalationAddress: Sendable, Hashable {
  /// The value of `deliveries.address` for an account's mailbox.
  static let mailbox = "mail"

  let recipient: AccountID
  /// The channel of the address.
  package let channel: ReminderChannel
  let address: String
}

/// The recipients and addresses of an escalation step.
enum ReminderEscalation {
  /// Returns every device and mailbox, for a notice.
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

  /// Returns the addresses of an advance notice: devices, and ntfy if none of them works.
  ///
  /// Advance notices cause no calls, texts or mails.
  static func quietAddresses(recipients: [ReminderRecipient], now: Timestamp) -> [EscalationAddress]
  {
    recipients.filter { $0.is(.acting) }.flatMap { recipient in
      recipient.devices.map {
        EscalationAddress(recipient: recipient.account, channel: .push, address: $0.subscription)
      }
        + (recipient.devices.contains { !$0.isBroken(at: now) }
          ? [] : recipient.of(ReminderRecipient.quietChannels))
    }
  }

  /// Returns the addresses of a notification about supply or clock changes: as for an advance notice, and
  /// mail for recipients with neither.
  ///
  /// These notifications cause no calls.
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

  /// Returns the addresses of a step; recipients without a working device get ntfy and mail at the
  /// first step that reaches them.
  static func addresses(
    _ step: EscalationStep, of escalation: EscalationPolicy = .standard, isFirst: Bool,
    recipients: [ReminderRecipient], mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    var addresses: [EscalationAddress] = []
    for recipient in recipients where recipient.is(step.recipient) {
      let devices = recipient.devices.map {
        EscalationAddress(recipient: recipient.account, channel: .push, address: $0.subscription)
      }
      let works = recipient.devices.contains { !$0.isBroken(at: now) }
      let needsMore = (isFirst || recipient.isFamily || recipient.isWaiting) && !works
      let meant = recipient.of(escalation.channels(with: step))
      addresses += needsMore ? recipient.others : meant
      // A device replaces a channel that is not set up.
      let isPush = step.channel == .push || (step.channel != .mail && meant.isEmpty)
      if isPush { addresses += devices }
      let isMail = step.channel == .mail || needsMore
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
    // A waiting guardian who is now informed at once keeps their step: twice is better than never.
    case .guardian(let id): !isFamily && account == id
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Plans
import Scheduling
import Storage

/// A topic of messages about a patient.
package enum MessageTopic: String, Sendable, Hashable, CaseIterable {
  /// A dose was refused.
  case refused
  /// A dose passed without an answer.
  case missed
  /// A number of doses were missed within a number of days.
  case missedOften = "missed-often"
  /// A question about the heart rate was not answered within an hour.
  case warning
  /// The question about the heart rate was answered with yes three times in a row.
  case heartYes = "heart-yes"
  /// All doses of a morning were taken.
  case morningDone = "morning-done"
  /// Doses were not recorded by a time of day.
  case notRecorded = "not-recorded"
  /// A medicine runs low.
  case stockLow = "stock-low"
  /// There is not enough of a medicine for the next dose.
  case stockOut = "stock-out"
  /// A summary of the events beyond the daily limit.
  case more

  /// The topics that a rule can be about: all except ``more``.
  package static let rules = allCases.filter { $0 != .more }

  /// The categories of data that must be shared with the recipient.
  package var needs: Set<DataCategory> {
    switch self {
    case .refused, .missed, .missedOften, .morningDone, .notRecorded: [.adherence]
    case .warning: [.heartRate]
    // An answer to the question reveals what was taken.
    case .heartYes: [.heartRate, .adherence]
    case .stockLow, .stockOut: [.medicines, .stock]
    case .more: []
    }
  }

  /// True if the topic is only for relatives, because everyday events do not concern a practice.
  package var isForRelatives: Bool { self == .morningDone || self == .notRecorded }

  /// Returns true if a person with a right may receive messages on the topic.
  package func isOpen(to right: PatientRight) -> Bool {
    (!isForRelatives || right.relationship != .practitioner) && needs.allSatisfy(right.shares)
  }
}

/// The way in which a message is delivered.
package enum MessageWay: String, Sendable, Hashable, CaseIterable {
  /// As soon as the event is known.
  case atOnce = "now"
  /// Once a day, together with all others.
  case digest
}

/// A rule that a person receives messages on a topic.
package struct MessageRule: Sendable, Hashable {
  /// The topic.
  package let topic: MessageTopic
  /// The way of delivery.
  package var way: MessageWay
  /// The number of missed doses from which ``MessageTopic/missedOften`` is reported.
  package var number: Int
  /// The number of days in which those doses were missed.
  package var days: Int
  /// The minute of the patient's day by which doses must be recorded, for
  /// ``MessageTopic/notRecorded``.
  package var minute: Int
  /// The time before which events are not reported.
  package var since: Timestamp

  /// The allowed numbers of missed doses.
  package static let numbers = 2...20
  /// The allowed numbers of days.
  package static let dayRange = 1...30
  /// The allowed minutes of the day.
  package static let minutes = 0...1_439

  /// Creates a rule; numbers outside the allowed ranges become the nearest allowed ones.
  package init(
    _ topic: MessageTopic, _ way: MessageWay, number: Int = 3, days: Int = 7, minute: Int = 600,
    since: Timestamp = Timestamp(milliseconds: 0)
  ) {
    self.topic = topic
    self.way = way
    self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound)
    self.days = min(max(days, Self.dayRange.lowerBound), Self.dayRange.upperBound)
    self.minute = min(max(minute, 0), Self.minutes.upperBound)
    self.since = since
  }
}

/// A person who may receive messages about a patient, with everything that decides about it.
package struct MessageRecipient: Sendable {
  /// The person's account.
  package let account: AccountID
  /// The person's displayed name.
  package let name: String
  /// The data shared with the person; nil if nothing is shared any more.
  package var right: PatientRight?
  /// True if the person agreed to receive messages.
  package var isAgreed: Bool
  /// The person's position in the order: 0 is informed at once, the others one after the other, 15 minutes
  /// apart.
  package var place: Int
  /// The maximum number of messages in a day, not counting the summary of the rest.
  package var most: Int
  /// True if a notification may contain the message.
  package var says = false
  /// True if the person may send nudges.
  package var mayNudge = false
  /// The rules for the person's messages.
  package var rules: [MessageRule]
  /// The minute of the person's own day at which the digest arrives.
  package var digestMinute = MessagePreferences.standardDigest
  /// The person's own time zone.
  package var zone = Zone.utc
  /// The time until which no message is sent to the person's devices; nil for none.
  package var mutedUntil: Timestamp?

  /// The default maximum number of messages in a day.
  package static let standardMost = 4
  /// The allowed numbers of messages in a day.
  package static let mosts = 1...20
  /// The allowed positions in the order.
  package static let places = 0...9

  /// Creates a recipient without nudges, whose notifications do not contain the message.
  package init(
    account: AccountID, name: String = "", right: PatientRight?, isAgreed: Bool = true,
    place: Int = 0, most: Int = standardMost, rules: [MessageRule] = []
  ) {
    self.account = account
    self.name = name
    self.right = right
    self.isAgreed = isAgreed
    self.place = place
    self.most = most
    self.rules = rules
  }

  /// The rules in force: those that both sides agreed to, about shared data.
  var standing: [MessageRule] {
    guard isAgreed, let right else { return [] }
    return rules.filter { $0.topic.isOpen(to: right) }
  }

  func isMuted(at now: Timestamp) -> Bool { mutedUntil.map { $0 > now } ?? false }

  /// Returns the time of the next digest after an instant.
  func nextDigest(after now: Timestamp) -> Timestamp {
    let today = zone.date(at: Instant(now))
    for days in 0...2 {
      guard let time = ClockTime(secondsOfDay: digestMinute * 60),
        let found = zone.instant(of: today.adding(days: days), at: time)?.instant,
        Timestamp(found) > now
      else { continue }
      return Timestamp(found)
    }
    return now.adding(milliseconds: 86_400_000)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Plans
import Scheduling
import Storage

/// What somebody else may be told of a person.
package enum MessageTopic: String, Sendable, Hashable, CaseIterable {
  /// A dose was refused.
  case refused
  /// A dose passed without an answer.
  case missed
  /// So many doses were missed in so many days.
  case missedOften = "missed-often"
  /// A question about the heart rate was not answered.
  case warning
  /// The question about the heart rate was answered with yes three times running.
  case heartYes = "heart-yes"
  /// All doses of a morning were taken.
  case morningDone = "morning-done"
  /// Doses were not recorded by a time of day.
  case notRecorded = "not-recorded"
  /// It is time to get more of a medicine.
  case stockLow = "stock-low"
  /// A medicine is not enough for the next dose.
  case stockOut = "stock-out"
  /// How many more there were than may be told in a day.
  case more

  /// Those that can be chosen.
  package static let rules = allCases.filter { $0 != .more }

  /// What must be shared with whoever is told.
  package var needs: Set<DataCategory> {
    switch self {
    case .refused, .missed, .missedOften, .morningDone, .notRecorded: [.adherence]
    case .warning: [.heartRate]
    // An answer to the question says what was taken.
    case .heartYes: [.heartRate, .adherence]
    case .stockLow, .stockOut: [.medicines, .stock]
    case .more: []
    }
  }

  /// Whether it is for relatives alone: what every day brings is no news for a practice.
  package var isForRelatives: Bool { self == .morningDone || self == .notRecorded }

  /// Whether somebody with a right may be told.
  package func isOpen(to right: PatientRight) -> Bool {
    (!isForRelatives || right.relationship != .practitioner) && needs.allSatisfy(right.shares)
  }
}

/// How something is told.
package enum MessageWay: String, Sendable, Hashable, CaseIterable {
  /// As soon as it is known.
  case atOnce = "now"
  /// Once a day with all the rest.
  case digest
}

/// That something is told to somebody.
package struct MessageRule: Sendable, Hashable {
  package let topic: MessageTopic
  package var way: MessageWay
  /// Of `missedOften`: from how many on.
  package var number: Int
  /// Of `missedOften`: within how many days.
  package var days: Int
  /// Of `notRecorded`: the minute of the person's day.
  package var minute: Int
  /// What happened before is not told.
  package var since: Timestamp

  package static let numbers = 2...20
  package static let dayRange = 1...30
  package static let minutes = 0...1_439

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

/// Somebody who may be told of a person, with all that decides about it.
package struct MessageRecipient: Sendable {
  package let account: AccountID
  package let name: String
  /// What they may see; nil where nothing is shared with them any more.
  package var right: PatientRight?
  /// Whether they said yes to being told.
  package var isAgreed: Bool
  /// 0 is told at once; others one after the other, in this order.
  package var place: Int
  /// The most that they are told in a day, besides the sum of the rest.
  package var most: Int
  /// Whether a notification may carry the message.
  package var says = false
  package var mayNudge = false
  package var rules: [MessageRule]
  /// The minute of their own day at which a digest comes.
  package var digestMinute = MessagePreferences.standardDigest
  /// Their own zone.
  package var zone = Zone.utc
  package var mutedUntil: Timestamp?

  package static let standardMost = 4
  package static let mosts = 1...20
  package static let places = 0...9

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

  /// The rules by which they are told: those that both sides want, of what is shared.
  var standing: [MessageRule] {
    guard isAgreed, let right else { return [] }
    return rules.filter { $0.topic.isOpen(to: right) }
  }

  func isMuted(at now: Timestamp) -> Bool { mutedUntil.map { $0 > now } ?? false }

  /// When the next digest comes after an instant.
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

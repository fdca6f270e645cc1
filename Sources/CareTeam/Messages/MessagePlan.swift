// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A message to store.
struct NewCaregiverMessage: Sendable, Hashable {
  let account: AccountID
  let topic: MessageTopic
  let day: CivilDate
  let fact: MessageFact
  var more: Int
  let way: MessageWay
  let tellAt: Timestamp
}

/// The result of checking a person: a pure function of the facts, the rules, and the planned and delivered
/// messages.
///
/// A message stands for all events of its kind on the person's day: the first is reported, and the others are
/// counted in it. So facts may come in any order, twice, or by the thousand.
struct MessagePlan: Sendable {
  var new: [NewCaregiverMessage] = []
  /// The number of further events to count in each message.
  var counted: [(notice: String, more: Int)] = []
  /// The messages that will not be delivered, with their final state.
  var ended: [(notice: String, state: CaregiverMessage.State)] = []
  /// The messages whose time has come.
  var told: [CaregiverMessage] = []
  /// The time of the next check.
  var next: Timestamp

  /// The time from one contact to the next, in milliseconds.
  static let step: Int64 = 15 * 60_000
  /// The age beyond which events are no longer reported, in milliseconds.
  static let fresh: Int64 = 24 * 3_600_000
  /// The longest time between two checks, in milliseconds, whatever was calculated.
  static let longestRest: Int64 = 30 * 60_000
  /// The number of days before today that are checked.
  static let daysBack = 2

  init(
    recipients: [MessageRecipient], facts: MessageFacts, known: [CaregiverMessage]
  ) {
    let now = facts.now
    let first = facts.day(of: now).adding(days: -Self.daysBack)
    next = now.adding(milliseconds: Self.longestRest)
    var left = known.filter { $0.state == .planned }
    for recipient in recipients.sorted(by: { $0.account < $1.account }) {
      var fresh: [CivilDate: [(fact: MessageFact, rule: MessageRule, count: Int)]] = [:]
      for rule in recipient.standing {
        if let moment = MessageEvaluation.nextMoment(of: rule, in: facts) {
          next = min(next, moment)
        }
        let found = Dictionary(grouping: MessageEvaluation.facts(of: rule, in: facts)) {
          facts.day(of: $0.at)
        }
        for (day, found) in found where day >= first {
          guard let fact = found.first else { continue }
          let before = known.first {
            $0.account == recipient.account && $0.topic == rule.topic && $0.day == day
          }
          guard let before else {
            if fact.at.adding(milliseconds: Self.fresh) > now {
              fresh[day, default: []].append((fact, rule, found.count))
            }
            continue
          }
          if found.count - 1 > before.more, before.state == .planned || before.state == .told {
            counted.append((before.id, found.count - 1))
          }
          if let index = left.firstIndex(where: { $0.id == before.id }) {
            left.remove(at: index)
            settle(before, recipient, known, now)
          }
        }
      }
      for (day, found) in fresh.sorted(by: { $0.key < $1.key }) {
        keep(found, of: recipient, on: day, recipients, facts, known)
      }
      keepMore(of: recipient, &left, known, now)
    }
    // The remaining messages have lost their reason or their recipient.
    for notice in left {
      let isTold = recipients.contains { recipient in
        recipient.account == notice.account
          && recipient.standing.contains { $0.topic == notice.topic || notice.topic == .more }
      }
      ended.append((notice.id, isTold ? .settled : .withdrawn))
    }
    for notice in new where notice.tellAt > now { next = min(next, notice.tellAt) }
  }

  /// Plans the new events of one day: as many as allowed, and a summary of the others.
  private mutating func keep(
    _ found: [(fact: MessageFact, rule: MessageRule, count: Int)], of recipient: MessageRecipient,
    on day: CivilDate, _ all: [MessageRecipient], _ facts: MessageFacts, _ known: [CaregiverMessage]
  ) {
    let now = facts.now
    var room =
      recipient.most
      - known.filter {
        $0.account == recipient.account && $0.day == day && $0.topic != .more
      }.count
    var folded: (count: Int, first: MessageFact)?
    let sorted = found.sorted {
      ($0.fact.at, $0.rule.topic.rawValue) < ($1.fact.at, $1.rule.topic.rawValue)
    }
    for (fact, rule, count) in sorted {
      guard room > 0 else {
        folded = ((folded?.count ?? 0) + count, folded?.first ?? fact)
        continue
      }
      let isTaken = known.contains {
        $0.topic == rule.topic && $0.day == day && $0.acknowledged != nil
      }
      let turn = rule.way == .atOnce ? Self.turn(of: recipient, rule.topic, all, now) : 0
      // Someone already takes care of it, so later recipients are not informed.
      if isTaken, turn > 0 { continue }
      room -= 1
      new.append(
        NewCaregiverMessage(
          account: recipient.account, topic: rule.topic, day: day, fact: fact, more: count - 1,
          way: rule.way,
          tellAt: rule.way == .digest
            ? recipient.nextDigest(after: now)
            : now.adding(milliseconds: Int64(turn) * Self.step)))
    }
    guard let folded else { return }
    let before = known.first {
      $0.account == recipient.account && $0.topic == .more && $0.day == day
    }
    if let before {
      if folded.count > before.more { counted.append((before.id, folded.count)) }
    } else {
      new.append(
        NewCaregiverMessage(
          account: recipient.account, topic: .more, day: day,
          fact: MessageFact(key: "more", at: folded.first.at, detail: CaregiverMessageDetail()),
          more: folded.count, way: .digest, tellAt: recipient.nextDigest(after: now)))
    }
  }

  /// Plans the summary of a day, as long as messages are allowed.
  private mutating func keepMore(
    of recipient: MessageRecipient, _ left: inout [CaregiverMessage], _ known: [CaregiverMessage],
    _ now: Timestamp
  ) {
    guard !recipient.standing.isEmpty else { return }
    for notice in left where notice.account == recipient.account && notice.topic == .more {
      left.removeAll { $0.id == notice.id }
      settle(notice, recipient, known, now)
    }
  }

  /// Delivers a planned message whose time has come, unless someone takes care of it.
  private mutating func settle(
    _ notice: CaregiverMessage, _ recipient: MessageRecipient, _ known: [CaregiverMessage],
    _ now: Timestamp
  ) {
    let isTaken = known.contains {
      $0.topic == notice.topic && $0.day == notice.day && $0.acknowledged != nil
    }
    if isTaken, notice.way == .atOnce, recipient.place > 0 {
      ended.append((notice.id, .stopped))
    } else if notice.tellAt <= now {
      told.append(notice)
    } else {
      next = min(next, notice.tellAt)
    }
  }

  /// Returns the number of contacts informed before a recipient: 0 without an order, and for recipients who
  /// muted notifications.
  private static func turn(
    of recipient: MessageRecipient, _ topic: MessageTopic, _ all: [MessageRecipient],
    _ now: Timestamp
  ) -> Int {
    guard recipient.place > 0, !recipient.isMuted(at: now) else { return 0 }
    return all.filter { other in
      other.place > 0 && !other.isMuted(at: now)
        && other.standing.contains { $0.topic == topic && $0.way == .atOnce }
        && (other.place, other.account) < (recipient.place, recipient.account)
    }.count
  }
}

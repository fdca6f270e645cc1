// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage

/// A message to one account about a patient, planned or delivered.
package struct CaregiverMessage: Sendable, Hashable {
  /// The states of a message.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The message waits for its time, or was delivered to the inbox.
    case planned, told
    /// The reason for the message no longer applied when its time came.
    case settled
    /// Someone else takes care of it.
    case stopped
    /// The recipient may no longer be informed.
    case withdrawn
  }

  /// The patient whom the message is about.
  package let patient: PatientID
  /// The identifier of the message.
  package let id: String
  /// The account that is informed.
  package let account: AccountID
  /// The topic; there is at most one message of a topic for a recipient on a day.
  package let topic: MessageTopic
  /// The day in the patient's time zone.
  package let day: CivilDate
  /// The time when the first of the day's events became known.
  package let happened: Timestamp
  /// The number of further events of the topic on that day; for the topic `more`, the number of all
  /// it sums up.
  package let more: Int
  /// The data that the sentence is made from.
  package let detail: CaregiverMessageDetail
  /// The way in which it is delivered.
  package let way: MessageWay
  /// The current state.
  package let state: State
  /// The time at which it is due.
  package let tellAt: Timestamp
  /// The time when it was delivered to the inbox; nil before.
  package let told: Timestamp?
  /// The time when the recipient read it; nil while it is unread.
  package let seen: Timestamp?
  /// The time when the recipient said that they take care of it; nil if they did not.
  package let acknowledged: Timestamp?

  /// Creates a message.
  package init(
    patient: PatientID, id: String, account: AccountID, topic: MessageTopic, day: CivilDate,
    happened: Timestamp, more: Int = 0, detail: CaregiverMessageDetail = CaregiverMessageDetail(),
    way: MessageWay = .atOnce, state: State = .told, tellAt: Timestamp, told: Timestamp? = nil,
    seen: Timestamp? = nil, acknowledged: Timestamp? = nil
  ) {
    self.patient = patient
    self.id = id
    self.account = account
    self.topic = topic
    self.day = day
    self.happened = happened
    self.more = more
    self.detail = detail
    self.way = way
    self.state = state
    self.tellAt = tellAt
    self.told = told
    self.seen = seen
    self.acknowledged = acknowledged
  }
}

extension CaregiverMessageDetail {
  /// The stored form.
  var json: JSONValue {
    var json: JSONValue = [:]
    json["plan"] = plan.map { .string($0.text) }
    json["due"] = due.map { .number(JSONNumber($0.milliseconds)) }
    json["reason"] = reason.map(JSONValue.string)
    json["by"] = by.map(JSONValue.string)
    json["count"] = count.map { .number(JSONNumber($0)) }
    json["days"] = days.map { .number(JSONNumber($0)) }
    json["minute"] = minute.map { .number(JSONNumber($0)) }
    json["stock"] = stock.map { .string($0.text) }
    return json
  }

  /// Reads what an older or a newer program wrote, as far as it is known.
  init(text: String) {
    let json = try? JSONValue(parsing: Array(text.utf8))
    func number(_ name: String) -> Int64? { json?[name]?.number.flatMap { Int64($0.text) } }
    self.init(
      plan: json?["plan"]?.string.map(PlanID.init),
      due: number("due").map { Timestamp(milliseconds: $0) },
      reason: json?["reason"]?.string, by: json?["by"]?.string,
      count: number("count").map { Int(clamping: $0) },
      days: number("days").map { Int(clamping: $0) },
      minute: number("minute").map { Int(clamping: $0) },
      stock: json?["stock"]?.string.map(StockID.init))
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage

/// Something that somebody is told, or will be.
package struct CaregiverMessage: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    case planned, told
    /// It was no longer so when its time came.
    case settled
    /// Somebody else takes care of it.
    case stopped
    /// It may not be told any more.
    case withdrawn
  }

  package let patient: PatientID
  package let id: String
  /// Who is told.
  package let account: AccountID
  package let topic: MessageTopic
  /// The person's day.
  package let day: CivilDate
  package let happened: Timestamp
  /// How often besides it happened on that day; of `more` how many there are.
  package let more: Int
  package let detail: CaregiverMessageDetail
  package let way: MessageWay
  package let state: State
  package let tellAt: Timestamp
  package let told: Timestamp?
  package let seen: Timestamp?
  /// When the one who is told said to take care of it.
  package let acknowledged: Timestamp?

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
  /// As it is kept.
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

  /// What an older or a newer program wrote is read as far as it is known.
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

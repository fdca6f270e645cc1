// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage

/// Something that somebody is told, or will be.
package struct Notice: Sendable, Hashable {
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
  package let detail: NoticeDetail
  package let way: MessageWay
  package let state: State
  package let tellAt: Timestamp
  package let told: Timestamp?
  package let seen: Timestamp?
  /// When the one who is told said to take care of it.
  package let acknowledged: Timestamp?

  package init(
    patient: PatientID, id: String, account: AccountID, topic: MessageTopic, day: CivilDate,
    happened: Timestamp, more: Int = 0, detail: NoticeDetail = NoticeDetail(),
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

extension NoticeDetail {
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

/// The rows of `notices`.
enum NoticeRows {
  /// Those of a person from a day on, and those that are still planned.
  static func of(_ patient: PatientID, from day: CivilDate, in reader: any SQLReader)
    throws(StorageError) -> [Notice]
  {
    try read(
      try reader.query(
        """
        SELECT patient, notice, account, topic, day, happened, more, detail, way, state, tell_at,
          told, seen, acknowledged
        FROM notices WHERE patient = $1 AND (day >= $2 OR state = 'planned')
        ORDER BY notice
        """, [.text(patient), .text(day.text)]))
  }

  /// What an account was told, the latest first.
  static func told(to account: AccountID, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [Notice]
  {
    try read(
      try reader.query(
        """
        SELECT patient, notice, account, topic, day, happened, more, detail, way, state, tell_at,
          told, seen, acknowledged
        FROM notices WHERE account = $1 AND told IS NOT NULL
        ORDER BY told DESC, notice LIMIT $2
        """, [.text(account), SQLValue(limit)]))
  }

  /// What was told about a patient, to anybody, the latest first.
  static func told(about patient: PatientID, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [Notice]
  {
    try read(
      try reader.query(
        """
        SELECT patient, notice, account, topic, day, happened, more, detail, way, state, tell_at,
          told, seen, acknowledged
        FROM notices WHERE patient = $1 AND told IS NOT NULL
        ORDER BY told DESC, notice LIMIT $2
        """, [.text(patient), SQLValue(limit)]))
  }

  static func one(_ id: String, account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> Notice?
  {
    try read(
      try reader.query(
        """
        SELECT patient, notice, account, topic, day, happened, more, detail, way, state, tell_at,
          told, seen, acknowledged
        FROM notices WHERE notice = $1 AND account = $2 AND told IS NOT NULL
        """, [.text(id), .text(account)])
    ).first
  }

  /// Those of a patient that changed for an account since an instant.
  static func changed(
    after: Timestamp, patient: PatientID, account: AccountID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Notice] {
    try read(
      try reader.query(
        """
        SELECT patient, notice, account, topic, day, happened, more, detail, way, state, tell_at,
          told, seen, acknowledged
        FROM notices WHERE account = $1 AND patient = $2 AND changed > $3 AND told IS NOT NULL
        ORDER BY changed, notice LIMIT $4
        """, [.text(account), .text(patient), SQLValue(after), SQLValue(limit)]))
  }

  /// Adds a message; false where there is one of its topic, person and recipient on that day.
  static func add(
    _ new: NewNotice, id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO notices (patient, notice, account, topic, day, fact, happened, more, detail, way,
        state, tell_at, changed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'planned', $11, $12)
      ON CONFLICT (patient, account, topic, day) DO NOTHING
      """,
      [
        .text(patient), .text(id), .text(new.account), .text(new.topic.rawValue),
        .text(new.day.text), .text(new.fact.key), SQLValue(new.fact.at), SQLValue(new.more),
        .text(new.fact.detail.json.text), .text(new.way.rawValue), SQLValue(new.tellAt),
        SQLValue(now),
      ]) == 1
  }

  static func tell(
    _ id: String, patient: PatientID, subject: String?, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE notices SET state = 'told', told = $1, subject = $2, changed = $1
      WHERE patient = $3 AND notice = $4 AND state = 'planned'
      """, [SQLValue(now), SQLValue(subject), .text(patient), .text(id)])
  }

  static func end(
    _ id: String, _ state: Notice.State, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE notices SET state = $1, changed = $2
      WHERE patient = $3 AND notice = $4 AND state = 'planned'
      """, [.text(state.rawValue), SQLValue(now), .text(patient), .text(id)])
  }

  /// Counts more in a message; who has seen it finds it new again.
  static func count(
    _ more: Int, in id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE notices SET more = $1, seen = NULL, changed = $2 WHERE patient = $3 AND notice = $4
      """, [SQLValue(more), SQLValue(now), .text(patient), .text(id)])
  }

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Notice] {
    var found: [Notice] = []
    for row in rows {
      // What a newer program tells of is left to it.
      guard let topic = MessageTopic(rawValue: try row.text(3)),
        let day = CivilDate(text: try row.text(4))
      else { continue }
      found.append(
        Notice(
          patient: try row.id(0), id: try row.text(1), account: try row.id(2), topic: topic,
          day: day, happened: try row.timestamp(5), more: Int(clamping: try row.integer(6)),
          detail: NoticeDetail(text: try row.text(7)), way: try row.named(8),
          state: try row.named(9), tellAt: try row.timestamp(10),
          told: try row.optionalTimestamp(11), seen: try row.optionalTimestamp(12),
          acknowledged: try row.optionalTimestamp(13)))
    }
    return found
  }
}

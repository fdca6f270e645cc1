// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Scheduling
import Storage

/// A practitioner's patients in order of need.
///
/// Six statements for the whole panel, however many patients there are; each counts only of those who share
/// what it counts, so that nothing else can tell in the order or in the words.
package enum CarePanel {
  /// How far back it looks: 7 days, in milliseconds.
  package static let span: Int64 = 7 * 24 * 3_600_000
  /// From how many on missed doses ask for a look.
  package static let manyMissed = 3

  /// All who share anything with the account as a practitioner; the caller has decided that it asks for itself.
  package static func load(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [CarePanelEntry] {
    let people = try people(account, at: now, in: reader)
    let doses = try doses(account, at: now, in: reader)
    let hearts = try hearts(account, at: now, in: reader)
    let silent = try silent(account, at: now, in: reader)
    let waiting = try waiting(account, at: now, in: reader)
    let stocks = try stocks(account, at: now, in: reader)
    var entries: [CarePanelEntry] = []
    entries.reserveCapacity(people.count)
    for person in people {
      var reasons: [CareReason] = []
      if let counts = doses[person.patient] {
        if counts.missed >= manyMissed {
          reasons.append(.missed(counts.missed))
        } else if counts.missed > 0 {
          reasons.append(.fewMissed(counts.missed))
        }
        if counts.refused > 0 { reasons.append(.refused(counts.refused)) }
      }
      if let heart = hearts[person.patient] {
        reasons.append(.heartRate(days: heart.days))
        // What was answered says what was taken, which is shared on its own.
        if heart.unanswered > 0, person.categories.contains(.adherence) {
          reasons.append(.unanswered)
        }
      }
      if let since = silent[person.patient] { reasons.append(.silent(since: since)) }
      if let stock = stocks[person.patient] {
        if !stock.out.isEmpty { reasons.append(.outOfStock(stock.out.count)) }
        if let day = stock.low.filter({ !stock.out.contains($0.key) }).values.min() {
          reasons.append(.runsOut(on: day))
        }
      }
      if let count = waiting[person.patient] { reasons.append(.waiting(count)) }
      entries.append(
        CarePanelEntry(
          patient: person.patient, name: person.name, categories: person.categories,
          reasons: reasons))
    }
    return entries.sorted(by: CarePanelEntry.precedes)
  }

  private struct Person {
    let patient: PatientID
    let name: String
    let categories: Set<DataCategory>
  }

  private static func people(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Person] {
    try reader.query(
      """
      SELECT g.patient, p.display_name, g.categories
      FROM grants g CROSS JOIN people p
      WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
        AND (g.ends IS NULL OR g.ends > $2) AND p.patient = g.patient
      """, [.text(account), SQLValue(now)]
    ).map { row throws(StorageError) in
      Person(
        patient: try row.id(0), name: try row.text(1),
        categories: Set(
          try row.text(2).split(separator: " ").compactMap { DataCategory(rawValue: String($0)) }))
    }
  }

  private static func doses(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: (missed: Int, refused: Int)] {
    let rows = try reader.query(
      """
      SELECT g.patient,
        COUNT(*) FILTER (WHERE d.state = 'open' AND d.late_until <= $1
          AND (d.later_until IS NULL OR d.later_until <= $1)),
        COUNT(*) FILTER (WHERE d.state = 'refused')
      FROM grants g CROSS JOIN doses d
      WHERE g.account = $2 AND g.relationship = 'practitioner' AND g.starts <= $1
        AND (g.ends IS NULL OR g.ends > $1)
        AND ' ' || g.categories || ' ' LIKE '% adherence %'
        AND d.patient = g.patient AND d.due >= $3 AND d.due < $4
        AND d.state IN ('open', 'refused')
      GROUP BY g.patient
      """,
      [
        SQLValue(now), .text(account), SQLValue(now.adding(milliseconds: -span)),
        // A dose may be refused before it is due.
        SQLValue(now.adding(milliseconds: span)),
      ])
    var found: [PatientID: (missed: Int, refused: Int)] = [:]
    for row in rows {
      found[try row.id(0)] = (
        Int(clamping: try row.integer(1)), Int(clamping: try row.integer(2))
      )
    }
    return found
  }

  private static func hearts(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: (days: Int, unanswered: Int)] {
    let rows = try reader.query(
      """
      SELECT g.patient, COUNT(*), COUNT(*) FILTER (WHERE h.answer IS NULL)
      FROM grants g CROSS JOIN heart_warnings h
      WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
        AND (g.ends IS NULL OR g.ends > $2)
        AND ' ' || g.categories || ' ' LIKE '% heart-rate %'
        AND h.patient = g.patient AND h.kind = 'heart' AND h.created >= $3
      GROUP BY g.patient
      """, [.text(account), SQLValue(now), SQLValue(now.adding(milliseconds: -span))])
    var found: [PatientID: (days: Int, unanswered: Int)] = [:]
    for row in rows {
      found[try row.id(0)] = (
        Int(clamping: try row.integer(1)), Int(clamping: try row.integer(2))
      )
    }
    return found
  }

  /// Those all of whose devices are silent, with since when.
  private static func silent(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: Timestamp] {
    let rows = try reader.query(
      """
      SELECT g.patient, s.unshown, s.first_unshown
      FROM grants g CROSS JOIN grants o CROSS JOIN push_subscriptions s
      WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
        AND (g.ends IS NULL OR g.ends > $2)
        AND ' ' || g.categories || ' ' LIKE '% adherence %'
        AND ' ' || g.categories || ' ' LIKE '% medicines %'
        AND o.patient = g.patient AND o.relationship IN ('self', 'guardian')
        AND o.starts <= $2 AND (o.ends IS NULL OR o.ends > $2)
        AND s.account = o.account AND s.gone IS NULL
      """, [.text(account), SQLValue(now)])
    var found: [PatientID: Timestamp] = [:]
    var works: Set<PatientID> = []
    for row in rows {
      let patient: PatientID = try row.id(0)
      let first = try row.optionalTimestamp(2)
      let device = ReminderRecipient.Device(
        subscription: "", unshown: try row.integer(1), firstUnshown: first)
      if device.isBroken(at: now), let first {
        found[patient] = min(found[patient] ?? first, first)
      } else {
        works.insert(patient)
      }
    }
    return found.filter { !works.contains($0.key) }
  }

  /// Stocks of their own that run low, with the day, and that have run out.
  private static func stocks(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: (low: [StockID: CivilDate], out: Set<StockID>)] {
    let rows = try reader.query(
      """
      SELECT g.patient, m.stock, m.mark, m.runs_out_day
      FROM grants g CROSS JOIN stock_marks m CROSS JOIN stocks s
      WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
        AND (g.ends IS NULL OR g.ends > $2)
        AND ' ' || g.categories || ' ' LIKE '% stock %'
        AND ' ' || g.categories || ' ' LIKE '% medicines %'
        AND m.patient = g.patient AND m.holds = 1
        AND s.patient = m.patient AND s.stock = m.stock AND s.ended IS NULL AND s.is_quiet = 0
      """, [.text(account), SQLValue(now)])
    var found: [PatientID: (low: [StockID: CivilDate], out: Set<StockID>)] = [:]
    for row in rows {
      let (patient, stock) = (try row.id(0) as PatientID, try row.id(1) as StockID)
      let kind: StockMark.Kind = try row.named(2)
      switch kind {
      case .out: found[patient, default: ([:], [])].out.insert(stock)
      case .low:
        found[patient, default: ([:], [])].low[stock] = CivilDate(text: try row.text(3))
      }
    }
    return found
  }

  private static func waiting(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: Int] {
    let rows = try reader.query(
      """
      SELECT g.patient, COUNT(*)
      FROM grants g CROSS JOIN proposals p
      WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
        AND (g.ends IS NULL OR g.ends > $2)
        AND ' ' || g.categories || ' ' LIKE '% medicines %'
        AND p.patient = g.patient AND p.state = 'open' AND p.created_by = $1
      GROUP BY g.patient
      """, [.text(account), SQLValue(now)])
    var found: [PatientID: Int] = [:]
    for row in rows { found[try row.id(0)] = Int(clamping: try row.integer(1)) }
    return found
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Scheduling
import Storage
import Supply

/// A practitioner's patients in order of need.
///
/// The panel takes six statements, however many patients there are. Each counts only patients who share the
/// data it counts, so that neither the order nor the text reveals anything else.
package enum CarePanel {
  /// The length of the time it looks back: 7 days, in milliseconds.
  package static let span: Int64 = 7 * 24 * 3_600_000
  /// The number of missed doses from which on the practitioner should look at the patient.
  package static let manyMissed = 3

  /// Returns all patients who share anything with the account as their practitioner.
  ///
  /// The caller has decided that the account asks for its own panel.
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
      let patient = person.patient
      var needs = Needs()
      if let counts = doses[patient] {
        if counts.missed >= manyMissed {
          needs.add(.missed(counts.missed), counts.missedSince)
        } else if counts.missed > 0 {
          needs.add(.fewMissed(counts.missed), counts.missedSince)
        }
        if counts.refused > 0 { needs.add(.refused(counts.refused), counts.refusedSince) }
      }
      if let heart = hearts[patient] {
        needs.add(.heartRate(days: heart.days), heart.since)
        // An answered question reveals what was taken, which is shared separately.
        if heart.unanswered > 0, person.categories.contains(.adherence) {
          needs.add(.unanswered, heart.unansweredSince)
        }
      }
      if let since = silent[patient] { needs.add(.silent(since: since), since) }
      if let stock = stocks[patient] {
        if !stock.out.isEmpty { needs.add(.outOfStock(stock.out.count), stock.out.values.min()) }
        let low = stock.low.filter { stock.out[$0.key] == nil }
        if let first = low.values.min(by: { $0.day < $1.day }) {
          needs.add(.runsOut(on: first.day), first.since)
        }
      }
      if let row = waiting[patient] { needs.add(.waiting(row.count), row.since) }
      entries.append(
        CarePanelEntry(
          patient: patient, name: person.name, categories: person.categories,
          reasons: needs.reasons, since: needs.since))
    }
    return entries.sorted(by: CarePanelEntry.precedes)
  }

  /// The reasons to look at one patient, with the times since which they apply.
  private struct Needs {
    var reasons: [CareReason] = []
    var since: [CareReason: Timestamp] = [:]

    mutating func add(_ reason: CareReason, _ start: Timestamp?) {
      reasons.append(reason)
      since[reason] = start
    }
  }

  private static func people(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [CarePersonRow] {
    try reader.query(peopleStatement, [.text(account), SQLValue(now)]).decode()
  }

  private static let peopleStatement = SQLStatement(
    """
    SELECT \(CarePersonRow.columns)
    FROM grants g CROSS JOIN people p
    WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
      AND (g.ends IS NULL OR g.ends > $2) AND p.patient = g.patient
    """)

  private static func doses(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: CareDosesRow] {
    let rows = try reader.query(
      dosesStatement,
      [
        SQLValue(now), .text(account), SQLValue(now.adding(milliseconds: -span)),
        // A dose may be refused before it is due.
        SQLValue(now.adding(milliseconds: span)),
      ])
    return byPatient(try rows.decode(), \.patient)
  }

  private static let dosesStatement = SQLStatement(
    """
    SELECT \(CareDosesRow.columns) FROM (
      SELECT g.patient,
        COUNT(*) FILTER (WHERE d.state = 'open' AND d.late_until <= $1
          AND (d.later_until IS NULL OR d.later_until <= $1)) AS missed,
        COUNT(*) FILTER (WHERE d.state = 'refused') AS refused,
        MIN(d.late_until) FILTER (WHERE d.state = 'open' AND d.late_until <= $1
          AND (d.later_until IS NULL OR d.later_until <= $1)) AS missed_since,
        MIN(d.answered_at) FILTER (WHERE d.state = 'refused') AS refused_since
      FROM grants g CROSS JOIN doses d
      WHERE g.account = $2 AND g.relationship = 'practitioner' AND g.starts <= $1
        AND (g.ends IS NULL OR g.ends > $1)
        AND ' ' || g.categories || ' ' LIKE '% adherence %'
        AND d.patient = g.patient AND d.due >= $3 AND d.due < $4
        AND d.state IN ('open', 'refused')
      GROUP BY g.patient
    ) AS counts
    """)

  private static func hearts(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: CareWarningsRow] {
    let rows = try reader.query(
      heartsStatement,
      [.text(account), SQLValue(now), SQLValue(now.adding(milliseconds: -span))])
    return byPatient(try rows.decode(), \.patient)
  }

  private static let heartsStatement = SQLStatement(
    """
    SELECT \(CareWarningsRow.columns)
    FROM grants g CROSS JOIN heart_rate_warnings h
    WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
      AND (g.ends IS NULL OR g.ends > $2)
      AND ' ' || g.categories || ' ' LIKE '% heart-rate %'
      AND h.patient = g.patient AND h.kind = 'heart' AND h.created >= $3
    GROUP BY g.patient
    """)

  private static func byPatient<Row>(
    _ rows: [Row], _ patient: (Row) -> PatientID
  ) -> [PatientID: Row] {
    Dictionary(rows.map { (patient($0), $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the patients whose devices are all silent, with the time since which they are.
  private static func silent(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: Timestamp] {
    let rows: [CareDeviceRow] = try reader.query(
      silentStatement, [.text(account), SQLValue(now)]
    ).decode()
    var found: [PatientID: Timestamp] = [:]
    var works: Set<PatientID> = []
    for device in rows {
      if let since = device.silentSince(at: now) {
        found[device.patient] = min(found[device.patient] ?? since, since)
      } else {
        works.insert(device.patient)
      }
    }
    return found.filter { !works.contains($0.key) }
  }

  private static let silentStatement = SQLStatement(
    """
    SELECT \(CareDeviceRow.columns)
    FROM grants g CROSS JOIN grants o CROSS JOIN push_subscriptions s
    WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
      AND (g.ends IS NULL OR g.ends > $2)
      AND ' ' || g.categories || ' ' LIKE '% adherence %'
      AND ' ' || g.categories || ' ' LIKE '% medicines %'
      AND o.patient = g.patient AND o.relationship IN ('self', 'guardian')
      AND o.starts <= $2 AND (o.ends IS NULL OR o.ends > $2)
      AND s.account = o.account AND s.gone IS NULL
    """)

  /// A patient's own stocks that run low, with the day, and those that have run out.
  private struct Stocks {
    var low: [StockID: (day: CivilDate, since: Timestamp)] = [:]
    var out: [StockID: Timestamp] = [:]
  }

  private static func stocks(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: Stocks] {
    let rows: [CareStockRow] = try reader.query(
      stocksStatement, [.text(account), SQLValue(now)]
    ).decode()
    var found: [PatientID: Stocks] = [:]
    for row in rows {
      switch row.kind {
      case .out: found[row.patient, default: Stocks()].out[row.stock] = row.since
      case .low:
        guard let day = row.runsOut else { continue }
        found[row.patient, default: Stocks()].low[row.stock] = (day, row.since)
      }
    }
    return found
  }

  private static let stocksStatement = SQLStatement(
    """
    SELECT \(CareStockRow.columns)
    FROM grants g CROSS JOIN stock_marks m CROSS JOIN stocks s
    WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
      AND (g.ends IS NULL OR g.ends > $2)
      AND ' ' || g.categories || ' ' LIKE '% stock %'
      AND ' ' || g.categories || ' ' LIKE '% medicines %'
      AND m.patient = g.patient AND m.holds = 1
      AND s.patient = m.patient AND s.stock = m.stock AND s.ended IS NULL AND s.is_quiet = 0
    """)

  private static func waiting(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: CareWaitingRow] {
    let rows: [CareWaitingRow] = try reader.query(
      waitingStatement, [.text(account), SQLValue(now)]
    ).decode()
    return byPatient(rows, \.patient)
  }

  private static let waitingStatement = SQLStatement(
    """
    SELECT \(CareWaitingRow.columns)
    FROM grants g CROSS JOIN proposals p
    WHERE g.account = $1 AND g.relationship = 'practitioner' AND g.starts <= $2
      AND (g.ends IS NULL OR g.ends > $2)
      AND ' ' || g.categories || ' ' LIKE '% medicines %'
      AND p.patient = g.patient AND p.state = 'open' AND p.created_by = $1
    GROUP BY g.patient
    """)
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// That a stock runs low or has run out: what others are told, with whom it is shared.
package struct StockMark: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It is time to get more.
    case low
    /// It is not enough for the next dose.
    case out
  }

  package let stock: StockID
  package let kind: Kind
  /// When that was first seen; the same until a pack came or it was counted.
  package let since: Timestamp
  /// When the first dose is not there.
  package let runsOut: Timestamp

  package init(stock: StockID, kind: Kind, since: Timestamp, runsOut: Timestamp) {
    self.stock = stock
    self.kind = kind
    self.since = since
    self.runsOut = runsOut
  }
}

/// Keeps for each stock since when it is low or out, so that each time is told once: a dose left out or a plan on
/// hold makes no new time of it, a pack or a count does.
enum StockMarks {
  /// What is so now.
  static func standing(
    _ stock: Stock, _ forecast: StockForecast, daysLeft: Int?, today: CivilDate
  ) -> Set<StockMark.Kind> {
    guard let daysLeft else { return [] }
    var kinds: Set<StockMark.Kind> = []
    if daysLeft <= stock.lowDays { kinds.insert(.low) }
    if stock.left(on: today) <= .zero || forecast.lastsUntil == nil { kinds.insert(.out) }
    return kinds
  }

  /// Writes down what is so now, in the transaction that looked.
  static func keep(
    of stock: Stock, _ standing: Set<StockMark.Kind>, runsOut: Timestamp, day: CivilDate,
    now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let place = [SQLValue.text(stock.owner), .text(stock.id)]
    guard !stock.isQuiet else {
      // Nobody is told of it: what is so when that ends is a new time.
      let gone = try writer.execute(
        "DELETE FROM stock_marks WHERE patient = $1 AND stock = $2", place)
      if gone > 0 { writer.announce([stock.owner]) }
      return
    }
    var isChanged = false
    for kind in StockMark.Kind.allCases {
      let row = try writer.first(
        """
        SELECT holds, run_number, runs_out FROM stock_marks
        WHERE patient = $1 AND stock = $2 AND mark = $3
        """, place + [.text(kind.rawValue)])
      let isHeld = try row?.bool(0) ?? false
      guard standing.contains(kind) else {
        guard isHeld else { continue }
        try writer.execute(
          "UPDATE stock_marks SET holds = 0 WHERE patient = $1 AND stock = $2 AND mark = $3",
          place + [.text(kind.rawValue)])
        isChanged = true
        continue
      }
      var isSame = isHeld
      if let row, !isHeld {
        isSame = try !isRestocked(stock, after: try row.integer(1), in: writer)
      }
      if isSame {
        if isHeld, try row?.timestamp(2) == runsOut { continue }
        try writer.execute(
          """
          UPDATE stock_marks SET holds = 1, runs_out = $1, runs_out_day = $2
          WHERE patient = $3 AND stock = $4 AND mark = $5
          """, [SQLValue(runsOut), .text(day.text)] + place + [.text(kind.rawValue)])
      } else {
        let number = try StockLedger.last(of: stock.id, owner: stock.owner, in: writer)
        try writer.execute(
          """
          INSERT INTO stock_marks (patient, stock, mark, since, run_number, runs_out, runs_out_day,
            holds)
          VALUES ($1, $2, $3, $4, $5, $6, $7, 1)
          ON CONFLICT (patient, stock, mark) DO UPDATE SET since = excluded.since,
            run_number = excluded.run_number, runs_out = excluded.runs_out,
            runs_out_day = excluded.runs_out_day, holds = 1
          """,
          place + [
            .text(kind.rawValue), SQLValue(now), .integer(number), SQLValue(runsOut),
            .text(day.text),
          ])
        try MessageEngine.wake(stock.owner, at: now, in: writer)
      }
      isChanged = true
    }
    // Pages of those who look after the person show it.
    if isChanged { writer.announce([stock.owner]) }
  }

  /// Whether a pack that stayed, or a count, came after an entry of the ledger.
  private static func isRestocked(_ stock: Stock, after number: Int64, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try reader.first(
      """
      SELECT 1 FROM stock_entries e
      LEFT JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
      WHERE e.owner = $1 AND e.stock = $2 AND e.number > $3
        AND (e.kind = 'counted' OR (e.kind = 'added' AND l.is_void = 0))
      LIMIT 1
      """, [.text(stock.owner), .text(stock.id), .integer(number)]) != nil
  }

  /// What is so of a person's own stocks now; of none that nobody is to be told of.
  static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [StockMark]
  {
    let rows = try reader.query(
      """
      SELECT m.stock, m.mark, m.since, m.runs_out FROM stock_marks m
      JOIN stocks s ON s.patient = m.patient AND s.stock = m.stock
      WHERE m.patient = $1 AND m.holds = 1 AND s.ended IS NULL AND s.is_quiet = 0
      ORDER BY m.since, m.stock, m.mark
      """, [.text(patient)])
    return try rows.map { row throws(StorageError) in
      StockMark(
        stock: try row.id(0), kind: try row.named(1), since: try row.timestamp(2),
        runsOut: try row.timestamp(3))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Reminders
import Scheduling
import Storage

/// The state of a supply that runs low or has run out, as shared with caregivers.
package struct StockMark: Sendable, Hashable {
  /// The two states that caregivers are informed about.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It is time to get more.
    case low
    /// Too little is left for the next dose.
    case out
  }

  /// The supply in that state.
  package let stock: StockID
  /// The state.
  package let kind: Kind
  /// The time at which the state was first seen; a pack or a count starts a new one.
  package let since: Timestamp
  /// The time of the first dose for which too little is left.
  package let runsOut: Timestamp

  /// Creates a mark.
  package init(stock: StockID, kind: Kind, since: Timestamp, runsOut: Timestamp) {
    self.stock = stock
    self.kind = kind
    self.since = since
    self.runsOut = runsOut
  }
}

/// Stores the time since which each supply is low or out, so that caregivers are informed once.
///
/// A skipped dose or a paused plan starts no new mark; a pack or a count does.
package enum StockMarks {
  /// Returns the current marks.
  static func standing(
    _ stock: Stock, _ forecast: StockForecast, daysLeft: Int?, today: CivilDate
  ) -> Set<StockMark.Kind> {
    guard let daysLeft else { return [] }
    var kinds: Set<StockMark.Kind> = []
    if daysLeft <= stock.lowDays { kinds.insert(.low) }
    if stock.left(on: today) <= .zero || forecast.lastsUntil == nil { kinds.insert(.out) }
    return kinds
  }

  /// Stores the current marks, in the transaction that determined them.
  static func keep(
    of stock: Stock, _ standing: Set<StockMark.Kind>, runsOut: Timestamp, day: CivilDate,
    now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let place = [SQLValue.text(stock.owner), .text(stock.id)]
    guard !stock.isQuiet else {
      // Without recipients nothing is stored: a later state gets a new time.
      let gone = try writer.execute(
        "DELETE FROM stock_marks WHERE patient = $1 AND stock = $2", place)
      if gone > 0 { writer.announce([stock.owner]) }
      return
    }
    var isChanged = false
    for kind in StockMark.Kind.allCases {
      let kept: KeptMark? = try writer.first(
        keptStatement, place + [.text(kind.rawValue)])?.decode()
      let isHeld = kept?.holds ?? false
      guard standing.contains(kind) else {
        guard isHeld else { continue }
        try writer.execute(
          "UPDATE stock_marks SET holds = 0 WHERE patient = $1 AND stock = $2 AND mark = $3",
          place + [.text(kind.rawValue)])
        isChanged = true
        continue
      }
      var isSame = isHeld
      if let kept, !isHeld {
        isSame = try !isRestocked(stock, after: kept.runNumber, in: writer)
      }
      if isSame {
        if isHeld, kept?.runsOut == runsOut { continue }
        try writer.execute(
          """
          UPDATE stock_marks SET holds = 1, runs_out = $1, runs_out_day = $2
          WHERE patient = $3 AND stock = $4 AND mark = $5
          """, [SQLValue(runsOut), .text(day.text)] + place + [.text(kind.rawValue)])
      } else {
        let number = try StockLedger.last(of: stock.id, owner: stock.owner, in: writer)
        let new = NewStockMarkRow(
          owner: stock.owner,
          mark: StockMark(stock: stock.id, kind: kind, since: now, runsOut: runsOut),
          runNumber: number, runsOutDay: day)
        try writer.execute(insertStatement, new.values)
        try MessageCheckStore.wake(stock.owner, at: now, in: writer)
      }
      isChanged = true
    }
    // Updates the pages of those who look after the person.
    if isChanged { writer.announce([stock.owner]) }
  }

  private static let keptStatement = SQLStatement(
    """
    SELECT \(KeptMark.columns) FROM stock_marks
    WHERE patient = $1 AND stock = $2 AND mark = $3
    """)

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO stock_marks (\(NewStockMarkRow.columns)) VALUES (\(NewStockMarkRow.placeholders))
    ON CONFLICT (patient, stock, mark) DO UPDATE SET since = excluded.since,
      run_number = excluded.run_number, runs_out = excluded.runs_out,
      runs_out_day = excluded.runs_out_day, holds = 1
    """)

  /// Returns true if a pack that was kept, or a count, came after an entry of the ledger.
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

  /// Returns the current marks of a patient's own supplies, the oldest first, without those for which
  /// notifications are off.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [StockMark]
  {
    try reader.query(allStatement, [.text(patient)]).map { row throws(StorageError) in
      try StockMark(row.read(StockMarkRow.self))
    }
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(StockMarkRow.columns) FROM stock_marks m
    JOIN stocks s ON s.patient = m.patient AND s.stock = m.stock
    WHERE m.patient = $1 AND m.holds = 1 AND s.ended IS NULL AND s.is_quiet = 0
    ORDER BY m.since, m.stock, m.mark
    """)
}

/// The columns of a ``StockMark``.
enum StockMarkRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case stock, mark, since, runsOut
  }

  static let columns = SQLColumns<Column>(of: "m")
}

extension StockMark {
  init(_ row: ColumnReader<StockMarkRow.Column>) throws(StorageError) {
    self.init(
      stock: try row.id(.stock), kind: try row.named(.mark), since: try row.timestamp(.since),
      runsOut: try row.timestamp(.runsOut))
  }
}

/// An earlier mark.
struct KeptMark: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case holds, runNumber, runsOut
  }

  static let columns = SQLColumns<Column>()

  let holds: Bool
  let runNumber: Int64
  let runsOut: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    holds = try row.bool(.holds)
    runNumber = try row.integer(.runNumber)
    runsOut = try row.timestamp(.runsOut)
  }
}

/// A new row of `stock_marks`.
struct NewStockMarkRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, stock, mark, since, runNumber, runsOut, runsOutDay, holds
  }

  static let columns = SQLColumns<Column>()

  let owner: PatientID
  let mark: StockMark
  let runNumber: Int64
  let runsOutDay: CivilDate

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(owner)
    case .stock: .text(mark.stock)
    case .mark: .text(mark.kind.rawValue)
    case .since: SQLValue(mark.since)
    case .runNumber: .integer(runNumber)
    case .runsOut: SQLValue(mark.runsOut)
    case .runsOutDay: .text(runsOutDay.text)
    case .holds: true
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Hummingbird
import Localization
import NIOCore
import Plans
import Scheduling
import Statistics
import Storage
import Web

/// The history as a table for spreadsheets: RFC 4180 in UTF-8 with a byte order mark, so that
/// programs recognise the encoding.
package struct HistoryCSV: Sendable {
  /// The part of the history to write.
  package let export: HistoryExport
  /// The language of column names and states.
  package let localizer: Localizer

  /// Creates the table of a part of the history.
  package init(export: HistoryExport, localizer: Localizer) {
    self.export = export
    self.localizer = localizer
  }

  /// The response that downloads the table as `history.csv`.
  package var response: Response {
    let name = "history.csv"  // not a message
    return HistoryExport.file(name, mediaType: "text/csv; charset=utf-8; header=present") { sink in
      try await write { try await sink.write(ByteBuffer(string: $0)) }
    }
  }

  /// Writes the table in pieces of about 500 lines.
  package func write(_ sink: (String) async throws -> Void) async throws {
    try await sink("\u{FEFF}" + CSVText.line(header))
    try await export.each(
      { from, until, reader in
        try HistoryQueries.entries(
          export.filter, patient: export.patient, from: from, until: until, now: export.now,
          in: reader)
      },
      write: { entries in
        try await sink(entries.map { CSVText.line(cells($0)) }.joined())
      })
  }

  private var header: [String] {
    ["due", "medicine", "amount", "unit", "state", "at", "recorded", "by", "reason"].map {
      localizer.text("history.column", ["column": .text($0)])
    }
  }

  func cells(_ entry: HistoryEntry) -> [String] {
    switch entry {
    case .dose(let dose):
      let answer = dose.state.isAnswered ? dose.answer : nil
      let amount = answer?.amount ?? dose.amount
      return [
        instant(dose.due), dose.medicineName, amount?.value ?? "", amount?.unit ?? "",
        state(dose), answer.map { instant($0.at) } ?? "",
        answer.map { instant($0.recorded) } ?? "", answer?.by ?? "", answer?.reason ?? "",
      ]
    case .extra(let record):
      let state: StateChip.State = record.taken ? .taken : .skipped
      // It has no due time: the first column stays empty.
      return [
        "", record.medicineName, record.amount?.value ?? "", record.amount?.unit ?? "",
        StateChip(state, localizer: localizer).text, instant(record.at),
        instant(record.recorded), record.by, record.reason ?? "",
      ]
    }
  }

  private func state(_ dose: Dose) -> String {
    let state: StateChip.State =
      switch dose.state {
      case .taken: dose.isLate ? .late : .taken
      case .due: dose.isLate ? .overdue : .due
      case .skipped: .skipped
      case .refused: .refused
      case .missed: .missed
      case .withheld: .withheld
      case .cancelled: .cancelled
      case .scheduled: .scheduled
      case .later: .later
      }
    return StateChip(state, localizer: localizer).text
  }

  private func instant(_ timestamp: Timestamp) -> String {
    let offset = export.zone.offsetSeconds(
      at: Instant(milliseconds: timestamp.milliseconds))
    return FHIRDateTime.instantText(
      milliseconds: timestamp.milliseconds, offsetMinutes: offset / 60)
  }
}

/// Formats lines of RFC 4180.
package enum CSVText {
  /// Returns the cells separated by commas, ending in CRLF.
  package static func line(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",") + "\r\n"
  }

  /// Returns a cell, quoted if necessary.
  ///
  /// Text that a spreadsheet would read as a formula gets a leading apostrophe, so that input from
  /// a person or another system never runs.
  package static func cell(_ text: String) -> String {
    var text = text
    if let first = text.unicodeScalars.first(where: { $0 != " " }),
      "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
    {
      text = "'" + text
    }
    let needsQuotes = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
        || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ";")
    }
    guard needsQuotes else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

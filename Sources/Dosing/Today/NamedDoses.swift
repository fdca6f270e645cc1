// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

extension DoseQueries {
  /// Returns doses by identifier in one statement, in the order of the identifiers; those without a
  /// row are left out.
  package static func doses(
    _ ids: [DoseID], patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    if ids.isEmpty { return [] }
    var query = HistoryQuery("SELECT \(DoseRow.columns) FROM \(DoseRow.tables)")
    query.append(" WHERE d.patient = ", .text(patient))
    query.append(doses: ids)
    var found: [DoseID: Dose] = [:]
    for row in try query.rows(in: reader) {
      let dose = try Dose(row.read(DoseRow.self), patient: patient, now: now)
      found[dose.id] = dose
    }
    return ids.compactMap { found[$0] }
  }
}

extension LaterChoices {
  /// Returns true if one of the doses was postponed so often that a page asks for the reason.
  package static func asksWhy(
    anyOf doses: [Dose], of patient: PatientSnapshot
  ) throws(StorageError) -> Bool {
    // A row in its first version has no answer.
    let ids = doses.filter { $0.version > 1 }.map(\.id)
    if ids.isEmpty { return false }
    var query = HistoryQuery("SELECT COUNT(*) FROM answers d WHERE d.action = 'later'")
    query.append(" AND d.patient = ", .text(patient.patient))
    query.append(doses: ids)
    query.append(" GROUP BY d.plan, d.era, d.occurrence")
    let times = try query.rows(in: patient.reader).values(as: Int.self)
    return times.contains { $0 >= timesWithoutReason }
  }
}

extension HistoryQuery {
  /// Restricts the rows of `d` to some doses.
  fileprivate mutating func append(doses ids: [DoseID]) {
    append(" AND (")
    for (place, id) in ids.enumerated() {
      if place > 0 { append(" OR ") }
      append("(d.plan = ", .text(id.plan))
      append(" AND d.era = ", .integer(id.era))
      append(" AND d.occurrence = ", .text(id.occurrence.text))
      append(")")
    }
    append(")")
  }
}

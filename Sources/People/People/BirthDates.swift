// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Scheduling
import Storage

extension PeopleQueries {
  /// The number of patients that one statement reads.
  private static let pieceOfBirthDates = 200

  /// Returns the known dates of birth of patients; the caller has decided access.
  ///
  /// One statement reads up to 200 patients.
  package static func birthDates(of patients: [PatientID], in reader: any SQLReader)
    throws(PeopleQueryError) -> [PatientID: CivilDate]
  {
    try PeopleQueryError.reporting {
      let decision = decideSearch(
        actor: .host(accountID: .planner), resource: "Patient", patient: nil, purpose: .system)
      guard case .allow(let authorization) = decision else { throw PeopleQueryError.notAuthorized }
      var found: [PatientID: CivilDate] = [:]
      for start in stride(from: 0, to: patients.count, by: pieceOfBirthDates) {
        let piece = patients[start..<min(start + pieceOfBirthDates, patients.count)]
        let page = try RecordStore().search(
          RecordSearch(type: "Patient", ids: piece.map(\.text), count: piece.count),
          authorization: authorization, in: reader)
        for record in page.records {
          found[record.patient] = PatientView(try record.json()).birthDate
            .flatMap { CivilDate(text: $0) }
        }
      }
      return found
    }
  }
}

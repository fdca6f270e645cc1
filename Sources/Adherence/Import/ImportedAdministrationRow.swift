// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A row of `imported_administrations`.
struct ImportedAdministrationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, sourceKey, administration, digest, requestKey, plan
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let id: AdministrationID
  let imported: ImportAdministration
  let plan: PlanID?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .sourceKey: .text(imported.keys.first)
    case .administration: .text(id)
    case .digest: .text(imported.digest)
    case .requestKey: SQLValue(imported.requestKeys.first)
    case .plan: SQLValue(plan)
    }
  }
}

/// An administration whose prescription was no plan when it was taken in.
struct UnlinkedAdministration: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case sourceKey, administration
  }

  static let columns = SQLColumns<Column>()

  let sourceKey: String
  let administration: AdministrationID

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    sourceKey = try row.text(.sourceKey)
    administration = try row.id(.administration)
  }
}

/// The zone of a person, with the record that was made of an administration before.
enum EarlierAdministrationRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case zone, administration, digest
  }

  static let columns = SQLColumns<Column>(of: "i", [.zone: "u.zone"])
}

/// The dose or plan that the answer of an administration belongs to.
enum ImportedAnswerRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence
  }

  static let columns = SQLColumns<Column>()
}

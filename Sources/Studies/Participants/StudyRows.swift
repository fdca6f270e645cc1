// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A study as it is kept.
package struct StudyRow: Sendable, Hashable {
  /// The id of the study.
  package let study: StudyID
  /// The newest version of its file.
  package let version: Int
  /// The SHA-256 of the seed of its allocation.
  package let commitment: String
  /// The places of the order that are used.
  let allocated: Int
  /// The time at which the first version was loaded.
  package let loaded: Timestamp
  /// The time at which it was closed; nil while it is open.
  package let closed: Timestamp?
}

extension StudyRow: SQLReadableRow, SQLWritableRow {
  /// The columns of `studies`.
  package enum Column: Int, SQLColumn {
    case study, version, commitment, allocated, loaded, closed
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a study from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    study = try columns.id(.study)
    version = Int(clamping: try columns.integer(.version))
    commitment = try columns.text(.commitment)
    allocated = Int(clamping: try columns.integer(.allocated))
    loaded = try columns.timestamp(.loaded)
    closed = try columns.optionalTimestamp(.closed)
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .study: .text(study)
    case .version: SQLValue(version)
    case .commitment: .text(commitment)
    case .allocated: SQLValue(allocated)
    case .loaded: SQLValue(loaded)
    case .closed: SQLValue(closed)
    }
  }
}

/// A person who takes part in a study, or did.
package struct StudyParticipant: Sendable, Hashable {
  /// The person.
  package let patient: PatientID
  /// The study.
  package let study: StudyID
  /// The name of the person in exports.
  package let pseudonym: StudyPseudonym
  /// The id of the arm.
  package let arm: String
  /// The version of the file to which the person consented.
  package let version: Int
  /// The time at which the person joined.
  package let joined: Timestamp
  /// The time at which the person withdrew; nil otherwise.
  package let withdrawn: Timestamp?
  /// True if nothing of the person is exported any more.
  package let isErased: Bool
  /// The settings that the arm added, as JSON.
  let changes: String
}

extension StudyParticipant: SQLReadableRow, SQLWritableRow {
  /// The columns of `study_participants`.
  package enum Column: Int, SQLColumn {
    case patient, study, pseudonym, arm, version, joined, withdrawn, isErased, changes
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a participant from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    study = try columns.id(.study)
    pseudonym = try columns.id(.pseudonym)
    arm = try columns.text(.arm)
    version = Int(clamping: try columns.integer(.version))
    joined = try columns.timestamp(.joined)
    withdrawn = try columns.optionalTimestamp(.withdrawn)
    isErased = try columns.bool(.isErased)
    changes = try columns.text(.changes)
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .study: .text(study)
    case .pseudonym: .text(pseudonym)
    case .arm: .text(arm)
    case .version: SQLValue(version)
    case .joined: SQLValue(joined)
    case .withdrawn: SQLValue(withdrawn)
    case .isErased: SQLValue(isErased)
    case .changes: .text(changes)
    }
  }
}

/// A signed consent.
package struct StudySignature: Sendable, Hashable {
  /// The person.
  package let patient: PatientID
  /// The study.
  package let study: StudyID
  /// The version of the text.
  package let version: Int
  /// The time of the signature.
  package let signed: Timestamp
  /// The language in which the text was read.
  package let language: String
  /// The name as it was typed.
  package let name: String
  /// The account that signed.
  package let account: AccountID
}

extension StudySignature: SQLReadableRow, SQLWritableRow {
  /// The columns of `study_consents`.
  package enum Column: Int, SQLColumn {
    case patient, study, version, signed, language, name, account
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a consent from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    study = try columns.id(.study)
    version = Int(clamping: try columns.integer(.version))
    signed = try columns.timestamp(.signed)
    language = try columns.text(.language)
    name = try columns.text(.name)
    account = try columns.id(.account)
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .study: .text(study)
    case .version: SQLValue(version)
    case .signed: SQLValue(signed)
    case .language: .text(language)
    case .name: .text(name)
    case .account: .text(account)
    }
  }
}

/// An export of a study's data, as its participants see it.
package struct StudyExportNote: Sendable, Hashable {
  /// The study.
  package let study: StudyID
  /// The id of the export.
  let export: String
  /// The time at which it was made.
  package let made: Timestamp
  /// The researcher, or the operator.
  package let byName: String
  /// The names of the files, separated by spaces.
  package let files: String
  /// The number of participants in it.
  package let participants: Int
}

extension StudyExportNote: SQLReadableRow, SQLWritableRow {
  /// The columns of `study_exports`.
  package enum Column: Int, SQLColumn { case study, export, made, byName, files, participants }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a note from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    study = try columns.id(.study)
    export = try columns.text(.export)
    made = try columns.timestamp(.made)
    byName = try columns.text(.byName)
    files = try columns.text(.files)
    participants = Int(clamping: try columns.integer(.participants))
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .study: .text(study)
    case .export: .text(export)
    case .made: SQLValue(made)
    case .byName: .text(byName)
    case .files: .text(files)
    case .participants: SQLValue(participants)
    }
  }
}

/// The holder of a token for the export and the counts of a study.
package struct StudyResearcher: Sendable, Hashable {
  /// The study.
  package let study: StudyID
  /// The id of the researcher.
  package let researcher: String
  /// The name that participants see with each export.
  package let name: String
  /// The digest of the token; nil once it was revoked.
  let tokenDigest: [UInt8]?
  /// The time at which the token was made.
  package let created: Timestamp
  /// The time at which it was revoked; nil while it is in use.
  package let revoked: Timestamp?
}

extension StudyResearcher: SQLReadableRow, SQLWritableRow {
  /// The columns of `study_researchers`.
  package enum Column: Int, SQLColumn {
    case study, researcher, name, tokenDigest, created, revoked
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a researcher from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    study = try columns.id(.study)
    researcher = try columns.text(.researcher)
    name = try columns.text(.name)
    tokenDigest = try columns.optionalBlob(.tokenDigest)
    created = try columns.timestamp(.created)
    revoked = try columns.optionalTimestamp(.revoked)
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .study: .text(study)
    case .researcher: .text(researcher)
    case .name: .text(name)
    case .tokenDigest: SQLValue(tokenDigest)
    case .created: SQLValue(created)
    case .revoked: SQLValue(revoked)
    }
  }
}

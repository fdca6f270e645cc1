// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// A version of a record that disagrees with the audit trail; it contains only ids.
package struct RecordFault: Sendable, Hashable {
  /// The way in which a version disagrees.
  package enum Kind: String, Sendable, CaseIterable {
    /// The version differs from the one that was written.
    case changed
    /// No row of the audit trail records that the version was written.
    case unrecorded
    /// The version was written but is missing.
    case missing
  }

  /// The way in which the version disagrees.
  package let kind: Kind
  /// The FHIR type of the record.
  package let type: String
  /// The logical id of the record.
  package let id: String
  /// The version, from 1.
  package let version: Int64
}

/// Compares every version of every record with the row of the audit trail that was written with it.
///
/// Each row holds a digest of the version's text, made with a key that is not in the database. Without the key, no
/// one can change the text, remove rows of the trail below the latest version, or restore an earlier trail.
/// Deletions have no text, and no other table or column has a digest.
package enum RecordAuditCheck {
  /// The number of versions read at once; a version can be large.
  private static let page: Int64 = 100
  /// The maximum number of faults listed.
  private static let limit = 100

  /// The result of a check.
  package struct Result: Sendable, Hashable {
    /// The number of versions checked.
    package internal(set) var versions = 0
    /// The number of versions that have a digest; older versions have none.
    package internal(set) var digests = 0
    /// The first hundred faults.
    package internal(set) var faults: [RecordFault] = []
    /// The number of all faults, listed or not.
    package internal(set) var faultCount = 0

    fileprivate mutating func add(_ kind: RecordFault.Kind, _ key: Key) {
      faultCount += 1
      guard faults.count < RecordAuditCheck.limit else { return }
      faults.append(
        RecordFault(kind: kind, type: key.type, id: key.id, version: key.version))
    }
  }

  fileprivate struct Key: Hashable, Comparable {
    let type: String
    let id: String
    let version: Int64

    static func < (one: Key, other: Key) -> Bool {
      (one.type, one.id, one.version) < (other.type, other.id, other.version)
    }
  }

  /// The rows of the trail about one patient's versions.
  private struct Trail {
    var digests: [Key: (digest: [UInt8], keyID: String)?] = [:]
    /// True if the patient was erased, so that no versions are expected.
    var isErased = false
  }

  /// Checks every patient, one after another, so that memory use is bounded by one person's
  /// history.
  package static func perform(
    _ seal: ContentSeal, in reader: any SQLReader
  ) throws(StorageError) -> Result {
    var result = Result()
    let patients = try reader.query(
      """
      SELECT patient FROM resources UNION SELECT patient FROM resource_versions
      UNION SELECT patient FROM audit
        WHERE patient IS NOT NULL AND version IS NOT NULL AND kind IN ('create', 'update', 'delete')
      ORDER BY 1
      """
    ).values(as: PatientID.self)
    for patient in patients {
      var trail = try trail(
        reader.query(trailStatement, [.text(patient)]), of: ResourceType.allCases)
      for type in ResourceType.allCases {
        try check(type.rawValue, of: patient, against: &trail, seal, in: reader, into: &result)
      }
      guard !trail.isErased else { continue }
      for key in trail.digests.keys.sorted() { result.add(.missing, key) }
    }
    // The resources that belong to no patient, one type after another.
    for type in RecordSubject.sharedTypes {
      var trail = try trail(
        reader.query(sharedTrailStatement, [.text(type.rawValue)]), of: [type])
      try check(type.rawValue, of: nil, against: &trail, seal, in: reader, into: &result)
      for key in trail.digests.keys.sorted() { result.add(.missing, key) }
    }
    return result
  }

  private static func trail(
    _ rows: [SQLRow], of types: [ResourceType]
  ) throws(StorageError) -> Trail {
    let known = Set(types.map(\.rawValue))
    var trail = Trail()
    for row in rows {
      let row = row.read(RecordTrailRow.self)
      let type = try row.text(.resource)
      if type == "Erasure" { trail.isErased = true }
      guard known.contains(type), let id = try row.optionalText(.resourceId),
        let version = try row.optionalInteger(.version)
      else { continue }
      let keyID = try row.text(.keyId)
      let digest = try row.optionalBlob(.digest).map { (digest: $0, keyID: keyID) }
      trail.digests.updateValue(digest, forKey: Key(type: type, id: id, version: version))
    }
    return trail
  }

  private static let trailStatement = SQLStatement(
    """
    SELECT \(RecordTrailRow.columns) FROM audit
    WHERE patient = $1 AND outcome = 'success' AND kind IN ('create', 'update', 'delete')
      AND (version IS NOT NULL OR resource = 'Erasure')
    """)

  private static let sharedTrailStatement = SQLStatement(
    """
    SELECT \(RecordTrailRow.columns) FROM audit
    WHERE patient IS NULL AND resource = $1 AND outcome = 'success'
      AND kind IN ('create', 'update', 'delete') AND version IS NOT NULL
    """)

  /// Checks the versions of one type and removes the ones it finds from the trail; nil for the shared ones.
  private static func check(
    _ type: String, of patient: PatientID?, against trail: inout Trail, _ seal: ContentSeal,
    in reader: any SQLReader, into result: inout Result
  ) throws(StorageError) {
    var place: (id: String, version: Int64) = ("", .max)
    while true {
      var arguments: [SQLValue] = [.text(type)]
      if let patient { arguments.append(.text(patient)) }
      arguments += [.text(place.id), .integer(place.version), .integer(page)]
      let rows = try reader.query(
        patient == nil ? sharedVersionsStatement : versionsStatement, arguments)
      for row in rows {
        let row = row.read(RecordTextRow.self)
        place = (try row.text(.id), try row.integer(.version))
        let key = Key(type: type, id: place.id, version: place.version)
        result.versions += 1
        guard let entry = trail.digests.removeValue(forKey: key) else {
          result.add(.unrecorded, key)
          continue
        }
        guard let entry else { continue }
        result.digests += 1
        let body = try? row.text(.body)
        if body.map({ seal.matches(entry.digest, $0, keyID: entry.keyID) }) != true {
          result.add(.changed, key)
        }
      }
      if rows.count < Int(page) { return }
    }
  }

  private static let versionsStatement = SQLStatement(
    """
    SELECT \(RecordTextRow.columns) FROM resources
    WHERE type = $1 AND patient = $2 AND (id > $3 OR (id = $3 AND version < $4))
    UNION ALL
    SELECT \(RecordTextRow.columns) FROM resource_versions
    WHERE type = $1 AND patient = $2 AND (id > $3 OR (id = $3 AND version < $4))
    ORDER BY id, version DESC LIMIT $5
    """)

  private static let sharedVersionsStatement = SQLStatement(
    """
    SELECT \(RecordTextRow.columns) FROM shared_resources
    WHERE type = $1 AND (id > $2 OR (id = $2 AND version < $3))
    UNION ALL
    SELECT \(RecordTextRow.columns) FROM shared_resource_versions
    WHERE type = $1 AND (id > $2 OR (id = $2 AND version < $3))
    ORDER BY id, version DESC LIMIT $4
    """)
}

/// An entry of the audit trail about a version, or about an erasure.
enum RecordTrailRow: SQLRowType {
  enum Column: Int, SQLColumn { case resource, resourceId, version, digest, keyId }

  static let columns = SQLColumns<Column>()
}

/// The text of a version.
enum RecordTextRow: SQLRowType {
  enum Column: Int, SQLColumn { case id, version, body }

  static let columns = SQLColumns<Column>()
}

extension RecordFault: CustomStringConvertible {
  /// A message for the operator, with type, id and version but no content.
  package var description: String {
    switch kind {
    case .changed: "\(type)/\(id) version \(version) was changed after it was written"
    case .unrecorded: "\(type)/\(id) version \(version) is not in the audit trail"
    case .missing: "\(type)/\(id) version \(version) is missing"
    }
  }
}

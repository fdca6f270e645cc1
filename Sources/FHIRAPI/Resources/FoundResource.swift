// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Records
import Storage

/// A version of a resource that was found, whether it is stored or created on request.
struct FoundResource: Sendable {
  /// The key by which resources are told apart.
  struct Key: Sendable, Hashable {
    let type: FHIRType
    let id: String
  }

  let key: Key
  /// The patient whose data it is; nil for a shared resource.
  let patient: PatientID?
  let version: Int64
  let lastUpdated: Timestamp
  /// The operation that created the version.
  let operation: RecordOperation
  private let content: Content

  private enum Content: Sendable {
    case stored(String)
    case made(@Sendable () -> [UInt8])
  }

  /// Creates a resource from a stored version.
  init(_ record: StoredRecord, _ type: FHIRType) {
    key = Key(type: type, id: record.id)
    patient = type.ownership == .shared ? nil : record.patient
    version = record.version
    lastUpdated = record.lastUpdated
    operation = record.operation
    content = .stored(record.body)
  }

  /// Creates a resource from a version that is made on request.
  init(_ projected: ProjectedResource, _ type: FHIRType, patient: PatientID) {
    key = Key(type: type, id: projected.id)
    self.patient = patient
    version = projected.version
    lastUpdated = projected.lastUpdated
    operation = projected.operation
    content = .made(projected.body)
  }

  var type: FHIRType { key.type }
  var id: String { key.id }
  /// True if the version is a deletion, which has no body.
  var isDeleted: Bool { operation == .delete }
  /// The JSON of the resource; empty for a deletion.
  var body: [UInt8] {
    guard !isDeleted else { return [] }
    switch content {
    case .stored(let text): return Array(text.utf8)
    case .made(let make): return make()
    }
  }
  /// The entity tag of the version.
  var etag: String { "W/\"\(version)\"" }

  /// Adds the JSON of the resource to other bytes; a stored one is copied only once.
  func append(to bytes: inout [UInt8]) {
    guard !isDeleted else { return }
    switch content {
    case .stored(let text): bytes.append(contentsOf: text.utf8)
    case .made(let make): bytes.append(contentsOf: make())
    }
  }

  /// The parsed body; nil if it is not JSON, as for a deletion.
  var json: JSONValue? { try? JSONValue(parsing: body) }

  /// The values by which a search finds the resource.
  var index: SearchIndex? {
    guard let json, let type = type.resourceType else { return nil }
    return SearchIndex(of: json, type: type)
  }
}

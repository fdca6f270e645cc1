// SPDX-License-Identifier: Apache-2.0

/// The facts about a stored resource that are not in its search index.
public struct SearchedRecord: Sendable, Hashable {
  /// The logical id.
  public let id: String
  /// The id of the patient who owns the resource; nil for a shared resource.
  public let patient: String?
  /// The value of the element `status`.
  public let status: String?
  /// The time of the last change in milliseconds since 1970.
  public let lastUpdated: Int64

  /// Creates the facts.
  public init(id: String, patient: String?, status: String?, lastUpdated: Int64) {
    self.id = id
    self.patient = patient
    self.status = status
    self.lastUpdated = lastUpdated
  }
}

/// The values by which a search finds a resource.
///
/// The element `status` and a plain reference to the owner have no entries: the store keeps them in columns
/// of their own, which ``SearchedRecord`` carries.
public struct SearchIndex: Sendable, Hashable {
  /// The most entries of one resource.
  public static let mostEntries = 1_000

  /// The entries, each once.
  public let entries: [SearchIndexEntry]
  /// The type of the resource; nil if only its entries are known.
  let type: ResourceType?

  /// Extracts the entries of a resource; values that cannot be read have none.
  public init(of resource: JSONValue, type: ResourceType) {
    var extraction = SearchExtraction(type: type)
    extraction.add(resource)
    entries = extraction.entries
    self.type = type
  }

  /// Creates an index from entries.
  ///
  /// - Parameter type: the type of the resource; without it, `patient` and `subject` both mean the owner.
  public init(entries: [SearchIndexEntry], type: ResourceType? = nil) {
    self.entries = entries
    self.type = type
  }
}

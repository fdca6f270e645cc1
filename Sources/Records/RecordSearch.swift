// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers

/// A search for records: conditions are joined by AND, the values of a list by OR.
package struct RecordSearch: Sendable, Hashable {
  /// The FHIR type to search.
  package var type: String
  /// The logical ids to find; nil for any, and an empty list matches nothing.
  package var ids: [String]?
  /// The values of `status` to find; nil for any, and an empty list matches nothing.
  package var statuses: [String]?
  /// The conditions on `meta.lastUpdated`, all of which must match.
  package var lastUpdated: [DateSearchValue]
  /// The size of a page; with 0, only the total is found.
  package var count: Int
  /// The end of the previous page; nil for the first page.
  package var after: RecordCursor?

  /// Creates a search; without conditions it matches all records of the type.
  package init(
    type: String, ids: [String]? = nil, statuses: [String]? = nil,
    lastUpdated: [DateSearchValue] = [], count: Int, after: RecordCursor? = nil
  ) {
    self.type = type
    self.ids = ids
    self.statuses = statuses
    self.lastUpdated = lastUpdated
    self.count = count
    self.after = after
  }
}

/// The position of a record in the order of search results, which no change of a record moves.
package struct RecordCursor: Sendable, Hashable {
  /// The patient of the record.
  package let patient: PatientID
  /// The logical id of the record.
  package let id: String

  /// Creates the cursor of a record.
  package init(patient: PatientID, id: String) {
    self.patient = patient
    self.id = id
  }
}

/// One page of a search, ordered by patient and id.
package struct RecordPage: Sendable, Hashable {
  /// The records of the page.
  package let records: [StoredRecord]
  /// The number of matching records on all pages together.
  package let total: Int
  /// The cursor for the next page; nil on the last one.
  package let next: RecordCursor?

  /// Creates a page.
  package init(records: [StoredRecord], total: Int, next: RecordCursor?) {
    self.records = records
    self.total = total
    self.next = next
  }
}

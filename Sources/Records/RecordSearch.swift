// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers

/// What to search for: conditions are joined by AND, the values of a list by OR.
package struct RecordSearch: Sendable, Hashable {
  package var type: String
  /// Nil for any; an empty list matches nothing.
  package var ids: [String]?
  /// Nil for any; an empty list matches nothing.
  package var statuses: [String]?
  /// All of them must hold.
  package var lastUpdated: [DateSearchValue]
  /// The size of a page; with 0 only the total is found.
  package var count: Int
  /// Where the page before ended.
  package var after: RecordCursor?

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

/// The place of a record in the order of search results, which no change of a record moves.
package struct RecordCursor: Sendable, Hashable {
  package let patient: PatientID
  package let id: String

  package init(patient: PatientID, id: String) {
    self.patient = patient
    self.id = id
  }
}

/// One page of a search, ordered by patient and id.
package struct RecordPage: Sendable, Hashable {
  package let records: [StoredRecord]
  /// How many records match on all pages together.
  package let total: Int
  /// Nil on the last page.
  package let next: RecordCursor?

  package init(records: [StoredRecord], total: Int, next: RecordCursor?) {
    self.records = records
    self.total = total
    self.next = next
  }
}

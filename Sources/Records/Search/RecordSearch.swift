// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers

/// A search for records: conditions are joined by AND, the values of a list by OR.
package struct RecordSearch: Sendable, Hashable {
  /// The FHIR type to search.
  package var type: ResourceType
  /// The conditions, all of which must match.
  package var criteria: [SearchCriterion]
  /// The values of the element `status` to find; nil for any, and an empty list matches nothing.
  package var statuses: [String]?
  /// The keys of the order, at most four; then by patient and id, so that every order is complete.
  ///
  /// A record without a value comes first in an ascending order and last in a descending one. Of several values the
  /// smallest counts in an ascending order, and the largest in a descending one.
  package var sort: [SearchSort]
  /// The size of a page; with 0, only the total is found.
  package var count: Int
  /// The end of the previous page; nil for the first page.
  package var after: RecordCursor?
  /// False to leave the matching records on other pages uncounted.
  package var wantsTotal: Bool
  /// The patients whose records of another type may be looked at for `chain` and `_has`.
  ///
  /// A type that is missing here finds nothing. A shared type needs an entry too, usually `.all`.
  package var chainAuthorizations: [ResourceType: SearchAuthorization.Patients]

  /// Creates a search; without conditions it matches all records of the type.
  package init(
    type: ResourceType, criteria: [SearchCriterion] = [], sort: [SearchSort] = [], count: Int,
    after: RecordCursor? = nil, wantsTotal: Bool = true,
    chainAuthorizations: [ResourceType: SearchAuthorization.Patients] = [:]
  ) {
    self.type = type
    self.criteria = criteria
    self.sort = sort
    self.count = count
    self.after = after
    self.wantsTotal = wantsTotal
    self.chainAuthorizations = chainAuthorizations
  }

  /// Creates a search by what the records have as columns.
  ///
  /// - Parameters:
  ///   - type: The name of the type; no authorization fits a name that is none.
  ///   - ids: The logical ids to find; nil for any, and an empty list matches nothing.
  ///   - statuses: The values of `status` to find, in the same form.
  ///   - lastUpdated: The conditions on `meta.lastUpdated`, all of which must match.
  package init(
    type: String, ids: [String]? = nil, statuses: [String]? = nil,
    lastUpdated: [DateSearchValue] = [], count: Int, after: RecordCursor? = nil
  ) {
    var criteria = lastUpdated.map {
      SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated([$0]))
    }
    if let ids { criteria.append(SearchCriterion(parameter: "_id", test: .ids(ids))) }
    self.init(
      type: ResourceType(rawValue: type) ?? .parameters, criteria: criteria, count: count,
      after: after)
    self.statuses = statuses
  }
}

/// The position of a record in the order of search results.
package struct RecordCursor: Sendable, Hashable {
  /// The values of the record by which the results are sorted; empty for the order by patient and id, which no change
  /// of a record moves.
  package let keys: [SearchSortKey]
  /// The patient of the record.
  package let patient: PatientID
  /// The logical id of the record.
  package let id: String

  /// Creates the cursor of a record.
  package init(keys: [SearchSortKey] = [], patient: PatientID, id: String) {
    self.keys = keys
    self.patient = patient
    self.id = id
  }
}

/// One page of a search.
package struct RecordPage: Sendable, Hashable {
  /// The records of the page, in order.
  package let records: [StoredRecord]
  /// The values by which the records are sorted, for each record.
  package let keys: [[SearchSortKey]]
  /// The number of matching records on all pages together; nil if the search did not want them counted.
  package let total: Int?
  /// The cursor for the next page; nil on the last one.
  package let next: RecordCursor?

  /// Creates a page.
  package init(
    records: [StoredRecord], keys: [[SearchSortKey]]? = nil, total: Int?, next: RecordCursor?
  ) {
    self.records = records
    self.keys = keys ?? records.map { _ in [] }
    self.total = total
    self.next = next
  }
}

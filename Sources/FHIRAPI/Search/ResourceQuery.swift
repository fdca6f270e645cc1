// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records

/// A search for the current resources of one type.
struct ResourceQuery: Sendable {
  let type: FHIRType
  /// The conditions, which must all match.
  var criteria: [SearchCriterion] = []
  /// The wanted order; empty for the type's own.
  var sort: [SearchSort] = []
  /// The size of a page; 0 for the total only.
  var count: Int
  /// The end of the previous page; nil for the first page.
  var after: RecordCursor?
  /// True if all matches are counted.
  var wantsTotal = true
  /// The only patient whose resources are searched; nil for all that the caller may search.
  var compartment: PatientID?

  /// The order of the results, before patient and id.
  var order: [SearchSort] {
    let own = type.defaultSort
    return sort.isEmpty || sort == Array(own.prefix(1)) ? own : sort
  }

  /// The patients that the search names; nil if it names none, and empty if nothing can match.
  var named: [PatientID]? {
    var named = compartment.map { [$0] }
    for criterion in criteria where type.ownerParameters.contains(criterion.parameter) {
      guard case .reference(let references) = criterion.test else { continue }
      let patients = references.compactMap { reference -> PatientID? in
        guard case .local(let type, let id) = reference, type == nil || type == "Patient" else {
          return nil
        }
        return PatientID(id)
      }
      // An identifier or a foreign address is found through the index.
      guard patients.count == references.count else { continue }
      named = named.map { $0.filter(patients.contains) } ?? Array(Set(patients)).sorted()
    }
    return named
  }
}

/// The resources that a search found.
struct ResourcePage: Sendable {
  var resources: [FoundResource]
  /// The number of matches on all pages together; nil if it is not wanted.
  var total: Int?
  /// The end of the page; nil on the last one.
  var next: RecordCursor?
  /// The permission with which it was searched; nil for shared resources, and if nothing may be found.
  var authorization: SearchAuthorization?

  static let empty = ResourcePage(resources: [], total: 0)
}

/// The position of a resource in the order of a search.
struct ResourcePlace: Sendable {
  let keys: [SearchSortKey]
  let patient: PatientID
  let id: String

  init(keys: [SearchSortKey], patient: PatientID, id: String) {
    self.keys = keys
    self.patient = patient
    self.id = id
  }

  init(_ cursor: RecordCursor) {
    self.init(keys: cursor.keys, patient: cursor.patient, id: cursor.id)
  }

  var cursor: RecordCursor { RecordCursor(keys: keys, patient: patient, id: id) }

  /// Returns true if this place comes before another one.
  func precedes(_ other: ResourcePlace, _ order: [SearchSort]) -> Bool {
    for (sort, (left, right)) in zip(order, zip(keys, other.keys)) where left != right {
      return sort.isDescending ? right < left : left < right
    }
    return (patient.text, id) < (other.patient.text, other.id)
  }
}

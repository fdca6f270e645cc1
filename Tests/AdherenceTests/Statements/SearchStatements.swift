// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import TestSupport
import Testing

@testable import Records
@testable import Storage

/// Runs every form of the statements that search records and change their index.
enum SearchStatements {
  static func run(_ writer: any SQLWriter) throws {
    try index(writer)
    for actor in [system, ann] {
      for type in [ResourceType.medicationRequest, .patient, .observation, .practitioner] {
        try search(type, actor, writer)
      }
    }
    try history(writer)
  }

  private static let system = Actor.host(accountID: "host")
  private static let ann = Actor(
    accountID: "ann", kind: .session, relationships: ["ann": .self_], scope: .session)

  private static func index(_ writer: any SQLWriter) throws {
    let entries: [SearchIndexEntry] = [
      SearchIndexEntry(parameter: "code", value: .token(system: "s", code: "c")),
      SearchIndexEntry(parameter: "name", value: .string("Ann")),
      SearchIndexEntry(parameter: "date", value: .date(lower: 1, upper: 2)),
      SearchIndexEntry(
        parameter: "value-quantity",
        value: .quantity(lower: 1, upper: 2, system: "s", code: "c", unit: "u")),
      SearchIndexEntry(parameter: "focus", value: .reference(type: "Device", id: "1")),
    ]
    let rows = RecordIndexRows(SearchIndex(entries: entries))
    for resource in [
      IndexedResource(patient: "ann", type: "Observation", id: "none"),
      IndexedResource(patient: nil, type: "Practitioner", id: "none"),
    ] {
      try RecordIndex.write(rows, for: resource, in: writer)
      try RecordIndex.remove(rows, of: resource, in: writer)
    }
  }

  private static func authorization(
    _ type: ResourceType, _ actor: Actor
  ) throws -> SearchAuthorization {
    let decision =
      RecordSubject.isShared(type)
      ? decideSharedSearch(actor: actor, resource: type.rawValue, purpose: .care)
      : decideSearch(actor: actor, resource: type.rawValue, patient: nil, purpose: .care)
    guard case .allow(let authorization) = decision else { throw RecordsError.notAuthorized }
    return authorization
  }

  private static func page(
    _ search: RecordSearch, _ actor: Actor, _ reader: any SQLReader
  ) throws {
    let authorization = try authorization(search.type, actor)
    if RecordSubject.isShared(search.type) {
      _ = try SharedRecordStore().search(search, authorization: authorization, in: reader)
    } else {
      _ = try RecordStore().search(search, authorization: authorization, in: reader)
    }
  }

  private static func search(
    _ type: ResourceType, _ actor: Actor, _ reader: any SQLReader
  ) throws {
    var search = RecordSearch(type: type, count: 10)
    search.chainAuthorizations = Dictionary(
      uniqueKeysWithValues: ResourceType.allCases.map { ($0, .only(["ann"])) })
    for criterion in criteria {
      search.criteria = [criterion]
      try page(search, actor, reader)
    }
    search.criteria = []
    search.statuses = ["active"]
    search.after = RecordCursor(patient: "ann", id: "1")
    try page(search, actor, reader)
    try sorts(type, actor, reader)
  }

  /// Runs pages that begin before, at and after resources without a value, in both directions.
  private static func sorts(
    _ type: ResourceType, _ actor: Actor, _ reader: any SQLReader
  ) throws {
    let keys: [(String, SearchSortKey)] = [
      ("_id", .text("a")), ("_lastUpdated", .integer(1)), ("status", .text("a")),
      ("identifier", .text("a")), ("name", .text("a")), ("date", .integer(1)),
      ("value-quantity", .real(1)), ("focus", .text("a")), ("patient", .text("a")),
    ]
    for (parameter, value) in keys
    where parameter.hasPrefix("_") || SearchParameterTables.definition(parameter, of: type) != nil {
      for isDescending in [false, true] {
        var search = RecordSearch(
          type: type, sort: [SearchSort(parameter: parameter, isDescending: isDescending)],
          count: 10)
        try page(search, actor, reader)
        for key in [value, .none] {
          search.after = RecordCursor(keys: [key], patient: "ann", id: "1")
          try page(search, actor, reader)
        }
      }
    }
  }

  private static func history(_ reader: any SQLReader) throws {
    let place = RecordHistoryPlace(
      lastUpdated: Timestamp(milliseconds: 1), type: "Patient", id: "1", version: 1)
    for before in [nil, place] {
      for since in [nil, Timestamp(milliseconds: 1)] {
        let found = try RecordStore().history(
          types: [.condition, .practitioner], patients: .only(["nobody"]), since: since,
          before: before, count: 10, in: reader)
        #expect(found.isEmpty)
      }
    }
  }

  private static let criteria: [SearchCriterion] = {
    let token = TokenSearchValue(system: nil, code: "c")
    let full = TokenSearchValue(system: "s", code: "c")
    let other = TokenSearchValue(system: "t", code: "d")
    let system = TokenSearchValue(system: "s", code: nil)
    let identified = SearchCriterion(parameter: "identifier", test: .token([full]))
    let dates = DateSearchValue.Prefix.allCases.compactMap { prefix in
      DateSearchValue(prefix.rawValue + "2026-01-01")
    }
    let numbers = DateSearchValue.Prefix.allCases.map { prefix in
      NumberSearchValue(prefix: prefix, lower: 1, upper: 3, value: 2)
    }
    let units: [(system: String?, code: String?)] = [(nil, nil), (nil, "mg"), ("s", "mg")]
    let quantities = units.map { unit in
      QuantitySearchValue(number: numbers[0], system: unit.system, code: unit.code)
    }
    var tests: [(String, SearchTest)] = [
      ("_id", .ids(["1", "2"])), ("_lastUpdated", .lastUpdated(dates)), ("code", .token([token])),
      ("code", .token([token, full])), ("code", .token([token, full, system])),
      ("code", .token([full, other])), ("code", .token([full, other, token])),
      ("date", .date(dates + dates)),
      ("code", .notToken([full])), ("status", .token([token])), ("status", .notToken([token])),
      ("status", .token([system])), ("status", .token([TokenSearchValue(system: nil, code: nil)])),
      ("code", .text(["a"])), ("date", .date(dates)), ("probability", .number(numbers)),
      ("value-quantity", .quantity(quantities)),
      (
        "focus",
        .reference([
          .local(type: nil, id: "1"), .local(type: "Device", id: "1"), .absolute("urn:x"),
          .identifier(token),
        ])
      ),
      ("subject", .reference([.local(type: "Patient", id: "1"), .identifier(token)])),
      ("focus", .reference([.identifier(token)])), ("focus", .reference([])),
    ]
    for match in [StringSearchMatch.start, .contains, .exact] {
      tests.append(("name", .string(["A", "b"], match)))
    }
    for match in [URISearchMatch.exact, .below, .above] {
      tests.append(("_profile", .uri(["http://a"], match)))
    }
    for name in ["_id", "status", "patient", "code", "name", "date", "focus", "value-quantity"] {
      tests += [(name, .missing(true)), (name, .missing(false))]
    }
    for type in [ResourceType.patient, .practitioner, .device] {
      tests.append(("subject", .chain(target: type, identified)))
      tests.append(("_has", .has(source: type, reference: "link", identified)))
    }
    tests.append(("_has", .has(source: .observation, reference: "subject", identified)))
    return tests.map { SearchCriterion(parameter: $0.0, test: $0.1) }
  }()
}

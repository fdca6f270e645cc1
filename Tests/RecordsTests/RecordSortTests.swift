// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage
import TestSupport
import Testing

@testable import Records

/// The order of results, and pages of it.
@Suite struct RecordSortTests {
  private static func observation(_ id: String, date: String?, code: String) -> String {
    let when = date.map { #","effectiveDateTime":"\#($0)""# } ?? ""
    return #"""
      {"resourceType":"Observation","id":"\#(id)","status":"final",\#
      "code":{"coding":[{"code":"\#(code)"}]},"subject":{"reference":"Patient/p1"}\#(when)}
      """#
  }

  private func sorted(
    _ sort: [SearchSort], of patient: PatientID? = nil, count: Int, in database: Database,
    between body: (Int) async throws -> Void = { _ in }
  ) async throws -> [String] {
    var search = RecordSearch(type: .observation, sort: sort, count: count, wantsTotal: false)
    var ids: [String] = []
    var round = 0
    repeat {
      let page = try await database.find(search, searching(patient, by: ann, "Observation"))
      ids += page.records.map(\.id)
      search.after = page.next
      try await body(round)
      round += 1
    } while search.after != nil && round < 30
    return ids
  }

  @Test(arguments: DatabaseForm.allCases)
  func `keys in both directions, and resources without a value`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      let all: [(String, String?, String)] = [
        ("a", "2026-03-02", "x"), ("b", nil, "y"), ("c", "2026-03-01", "y"),
        ("d", "2026-03-02", "y"), ("e", nil, "x"),
      ]
      for (id, date, code) in all {
        try await database.store(Self.observation(id, date: date, code: code))
      }
      let date = SearchSort(parameter: "date", isDescending: false)
      let latest = SearchSort(parameter: "date", isDescending: true)
      let code = SearchSort(parameter: "code", isDescending: false)
      let last = SearchSort(parameter: "code", isDescending: true)
      for count in [1, 2, 9] {
        for patient in [nil, "p1"] as [PatientID?] {
          #expect(
            try await sorted([date], of: patient, count: count, in: database)
              == ["b", "e", "c", "a", "d"])
          #expect(
            try await sorted([latest], of: patient, count: count, in: database)
              == ["a", "d", "c", "b", "e"])
        }
        #expect(
          try await sorted([date, last], count: count, in: database) == ["b", "e", "c", "d", "a"])
        #expect(
          try await sorted([latest, code], count: count, in: database)
            == ["a", "d", "c", "e", "b"])
        #expect(
          try await sorted([last, date], count: count, in: database) == ["b", "c", "d", "e", "a"])
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases, [nil, "p1"] as [PatientID?])
  func `a sorted search shows each resource once while others are added`(
    form: DatabaseForm, patient: PatientID?
  ) async throws {
    try await form.withDatabase { database async throws in
      let ids = (0..<9).map { "o\($0)" }
      for (number, id) in ids.enumerated() {
        try await database.store(
          Self.observation(id, date: number % 3 == 0 ? nil : "2026-03-0\(number)", code: "x"))
      }
      let sort = [SearchSort(parameter: "date", isDescending: true)]
      let found = try await sorted(sort, of: patient, count: 2, in: database) { round in
        for day in ["2026-01-01", "2027-01-01"] {
          try await database.store(
            Self.observation("n\(round)-\(day)", date: day, code: "x"))
        }
      }
      #expect(Set(found).count == found.count)
      #expect(found.filter(ids.contains) == ["o8", "o7", "o5", "o4", "o2", "o1", "o0", "o3", "o6"])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a page link of another search is refused`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.store(Self.observation("a", date: nil, code: "x"))
      let sort = [SearchSort(parameter: "date", isDescending: false)]
      for keys in [[], [.text("x")], [.integer(1), .none], [.real(1)]] as [[SearchSortKey]] {
        let search = RecordSearch(
          type: .observation, sort: sort, count: 2,
          after: RecordCursor(keys: keys, patient: "p1", id: "a"))
        for patient in [nil, "p1"] as [PatientID?] {
          await #expect(throws: RecordsError.self) {
            try await database.find(search, searching(patient, by: ann, "Observation"))
          }
        }
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a search with too many values is refused`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let token = TokenSearchValue(system: "http://s", code: "a")
      let criterion = SearchCriterion(
        parameter: "code", test: .token([TokenSearchValue](repeating: token, count: 500)))
      var search = RecordSearch(
        type: .observation, criteria: [SearchCriterion](repeating: criterion, count: 100),
        count: 1)
      let authorization = try searching(by: ann, "Observation")
      do {
        _ = try await database.find(search, authorization)
        Issue.record("the search was accepted")
      } catch RecordsError.invalid(let issues) {
        #expect(issues.map(\.code) == [.tooCostly])
      }
      search.criteria = [criterion]
      #expect(try await database.find(search, authorization).total == 0)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a period without a start comes first, and pages go on after it`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      try await database.store(Self.observation("a", date: "1900-01-01", code: "x"))
      try await database.store(
        #"""
        {"resourceType":"Observation","id":"b","status":"final","code":{"text":"x"},\#
        "subject":{"reference":"Patient/p1"},"effectivePeriod":{"end":"2026-01-01"}}
        """#)
      let sort = [SearchSort(parameter: "date", isDescending: false)]
      for patient in [nil, "p1"] as [PatientID?] {
        #expect(try await sorted(sort, of: patient, count: 1, in: database) == ["b", "a"])
      }
      let page = try await database.find(
        RecordSearch(type: .observation, sort: sort, count: 1), searching(by: ann, "Observation"))
      #expect(page.keys == [[.integer(-(1 << 53))]])
      #expect(page.total == 2)
    }
  }

  private static let longLists: [SearchCriterion] = {
    let date = DateSearchValue("ge2030").map { [DateSearchValue](repeating: $0, count: 500) } ?? []
    let number = NumberSearchValue(prefix: .gt, lower: 900, upper: 901, value: 900)
    let quantity = QuantitySearchValue(number: number, system: "http://u", code: "mg")
    let reference = ReferenceSearchValue.local(type: "Device", id: "none")
    return [
      SearchCriterion(parameter: "date", test: .date(date)),
      SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated(date)),
      SearchCriterion(
        parameter: "value-string",
        test: .string([String](repeating: "none", count: 500), .contains)),
      SearchCriterion(
        parameter: "value-quantity",
        test: .quantity([QuantitySearchValue](repeating: quantity, count: 500))),
      SearchCriterion(
        parameter: "focus",
        test: .reference([ReferenceSearchValue](repeating: reference, count: 500))),
      SearchCriterion(parameter: "_id", test: .ids([String](repeating: "none", count: 500))),
    ]
  }()

  @Test(arguments: DatabaseForm.allCases, longLists)
  func `two of the longest lists are searched, and many refused`(
    form: DatabaseForm, list: SearchCriterion
  ) async throws {
    try await form.withDatabase { database async throws in
      try await database.store(Self.observation("a", date: "2026-03-01", code: "x"))
      let authorization = try searching(by: ann, "Observation")
      let plain = SearchCriterion(
        parameter: "code", test: .token([TokenSearchValue(system: nil, code: "x")]))
      var search = RecordSearch(
        type: .observation,
        criteria: [list, list] + [SearchCriterion](repeating: plain, count: 98), count: 1)
      #expect(try await database.find(search, authorization).total == 0)
      search.criteria = [SearchCriterion](repeating: list, count: 100)
      do {
        _ = try await database.find(search, authorization)
        Issue.record("the search was accepted")
      } catch RecordsError.invalid(let issues) {
        #expect(issues.map(\.code) == [.tooCostly])
      }
    }
  }
}

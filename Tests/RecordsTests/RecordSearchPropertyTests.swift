// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Records

/// Random searches find what a plain filter finds, in the same order.
@Suite struct RecordSearchPropertyTests {
  @Test(arguments: DatabaseForm.allCases, [1, 2, 3] as [UInt64])
  func `searches agree with a filter over all records`(
    form: DatabaseForm, seed: UInt64
  ) async throws {
    try await form.withDatabase { database async throws in
      var random = RandomObservations(random: RandomSequence(state: seed))
      var records: [StoredRecord] = []
      for number in 0..<40 {
        let patient = random.random.pick(["p1", "p2", "p9"] as [PatientID])
        let text = random.resource(id: "o\(number)", patient: patient)
        records.append(try await database.store(text, at: time(number)))
      }
      var found = 0
      for _ in 0..<60 {
        let criteria = (0..<Int(random.random.pick([1, 1, 1, 2, 3]))).map { _ in
          random.criterion()
        }
        let sort = (0..<Int(random.random.pick([0, 1, 1, 2, 4]))).map { _ in random.sort() }
        let actor = random.random.pick([ann, system])
        let patient = random.random.pick([nil, nil, "p1"] as [PatientID?])
        let search = RecordSearch(
          type: .observation, criteria: criteria, sort: sort,
          count: random.random.pick([1, 3, 100]))
        let ids = try await all(search, of: patient, by: actor, in: database)
        let own = records.filter { patient == nil || $0.patient == patient }
        let expected = try Self.filter(own, search, by: actor)
        #expect(ids == expected, "\(seed): \(criteria) \(sort)")
        found += expected.count
      }
      #expect(found > 50)
      for number in 0..<30 {
        var alternatives: [[SearchCriterion]] = []
        for _ in 0..<(number % 4) {
          alternatives.append(number % 3 == 0 ? [] : [random.criterion()])
          alternatives.append([random.criterion(), random.criterion()])
        }
        let search = RecordSearch(
          type: .observation, criteria: [.anyOf(alternatives), random.criterion()], count: 100)
        let ids = try await all(search, by: ann, in: database)
        let expected = try Self.filter(records, search, by: ann)
        #expect(ids == expected, "\(seed): \(alternatives)")
      }
    }
  }

  /// Returns the ids on all pages.
  private func all(
    _ first: RecordSearch, of patient: PatientID? = nil, by actor: Actor, in database: Database
  ) async throws -> [String] {
    var search = first
    var ids: [String] = []
    repeat {
      let page = try await database.find(search, searching(patient, by: actor, "Observation"))
      ids += page.records.map(\.id)
      search.after = page.next
    } while search.after != nil && ids.count < 100
    return ids
  }

  private static func filter(
    _ records: [StoredRecord], _ search: RecordSearch, by actor: Actor
  ) throws -> [String] {
    struct Match {
      let keys: [SearchSortKey]
      let record: StoredRecord
    }
    var matches: [Match] = []
    for record in records {
      let json = try record.json()
      let isMine = actor == system || ann.relationships[record.patient] != nil
      let index = SearchIndex(of: json, type: .observation)
      let facts = SearchedRecord(
        id: record.id, patient: record.patient.text, status: json["status"]?.string,
        lastUpdated: record.lastUpdated.milliseconds)
      guard isMine,
        search.criteria.allSatisfy({ index.matches($0, record: facts) == true })
      else { continue }
      matches.append(
        Match(keys: search.sort.map { index.sortKey($0, record: facts) }, record: record))
    }
    return matches.sorted { left, right in
      for (sort, (one, other)) in zip(search.sort, zip(left.keys, right.keys)) where one != other {
        return sort.isDescending ? other < one : one < other
      }
      return (left.record.patient, left.record.id) < (right.record.patient, right.record.id)
    }.map(\.record.id)
  }
}

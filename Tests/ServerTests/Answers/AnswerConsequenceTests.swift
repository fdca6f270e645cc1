// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Adherence
@testable import Dosing

/// Each consequence of an answer, on each path by which an answer arrives.
@Suite struct AnswerConsequenceTests {
  /// A cell of the table.
  enum Cell: Sendable {
    case follows
    /// There is no such consequence on this path, for this reason.
    case none(String)
  }

  /// A row of the table: it applies to every path that is not listed.
  struct Row: Sendable {
    let name: String
    let exceptions: [AnswerPath: String]

    func cell(_ path: AnswerPath) -> Cell {
      exceptions[path].map(Cell.none) ?? .follows
    }
  }

  private static let onlyRecord = "a correction by the source answers no dose"
  private static let onlyLink = "the new plan takes over an intake that was counted before"
  private static let noneAsNeeded = "the medicines here have set times; FollowUpTests has others"
  private static let noSites = "no sites are recorded here; SiteTests has a patch"
  private static let onlyFirst = "it gives the first answer and corrects none"

  static let table: [Row] = [
    Row(name: "intakes", exceptions: [:]),
    Row(name: "stock", exceptions: [.hospital: onlyLink]),
    Row(name: "reminder", exceptions: [.fhirUpdate: onlyRecord, .hospital: onlyLink]),
    Row(
      name: "rollup",
      exceptions: [
        .link: "a link expires with the late window of its dose", .fhirUpdate: onlyRecord,
        .hospital: onlyLink,
      ]),
    Row(
      name: "heart-rate warnings",
      exceptions: [.fhirUpdate: onlyRecord, .hospital: onlyLink]),
    Row(name: "messages", exceptions: [:]),
    Row(name: "doses timed from the last intake", exceptions: [:]),
    Row(
      name: "doses moved for a late one",
      exceptions: [
        .administrationsAPI: onlyFirst, .link: onlyFirst, .phone: onlyFirst,
        .fhirCreate: onlyFirst, .fhirUpdate: onlyRecord, .file: onlyFirst, .hospital: onlyLink,
      ]),
    Row(
      name: "follow-ups",
      exceptions: Dictionary(uniqueKeysWithValues: AnswerPath.allCases.map { ($0, noneAsNeeded) })),
    Row(
      name: "sites",
      exceptions: Dictionary(uniqueKeysWithValues: AnswerPath.allCases.map { ($0, noSites) })),
    Row(name: "subscriptions", exceptions: [:]),
  ]

  /// The rows that only apply to an answer to an old dose, or a correction.
  private static let later = ["rollup", "doses moved for a late one"]

  @Test func `every consequence has its row in order`() {
    #expect(Self.table.map(\.name) == AnswerConsequence.inOrder.map(\.name))
  }

  @Test(arguments: AnswerPath.allCases)
  func `every consequence follows on every path`(path: AnswerPath) async throws {
    try await ServerHarness.run { harness in
      let house = try await AnswerHouse(harness)
      try await path.prepare(house)
      try await house.arm()
      let rows = Self.table.filter { !Self.later.contains($0.name) }
      try await Self.expect(rows, on: path, in: house) {
        try await path.answer(house.open, in: house)
      }
      for row in Self.table where Self.later.contains(row.name) {
        guard case .follows = row.cell(path) else { continue }
        if row.name != "rollup" { try await house.moveDosesAfterOpenOne() }
        try await Self.expect([row], on: path, in: house) {
          if row.name == "rollup" {
            try await path.answer(house.old, in: house)
          } else {
            try await path.correct(house)
          }
        }
      }
    }
  }

  /// Runs code and compares the content of the rows' tables before and after.
  private static func expect(
    _ rows: [Row], on path: AnswerPath, in house: AnswerHouse, _ act: () async throws -> Void
  ) async throws {
    var before: [String: String] = [:]
    for row in rows { before[row.name] = try await house.trace(of: row.name) }
    try await act()
    for row in rows {
      let after = try #require(try await house.trace(of: row.name), "no trace of \(row.name)")
      switch row.cell(path) {
      case .follows:
        #expect(
          after != before[row.name] && !after.isEmpty,
          "\(row.name) does not follow on the path \(path.rawValue): \(after)")
      case .none(let reason):
        #expect(
          after == before[row.name],
          "\(row.name) follows on the path \(path.rawValue), but \(reason): \(after)")
      }
    }
  }
}

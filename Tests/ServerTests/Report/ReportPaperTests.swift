// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Testing

@testable import ReportPages

@Suite struct ReportPaperTests {
  /// Returns a report of a number of medicines, followed by small parts.
  private static func document(_ medicines: Int, weeks: Int = 10) -> ReportDocument {
    let rows = (0..<medicines).map { number in
      [
        "Medicine \(number)", "Take 1 tablet once a day, at 08:00, from 16 May 2026.",
        "29 of 30 (97%)", "1 (95 min)", "29 of 30 (97%)",
      ]
    }
    func numbers(_ count: Int) -> ReportDocument.Block {
      .table(
        .init(
          header: ["When", "Taken"], rows: (0..<count).map { ["Day \($0)", "1"] },
          shares: [60, 40]))
    }
    return ReportDocument(
      title: "Report", lines: ["Ann"],
      parts: [
        .init(
          title: "Medicines",
          blocks: [
            .table(
              .init(
                header: ["Medicine", "How", "Taken", "Late", "Days covered"], rows: rows,
                wordColumns: 2, shares: [22, 36, 16, 14, 14]))
          ]),
        .init(title: "Times", blocks: [numbers(weeks)], side: .left),
        .init(title: "Weeks", blocks: [numbers(weeks)], side: .right),
        .init(title: "Meanings", blocks: [.list(["One", "Two"])]),
      ])
  }

  private static func sheets(_ document: ReportDocument) throws -> Int {
    let paper = ReportPaper(
      document: document, localizer: .of(.en), created: "2026-03-04T07:00:00Z")
    let text = String(decoding: try paper.bytes(), as: UTF8.self)
    return text.components(separatedBy: "/MediaBox").count - 1
  }

  @Test(arguments: [(0, 10), (5, 10), (20, 10), (5, 30), (5, 38)])
  func `a sheet has one long list or two short ones side by side`(
    medicines: Int, weeks: Int
  ) throws {
    #expect(try Self.sheets(Self.document(medicines, weeks: weeks)) == 1)
  }

  @Test func `a list too long for one sheet continues on others`() throws {
    let (some, many) = try (
      Self.sheets(Self.document(90)), Self.sheets(Self.document(900))
    )
    #expect(some > 1 && some < 6)
    // Ten times the rows are about ten times the pages: none is left out.
    #expect(many >= some * 7)
  }
}

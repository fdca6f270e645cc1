// SPDX-License-Identifier: Apache-2.0

import FHIR
import HealthData
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Scheduling
import Storage
import Testing
import TestSupport

@testable import ImportPages
@testable import People
@testable import Web

@Suite struct MedicineTableTests {
  private func guess(_ header: String) -> MedicineTableMapping {
    MedicineTableMapping(guessedFrom: header.split(separator: ";").map(String.init))
  }

  @Test(arguments: [
    ("Medicine;Strength;Dose;Times;Start;End;Notes", [0, 1, 2, 3, 4, 5, 6]),
    ("Medikament;Stärke;Menge;Uhrzeiten;Beginn;Ende;Hinweis", [0, 1, 2, 3, 4, 5, 6]),
    ("Legemiddel;Styrke;Mengde;Klokkeslett;Startdato;Sluttdato;Merknad", [0, 1, 2, 3, 4, 5, 6]),
    ("ชื่อยา;ความแรง;ขนาดยา;เวลา;วันเริ่ม;วันสิ้นสุด;หมายเหตุ", [0, 1, 2, 3, 4, 5, 6]),
    ("İlaç;Güç;Doz;Saatler;Başlangıç;Bitiş;Açıklama", [0, 1, 2, 3, 4, 5, 6]),
  ])
  func theHeadingIsGuessedInFiveLanguages(header: String, places: [Int]) {
    let mapping = guess(header)
    let questions: [MedicineTableMapping.Question] = [
      .name, .strength, .amount, .times, .start, .end, .note,
    ]
    #expect(questions.map { mapping[$0] } == places.map(Optional.some))
    #expect(!mapping.isHistory && mapping.fits(columns: 7) && !mapping.fits(columns: 3))
  }

  @Test(arguments: [
    "weekly", "Every Monday", "once a week", "wöchentlich", "montags", "annenhver dag",
    "haftada bir", "วันจันทร์", "every other day", "3x/week", "1 / Woche", "every 2 days",
    "alle 14 Tage", "hver 3. dag", "2 günde bir", "Mon, Thu", "Mo und Do", "Fri",
  ])
  func `a line with certain days is never read as daily`(words: String) throws {
    let text = "Medicine;Strength;Dose;Times;Frequency\nRamipril;5 mg;1 tablet;08:00;\(words)\n"
    let rows = try TableText(Array(text.utf8)).rows
    let table = MedicineTable(
      rows.dropFirst(), broken: [], mapping: guess("Medicine;Strength;Dose;Times;Frequency"),
      reader: MedicineTable.Reader(
        patient: "ann", today: MedicineForms.today, zone: .utc, rhythm: .standard, now: 0,
        generation: 0))
    #expect(table.drafts.isEmpty)
    #expect(table.leftOut.map(\.problem) == [.days])
    for words in [
      "1 tablet for 2 weeks, with food", "do so with food", "2/day", "every 8 hours", "every 1 day",
    ] {
      #expect(!CertainDays.areNamed(in: words), "\(words)")
    }
  }

  // MARK: On the pages

  private static let boundary = "a-boundary-of-a-table"

  private func send(
    _ text: [UInt8], name: String = "medicines.csv", _ house: DoseHouse
  ) async throws -> TestResponse {
    var body = Array(
      "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(ForgeryGuard.field)\"\r\n\r\n"
        .utf8)
    body += Array("\(house.browser.formToken)\r\n".utf8)
    body += Array(
      """
      --\(Self.boundary)\r\nContent-Disposition: form-data; name="file"; filename="\(name)"\r\n\
      Content-Type: text/csv\r\n\r\n
      """.utf8)
    body += text
    body += Array("\r\n--\(Self.boundary)--\r\n".utf8)
    var headers = house.browser.headers
    headers[.contentType] = "multipart/form-data; boundary=\(Self.boundary)"
    return try await house.harness.client.executeRequest(
      uri: "/import", method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  private static let plans = """
    Medicine;Strength;Dose;Times;Start
    Bisoprolol;5 mg;1 tablet;08:00;2026-03-01
    Bisoprolol;5 mg;1 tablet;20:00;2026-03-01
    =HYPERLINK("x");;1;08:00;2026-03-01
    Vitamin D;;1 capsule;noon;2026-03-01
    Paracetamol;500 mg;1 tablet;;2026-03-01
    Ramipril;5 mg;1 tablet;07:30;03/04/2026
    """

  private static let mapped = [
    ("column-name", "1"), ("column-strength", "2"), ("column-amount", "3"),
    ("column-times", "4"), ("column-start", "5"), ("without-times", "as-needed"),
  ]

  @Test func `a table's preview shows interactions, too-frequent doses wait`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let table = """
        Medicine;Strength;Dose;Times;Start
        Warfarin;;1 tablet;18:00;2026-03-01
        Ibuprofen;;1 tablet;08:00;2026-03-01
        Methotrexate;2.5 mg;1 tablet;08:00;2026-03-01
        """
      let sent = try await send(Array(table.utf8), house)
      let columns = try #require(sent.headers[.location], "\(sent.text)")
      let go = try await house.browser.submitForm(columns, Self.mapped + [("action", "take")])
      let review = try #require(go.headers[.location], "\(go.text)")
      let reviewed = try await house.browser.open(review).text
      #expect(reviewed.contains("Severe: Warfarin with Ibuprofen"), "\(reviewed)")
      #expect(reviewed.contains("Confirm it on Today before it starts."))
      let taken = try await house.browser.submitForm(review, [("action", "accept-all")])
      #expect(taken.status == .seeOther, "\(taken.text)")
      let accepted = try await house.count("SELECT COUNT(*) FROM plans WHERE status = 'active'")
      let waiting = try await house.count("SELECT COUNT(*) FROM proposals WHERE state = 'open'")
      #expect(accepted == 2 && waiting == 1)
    }
  }

  @Test func `a table is previewed, imported and undone`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let sent = try await send(Array(Self.plans.utf8), house)
      let columns = try #require(sent.headers[.location], "\(sent.text)")
      #expect(columns.hasPrefix("/import/columns/"))
      let page = try await house.browser.open(columns).text
      #expect(page.contains("Bisoprolol") && page.contains("value=\"1\" selected"))
      #expect(page.contains("Medicines from a table"))
      let none = try await house.browser.submitForm(columns, [("action", "look")])
      #expect(none.status == .unprocessableContent)
      let look = try await house.browser.submitForm(columns, Self.mapped + [("action", "look")])
      #expect(look.status == .ok, "\(look.text)")
      #expect(look.text.contains("This adds 2 medicines and no doses taken"))
      #expect(look.text.contains("Bisoprolol 5 mg at 08:00, 20:00"))
      #expect(look.text.contains("Paracetamol 500 mg, as needed"))
      #expect(look.text.contains("Line 4: the name looks like a spreadsheet formula"))
      #expect(look.text.contains("Line 5: we can’t read a time"))
      #expect(look.text.contains("Line 7: we can’t read a date"))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let go = try await house.browser.submitForm(columns, Self.mapped + [("action", "take")])
      let review = try #require(go.headers[.location], "\(go.text)")
      let reviewed = try await house.browser.open(review).text
      #expect(reviewed.contains("Bisoprolol") && reviewed.contains("Medicines from a table"))
      #expect(reviewed.contains("medicines.csv") && !reviewed.contains("csv.ndjson"))
      let taken = try await house.browser.submitForm(review, [("action", "accept-all")])
      #expect(taken.status == .seeOther, "\(taken.text)")
      let done = try #require(taken.headers[.location])
      #expect(try await house.browser.open(done).text.contains("Accepted."))
      #expect(try await house.count("SELECT COUNT(*) FROM plans WHERE status = 'active'") == 2)
      let list = try await house.browser.open("/import").text
      #expect(
        list.contains("medicines.csv") && !list.contains("csv.ndjson") && list.contains("2 entries")
      )
      let undo = try #require(
        list.firstMatch(of: /action="(\/import\/tables\/[^"]+\/undo)"/)?.output.1)
      let undone = try await house.browser.submitForm(String(undo), [])
      #expect(undone.headers[.location] == "/import?done=undone", "\(undone.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM plans WHERE status = 'active'") == 0)
      #expect(try await house.browser.open("/import").text.contains("Undone"))
    }
  }

  @Test func `a table is previewed with strengths and interactions`() async throws {
    let table = """
      Medicine;Strength;Dose;Times;Start
      Warfarin;5 mg;1 tablet;08:00;2026-03-01
      Ibuprofen;400 mg;1 tablet;20:00;2026-03-01
      """
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let sent = try await send(Array(table.utf8), house)
      let columns = try #require(sent.headers[.location], "\(sent.text)")
      let go = try await house.browser.submitForm(columns, Self.mapped + [("action", "take")])
      let review = try #require(go.headers[.location], "\(go.text)")
      let page = try await house.browser.open(review).text
      for words in ["Warfarin 5 mg", "Ibuprofen 400 mg", "Severe: Warfarin"] {
        #expect(page.contains(words), "\(words)")
      }
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
    }
  }

  @Test func `imported intakes count once and no longer after undo`() async throws {
    let history = """
      name,taken,amount,status
      Ibuprofen,2026-02-27 08:05,1 tablet,taken
      Ibuprofen,2026-02-27 20:00,1 tablet,skipped
      Ibuprofen,2026-02-28 08:00,1 tablet,perhaps
      Ibuprofen,2027-02-28 08:00,1 tablet,taken
      """
    let mapped = [
      ("column-name", "1"), ("column-taken", "2"), ("column-amount", "3"), ("column-status", "4"),
    ]
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      for round in 1...3 {
        let sent = try await send([0xEF, 0xBB, 0xBF] + Array(history.utf8), house)
        let columns = try #require(sent.headers[.location], "\(sent.text)")
        let look = try await house.browser.submitForm(columns, mapped + [("action", "look")])
        #expect(look.text.contains("2 doses taken"), "\(look.text)")
        #expect(
          look.text.contains("Line 4: it isn’t clear")
            && look.text.contains("Line 5: it’s in the future"))
        let go = try await house.browser.submitForm(columns, mapped + [("action", "take")])
        let review = try #require(go.headers[.location], "\(go.text)")
        let taken = try await house.browser.submitForm(review, [("action", "accept-all")])
        #expect(taken.status == .seeOther, "\(taken.text)")
        #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 1)
        // The second time changes nothing; the third comes after the first was undone.
        if round == 2 {
          let page = try await house.browser.open("/import").text
          let undo = try #require(
            page.firstMatch(of: /action="(\/import\/tables\/[^"]+\/undo)"/)?.output.1)
          _ = try await house.browser.submitForm(String(undo), [])
          #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 0)
        }
      }
      #expect(try await house.count("SELECT COUNT(*) FROM table_imports") == 2)
    }
  }

  @Test func `hostile tables are refused with a message`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let latin: [UInt8] = Array("Medikament;Menge\nGr".utf8) + [0xFC] + Array("n;1\n".utf8)
      #expect(try await send(latin, house).text.contains("The table isn’t in UTF-8"))
      let binary: [UInt8] = Array("a,b\n".utf8) + [0]
      #expect(try await send(binary, house).status == .unprocessableContent)
      #expect(try await send(Array("hello".utf8), house).text.contains("This file is neither"))
      let huge = Array(
        "Medicine,Times\n\(String(repeating: "x", count: 70_000)),08:00\nZinc,09:00\n".utf8)
      let columns = try #require(try await send(huge, house).headers[.location])
      let look = try await house.browser.submitForm(
        columns, [("column-name", "1"), ("column-times", "2"), ("action", "look")])
      #expect(look.text.contains("Line 2: a quotation mark isn’t closed, or the line is too long"))
    }
  }

  @Test func `UTF-16, tabs and quotes are read`() throws {
    let text = "Medicine\tDose\r\n\"Vitamin \"\"D\"\"\"\t1\r\n"
    let little: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for bytes in [little, big, Array(text.utf8)] {
      let table = try TableText(bytes)
      #expect(table.rows.map(\.fields) == [["Medicine", "Dose"], ["Vitamin \"D\"", "1"]])
      #expect(table.rows.map(\.line) == [1, 2])
    }
    #expect(throws: TableText.Problem.tooManyRows) {
      try TableText(Array("a,b\n1,2\n3,4\n5,6\n".utf8), mostRows: 2)
    }
    #expect(throws: TableText.Problem.encoding) { try TableText([0xFF, 0xFE, 0x41]) }
  }
}

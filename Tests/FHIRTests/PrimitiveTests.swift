// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct PrimitiveTests {
  @Test(arguments: [
    ("2026", FHIRDateTime.Precision.year), ("2026-03", .month), ("2024-02-29", .day),
    ("2026-03-01T08:00:00Z", .second), ("2026-03-01T08:00:00.1234567-03:30", .millisecond),
    ("2016-12-31T23:59:60Z", .second),
  ])
  func readsDates(_ text: String, _ precision: FHIRDateTime.Precision) {
    #expect(FHIRDateTime(text)?.precision == precision)
    #expect(FHIRDateTime(text)?.text == text)
  }

  @Test(arguments: [
    "", "26", "0000", "2026-13", "2026-00", "2026-02-29", "2026-02-30", "2100-02-29", "2026-04-31",
    "2026-3-1", "2026-03-01T", "2026-03-01T08:00Z", "2026-03-01T08:00:00", "2026-03-01T24:00:00Z",
    "2026-03-01T08:00:00.Z", "2026-03-01T08:00:00+15:00", "2026-03-01T08:00:00+0100", "2026-03-01 ",
    "2026-03-01T08:60:00Z", "２０２６",
  ])
  func refusesDates(_ text: String) { #expect(FHIRDateTime(text) == nil) }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1),
      ("2026-03-01T08:00:00+01:00", 1_772_348_400_000),
      ("2000-02-29T12:00:00.250Z", 951_825_600_250),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ] as [(String, Int64)])
  func countsMilliseconds(_ text: String, _ milliseconds: Int64) {
    #expect(FHIRDateTime(text)?.epochMilliseconds == milliseconds)
  }

  @Test func datesAloneAreNoInstants() {
    #expect(FHIRDateTime("2026-03-01")?.epochMilliseconds == nil)
  }

  @Test(
    arguments: [
      (1_772_348_400_000, 60, "2026-03-01T08:00:00+01:00"), (0, 0, "1970-01-01T00:00:00+00:00"),
      (-1, 0, "1969-12-31T23:59:59.999+00:00"), (5, -210, "1969-12-31T20:30:00.005-03:30"),
      (951_782_400_000, 0, "2000-02-29T00:00:00+00:00"),
    ] as [(Int64, Int, String)])
  func writesInstants(_ milliseconds: Int64, _ offset: Int, _ text: String) {
    #expect(FHIRDateTime.instantText(milliseconds: milliseconds, offsetMinutes: offset) == text)
    #expect(FHIRDateTime(text)?.epochMilliseconds == milliseconds)
  }

  @Test(arguments: [Int64.min, Int64.max])
  func instantsBeyondTheCalendarAreStillInstants(_ milliseconds: Int64) {
    for offset in [Int.min, -840, 0, 840, Int.max] {
      let text = FHIRDateTime.instantText(milliseconds: milliseconds, offsetMinutes: offset)
      #expect(FHIRDateTime(text)?.epochMilliseconds != nil)
    }
  }

  @Test(arguments: [
    ("a", true), ("A-1.b", true), (String(repeating: "x", count: 64), true), ("", false),
    (String(repeating: "x", count: 65), false), ("a/b", false), ("a_b", false), ("é", false),
    ("../x", false), ("a b", false),
  ])
  func knowsResourceIDs(_ text: String, _ isValid: Bool) {
    #expect(FHIRIdentifierText.isValidResourceID(text) == isValid)
  }

  @Test(arguments: [
    (PrimitiveType.code, "a b", true), (.code, " a", false), (.code, "a  b", false),
    (.oid, "urn:oid:1.2.840", true), (.oid, "urn:oid:3.1", false), (.oid, "urn:oid:1.02", false),
    (.uuid, "urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7", true), (.uuid, "urn:uuid:x", false),
    (.base64Binary, "aGk=", true), (.base64Binary, "aGk", false), (.base64Binary, "a=Gk", false),
    (.date, "2026-03", true), (.date, "2026-03-01T08:00:00Z", false),
    (.instant, "2026-03-01", false), (.time, "23:59:60", true), (.time, "9:00:00", false),
    (.string, "line\nline", true), (.string, "bell\u{7}", false), (.uri, "urn:x", true),
  ])
  func checksTexts(_ type: PrimitiveType, _ text: String, _ isValid: Bool) {
    #expect((type.problem(with: .string(text)) == nil) == isValid)
  }

  @Test(arguments: [
    ("Patient/1", true), ("Patient/1/_history/2", true), ("https://x.org/fhir/Patient/1", true),
    ("#a", true), ("urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7", true), ("urn:oid:1.2", true),
    ("patient/1", false), ("Patient", false), ("Patient/", false), ("Patient/1/2", false),
    ("Patient/../x", false), ("urn:uuid:1", false), ("# a", false), ("javascript:x", false),
  ])
  func knowsReferences(_ text: String, _ isValid: Bool) {
    #expect((ReferenceSyntax(text) != nil) == isValid)
  }

  @Test(arguments: [
    ("<p>a<br/>b</p><div/>", true), ("a &lt; b &#233;<!-- c -->", true), ("<img src='#a'/>", true),
    ("<a href=\"https://x.org\">x</a>", true), ("", false), ("  ", false), ("<p>a", false),
    ("<p>a</b>", false), ("<script>x</script>", false), ("<p onclick='x'>a</p>", false),
    ("<a href='javascript:x'>a</a>", false), ("<a href=' java\tscript:x'>a</a>", false),
    ("<a href='&#106;avascript:x'>a</a>", false), ("<P>a</P>", false), ("<p class=a>x</p>", false),
    ("a & b", false), ("<!-- x", false), ("<iframe/>", false), ("</div><div>", false),
    ("<![CDATA[x]]>", false), ("<style>p{}</style>", false), ("<form>x</form>", false),
  ])
  func checksNarratives(_ content: String, _ isValid: Bool) {
    let div = "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(content)</div>"
    #expect((NarrativeCheck.problem(in: div) == nil) == isValid)
  }

  @Test(arguments: ["<div>a</div>", "text", "<p xmlns=\"http://www.w3.org/1999/xhtml\">a</p>", ""])
  func narrativesAreOneDivision(_ text: String) {
    #expect(NarrativeCheck.problem(in: text) != nil)
  }
}

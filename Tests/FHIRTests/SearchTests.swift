// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct SearchTests {
  @Test(arguments: [
    ("status=active,on-hold", "status", nil as String?, ["active", "on-hold"]),
    ("status:not=active", "status", "not", ["active"]), ("a=b%2Cc", "a", nil, ["b", "c"]),
    (#"a=b\,c,d"#, "a", nil, ["b,c", "d"]), (#"a=b\\,c\|\x"#, "a", nil, [#"b\"#, #"c|\x"#]),
    ("a=Kari+%C3%98", "a", nil, ["Kari Ø"]), ("a=%zz%4", "a", nil, ["%zz%4"]),
    ("a", "a", nil, [""]),
    ("a=%FF", "a", nil, ["%FF"]), ("a=1=2", "a", nil, ["1=2"]),
    ("_has:M:patient:status=x", "_has", "M:patient:status", ["x"]),
  ])
  func readsOneParameter(
    _ query: String, _ name: String, _ modifier: String?, _ values: [String]
  ) {
    let parameters = SearchQueryParser.parse(query: query)
    #expect(parameters.map(\.name) == [name])
    #expect(parameters.first?.modifier == modifier)
    #expect(parameters.first?.values == values)
  }

  @Test func repeatsStayApartAndEmptyPartsFall() {
    let names = SearchQueryParser.parse(query: "&a=1&&a=2&=3&b=").map(\.name)
    #expect(names == ["a", "a", "b"])
  }

  @Test(arguments: [
    ("x", nil as String?, "x" as String?), ("s|x", "s", "x"), ("|x", "", "x"), ("s|", "s", nil),
    (#"s\|x"#, nil, "s|x"), (#"s|a\|b"#, "s", "a|b"),
  ])
  func readsTokens(_ value: String, _ system: String?, _ code: String?) {
    let token = SearchQueryParser.parse(query: "t=\(value)").first?.tokens.first
    #expect(token?.system == system)
    #expect(token?.code == code)
  }

  @Test(
    arguments: [
      ("2026", DateSearchValue.Prefix.eq, 1_767_225_600_000, 1_798_761_600_000),
      ("ge2026-03", .ge, 1_772_323_200_000, 1_775_001_600_000),
      ("lt2026-03-01", .lt, 1_772_323_200_000, 1_772_409_600_000),
      ("2026-03-01T07:00", .eq, 1_772_348_400_000, 1_772_348_460_000),
      ("sa2026-03-01T08:00:00+01:00", .sa, 1_772_348_400_000, 1_772_348_401_000),
      ("2026-03-01T08:00:00 01:00", .eq, 1_772_348_400_000, 1_772_348_401_000),
      ("2026-03-01T07:00:00.250Z", .eq, 1_772_348_400_250, 1_772_348_400_251),
    ] as [(String, DateSearchValue.Prefix, Int64, Int64)])
  func readsDates(
    _ text: String, _ prefix: DateSearchValue.Prefix, _ lower: Int64, _ upper: Int64
  ) {
    let value = DateSearchValue(text)
    #expect(value?.prefix == prefix)
    #expect(value?.lowerMilliseconds == lower)
    #expect(value?.upperMilliseconds == upper)
  }

  @Test(arguments: [
    "", "ge", "xx2026", "2026-02-30", "2026-03-01T", "2026-03-01T8", "geT", "today",
  ])
  func refusesDates(_ text: String) { #expect(DateSearchValue(text) == nil) }

  @Test(
    arguments: [
      ("eq1970", 0, true), ("ne1970", 0, false), ("gt1970", 0, false), ("ge1970", 0, true),
      ("lt1970", -1, true), ("le1970", 0, true), ("eb1970", 0, false), ("sa1969", 0, true),
      ("eq1970-01-01T00:00:00Z", 1_000, false), ("ap1970-01-01", -1, true), ("ne1970", -1, true),
    ] as [(String, Int64, Bool)])
  func comparesInstants(_ text: String, _ milliseconds: Int64, _ isMatch: Bool) {
    #expect(DateSearchValue(text)?.matches(milliseconds: milliseconds) == isMatch)
  }
}

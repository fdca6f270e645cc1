// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

/// Nothing that a client sends may stop the server.
@Suite struct SearchRobustnessTests {
  private static let queries = [
    "value-quantity=ap5.40e-12|http://unitsofmeasure.org|mmol/L&date=ge2026-03-01T08:00:00+01:00",
    "subject:Patient.organization:Organization.name:exact=Ødegård,b&_sort=-date,_id&_count=20",
    "_has:Provenance:target:_has:AuditEvent:entity:agent:identifier=s|v&identifier:of-type=a|b|c",
    "_include:iterate=Observation:subject:Patient&_elements=status,code&_summary=data&_total=none",
    "status:in=http://hl7.org/fhir/ValueSet/observation-status&code:missing=true&_id=a,b",
    #"focus=https://example.org/fhir/Device/1/_history/2,#x&code=a\|b|c\,d&_profile:below=x"#,
  ]

  private static let intruders = [
    "", ":", ".", "|", ",", "\\", "=", "&", "-", "\u{0}", "\u{301}", "9e9",
  ]

  @Test(arguments: queries)
  func survivesDamagedQueries(_ query: String) {
    let characters = Array(query)
    for position in characters.indices {
      for intruder in Self.intruders {
        let rest = String(characters[(position + 1)...])
        examine(String(characters[..<position]) + intruder + rest)
      }
      examine(String(characters[..<position]))
    }
  }

  private func examine(_ query: String) {
    do throws(SearchProblem) {
      let request = try SearchSamples.parse(query, .observation)
      let record = SearchSamples.record(id: "o1", status: "final")
      let index = SearchIndex(entries: [])
      for criterion in request.criteria { _ = index.matches(criterion, record: record) }
      #expect(request.ignored.isEmpty)
    } catch {
      #expect(!error.diagnostics.isEmpty)
    }
  }

  @Test(arguments: [
    "1e-9223372036854775808", "1e9223372036854775808", "1e-999", "99999999999999999999e300",
    "0.000000000000000000000000000001", "-0", "1e308", "1.7976931348623157e308", "5e-324",
  ])
  func survivesExtremeNumbers(_ text: String) throws {
    let json = #"{"valueQuantity":{"value":\#(text)}}"#
    for entry in SearchIndex(of: try JSONValue(parsing: json), type: .observation).entries {
      guard case .quantity(let lower, let upper, _, _, _) = entry.value else {
        Issue.record("\(entry)")
        continue
      }
      #expect(lower.isFinite && upper.isFinite)
    }
    for prefix in DateSearchValue.Prefix.allCases {
      examine("value-quantity=\(prefix.rawValue)\(text)")
    }
  }
}

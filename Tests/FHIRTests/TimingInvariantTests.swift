// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct TimingInvariantTests {
  private func expressions(_ repeatText: String) throws -> [String?] {
    let value = try JSONValue(
      parsing: """
        {"resourceType":"MedicationRequest","status":"active","intent":"order",\
        "medicationCodeableConcept":{"text":"x"},"subject":{"reference":"Patient/1"},\
        "dosageInstruction":[{"timing":{"repeat":\(repeatText)}}]}
        """)
    return ResourceValidator.issues(in: value, expecting: .medicationRequest).map(\.expression)
  }

  @Test(arguments: [
    (#"{"period":0,"periodUnit":"d"}"#, "period"), (#"{"period":-1,"periodUnit":"d"}"#, "period"),
    (#"{"period":0.0e5,"periodUnit":"d"}"#, "period"),
    (#"{"period":"1","periodUnit":"d"}"#, "period"),
    (#"{"period":1e999,"periodUnit":"d"}"#, "period"), (#"{"period":1}"#, "period"),
    (#"{"period":1,"periodUnit":"days"}"#, "periodUnit"), (#"{"duration":5}"#, "duration"),
    (#"{"duration":0,"durationUnit":"min"}"#, "duration"), (#"{"frequency":0}"#, "frequency"),
    (#"{"frequency":1.5}"#, "frequency"), (#"{"count":0}"#, "count"), (#"{"count":-2}"#, "count"),
    (#"{"frequency":3,"frequencyMax":2}"#, "frequencyMax"), (#"{"countMax":2}"#, "countMax"),
    (#"{"periodMax":2}"#, "periodMax"), (#"{"durationMax":2}"#, "durationMax"),
    (#"{"period":2,"periodMax":1,"periodUnit":"d"}"#, "periodMax"),
    (#"{"timeOfDay":["08:00:00"],"when":["CM"]}"#, "timeOfDay"),
    (#"{"timeOfDay":[]}"#, "timeOfDay"), (#"{"timeOfDay":["8:00"]}"#, "timeOfDay[0]"),
    (#"{"timeOfDay":["08:00:00","25:00:00"]}"#, "timeOfDay[1]"),
    (#"{"timeOfDay":["24:00:00"]}"#, "timeOfDay[0]"), (#"{"timeOfDay":["08:00"]}"#, "timeOfDay[0]"),
    (#"{"when":["LUNCH"]}"#, "when[0]"), (#"{"dayOfWeek":["monday"]}"#, "dayOfWeek[0]"),
    (#"{"offset":30}"#, "offset"), (#"{"offset":-1,"when":["ACM"]}"#, "offset"),
    (#"{"offset":30,"when":["ACM","CD"]}"#, "offset"),
    (#"{"boundsPeriod":{"start":"2026-03-02","end":"2026-03-01"}}"#, "bounds.ofType(Period).end"),
    (#"{"boundsPeriod":{"start":"2026-02-30"}}"#, "bounds.ofType(Period).start"),
    (#"{"boundsDuration":{"value":-1,"unit":"d"}}"#, "bounds.ofType(Duration).value"),
    (#"{"boundsDuration":{"value":1,"code":"d"}}"#, "bounds.ofType(Duration).code"),
    (#"{"boundsDuration":{"value":1},"boundsPeriod":{"start":"2026"}}"#, "bounds"),
  ])
  func refuses(_ repeatText: String, _ element: String) throws {
    let prefix = "MedicationRequest.dosageInstruction[0].timing.repeat."
    #expect(try expressions(repeatText) == [prefix + element])
  }

  @Test(arguments: [
    #"{"frequency":2,"period":1,"periodUnit":"d"}"#, #"{"frequency":1,"frequencyMax":1}"#,
    #"{"period":0.5,"periodMax":0.50,"periodUnit":"h"}"#, #"{"when":["ACM","HS"],"offset":0}"#,
    #"{"when":["C","AFT.early"]}"#, #"{"timeOfDay":["00:00:00","23:59:59.5"]}"#,
    #"{"boundsPeriod":{"start":"2026-03-01","end":"2026-03-01"}}"#,
    #"{"boundsPeriod":{"start":"2026-03-01T20:00:00-05:00","end":"2026-03-01"}}"#,
    #"{"boundsPeriod":{"start":"2026-03-15","end":"2026-03"}}"#,
    #"{"boundsRange":{"low":{"value":5,"unit":"d"},"high":{"value":7,"unit":"d"}}}"#,
    #"{"count":3,"countMax":5}"#, #"{"periodUnit":"d"}"#,
  ])
  func accepts(_ repeatText: String) throws { #expect(try expressions(repeatText) == []) }
}

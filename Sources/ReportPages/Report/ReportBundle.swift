// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Statistics
import Storage

/// A report as a FHIR document: a Composition with its text, then the prescriptions and statistics
/// that it refers to.
struct ReportBundle: Sendable {
  let content: ReportContent
  let patient: PatientID
  let document: ReportDocument
  let localizer: Localizer
  let baseURL: String
  let newIdentifier: @Sendable () -> String
  /// The id of the Composition; nil for a file, which no address has.
  var id: String?

  var json: JSONValue {
    let instant = FHIRDateTime.instantText(
      milliseconds: content.now.milliseconds, offsetMinutes: 0)
    let plans = content.plans.map { ("\(baseURL)/fhir/MedicationRequest/\($0.id)", $0) }
    var entries: [JSONValue] = [
      ["fullUrl": .string("\(baseURL)/fhir/Patient/\(patient)"), "resource": person]
    ]
    entries += plans.map { address, plan in
      ["fullUrl": .string(address), "resource": plan.request.json]
    }
    var observations: [JSONValue] = []
    for (address, plan) in plans {
      guard let statistics = content.statistics.plans[plan.id] else { continue }
      let id = "urn:uuid:\(newIdentifier())"
      observations.append(["reference": .string(id)])
      entries.append([
        "fullUrl": .string(id),
        "resource": observation(statistics, of: plan.medicineName, from: address),
      ])
    }
    let total = "urn:uuid:\(newIdentifier())"
    observations.append(["reference": .string(total)])
    entries.append([
      "fullUrl": .string(total),
      "resource": observation(content.statistics.total, of: nil, from: nil),
    ])
    let composition = composition(
      at: instant, plans: plans.map { ["reference": .string($0.0)] }, statistics: observations)
    let head: JSONValue = [
      "fullUrl": .string("urn:uuid:\(newIdentifier())"), "resource": composition,
    ]
    return [
      "resourceType": "Bundle", "type": "document",
      "identifier": [
        "system": "urn:ietf:rfc:3986", "value": .string("urn:uuid:\(newIdentifier())"),
      ], "timestamp": .string(instant), "entry": .array([head] + entries),
    ]
  }

  private var person: JSONValue {
    var person: JSONValue = [
      "resourceType": "Patient", "id": .string(patient.text),
      "name": [["text": .string(content.details.displayName)]],
    ]
    if let birth = content.details.birthDate { person["birthDate"] = .string(birth.text) }
    return person
  }

  private var subject: JSONValue {
    [
      "reference": .string("\(baseURL)/fhir/Patient/\(patient)"),
      "display": .string(content.details.displayName),
    ]
  }

  private func composition(
    at instant: String, plans: [JSONValue], statistics: [JSONValue]
  ) -> JSONValue {
    let sections = document.parts.enumerated().map { index, part -> JSONValue in
      let blocks = ReportMarkup(
        document: ReportDocument(title: part.title, lines: [], parts: [part]))
      var section: JSONValue = [
        "title": .string(part.title),
        "text": ["status": "generated", "div": .string(blocks.narrative)],
      ]
      // The first section lists the medicines.
      if index == 0, !(plans + statistics).isEmpty { section["entry"] = .array(plans + statistics) }
      return section
    }
    var composition: JSONValue = ["resourceType": "Composition"]
    composition["id"] = id.map(JSONValue.string)
    let rest: JSONValue = [
      "status": "final",
      "type": [
        "coding": [
          [
            "system": "http://loinc.org", "code": "56445-0",
            "display": "Medication summary Document",
          ]
        ]
      ], "language": .string(localizer.language.tag), "subject": subject,
      "date": .string(instant), "author": [["display": "Regimen"]],
      "title": .string(document.title), "section": .array(sections),
    ]
    for (key, value) in rest.object ?? JSONObject() { composition[key] = value }
    return composition
  }

  private func observation(
    _ statistics: PlanStatistics, of medicine: String?, from request: String?
  ) -> JSONValue {
    func part(_ text: String, _ value: Int?, _ unit: String, _ code: String) -> JSONValue? {
      value.map { value in
        [
          "code": ["text": .string(text)],
          "valueQuantity": [
            "value": .number(JSONNumber(value)), "unit": .string(unit),
            "system": "http://unitsofmeasure.org", "code": .string(code),
          ],
        ]
      }
    }
    let counts = statistics.counts
    let parts =
      DoseOutcome.allCases.map { outcome in
        part("Doses: \(outcome.rawValue)", counts[outcome], "doses", "{dose}")
      } + [
        part("Doses taken of those planned", counts.percentTaken, "%", "%"),
        // Days of several medicines together are not calendar days.
        part("Days with planned doses", medicine.map { _ in statistics.plannedDays }, "days", "d"),
        part(
          "Days on which all were taken", medicine.map { _ in statistics.coveredDays }, "days", "d"),
        part(
          "Proportion of days covered", medicine.flatMap { _ in statistics.percentOfDaysCovered },
          "%", "%"),
        part("Average lateness of late doses", statistics.averageLateMinutes, "min", "min"),
      ]
    var resource: JSONValue = [
      "resourceType": "Observation", "status": "final",
      "code": [
        "text": .string(
          medicine.map { "Medication adherence: \($0)" } ?? "Medication adherence")
      ], "subject": subject,
      "effectivePeriod": [
        "start": .string(content.first.text), "end": .string(content.last.text),
      ], "component": .array(parts.compactMap(\.self)),
    ]
    if let request { resource["basedOn"] = [["reference": .string(request)]] }
    return resource
  }
}

extension ReportMarkup {
  /// The text as a FHIR narrative: limited XHTML without classes and roles.
  var narrative: String {
    let parts = document.parts.flatMap(\.blocks).map { block -> Markup in
      switch block {
      case .text(let text): return "<p>\(text)</p>"
      case .list(let items): return "<ul>\(each: items, { "<li>\($0)</li>" })</ul>"
      case .table(let table):
        let rows = [table.header] + table.rows + [table.total].compactMap(\.self)
        return """
          <table><tbody>\(each: rows, { row in
            "<tr>\(each: row, { "<td>\($0)</td>" })</tr>" as Markup
          })</tbody></table>
          """
      }
    }
    let markup: Markup = "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(parts)</div>"
    return String(decoding: markup.bytes, as: UTF8.self)
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Localization
import Storage
import Web

/// A patient summary as a document of the International Patient Summary (IPS 1.1).
struct SummaryDocument: Sendable {
  let content: SummaryContent
  let localizer: Localizer
  /// The address of the FHIR API.
  let base: String
  let now: Timestamp
  /// The addresses of the entries within the document.
  private let addresses: [FoundResource.Key: String]

  init(content: SummaryContent, localizer: Localizer, base: String, now: Timestamp) {
    self.content = content
    self.localizer = localizer
    self.base = base
    self.now = now
    var addresses: [FoundResource.Key: String] = [:]
    let resources = [content.patient] + content.sections.values.flatMap(\.self) + content.shared
    for resource in resources {
      addresses[resource.key] = DocumentIdentity.urn([
        "summary", base, content.patient.id, "resource", resource.type.rawValue, resource.id,
      ])
    }
    self.addresses = addresses
  }

  private static let profiles = "http://hl7.org/fhir/uv/ips/StructureDefinition"
  private static let loinc = "http://loinc.org"

  var json: JSONValue {
    var missing: [SummaryContent.Section: SummaryAbsence] = [:]
    for section in SummaryContent.Section.allCases
    where content.sections[section]?.isEmpty == true {
      missing[section] = SummaryAbsence(section: section, subject: subject)
    }
    var entries = [entry(urn("Composition"), composition(missing))]
    entries.append(entry(urn(of: content.patient), patient))
    for section in SummaryContent.Section.allCases {
      for resource in resources(of: section) { entries.append(entry(resource)) }
      if let absence = missing[section] {
        entries.append(entry(urn("absent", absence.code), absence.json))
      }
    }
    entries += content.shared.map { entry($0) }
    return [
      "resourceType": "Bundle",
      "meta": ["profile": [.string("\(Self.profiles)/Bundle-uv-ips")]],
      "identifier": [
        "system": "urn:ietf:rfc:3986",
        "value": .string(urn("Bundle", "\(now.milliseconds)")),
      ],
      "type": "document", "timestamp": .string(UTC.text(now)), "entry": .array(entries),
    ]
  }

  // MARK: Entries

  private func resources(of section: SummaryContent.Section) -> [FoundResource] {
    content.sections[section] ?? []
  }

  private func urn(_ names: String...) -> String {
    DocumentIdentity.urn(["summary", base, content.patient.id] + names)
  }

  private func urn(of resource: FoundResource) -> String {
    addresses[resource.key] ?? urn("resource", resource.type.rawValue, resource.id)
  }

  private var subject: JSONValue { ["reference": .string(urn(of: content.patient))] }

  private func entry(_ address: String, _ resource: JSONValue) -> JSONValue {
    ["fullUrl": .string(address), "resource": resource]
  }

  private func entry(_ resource: FoundResource) -> JSONValue {
    entry(urn(of: resource), linked(resource.json ?? .null))
  }

  /// Returns a resource whose references name entries of the document, or addresses of this server.
  private func linked(_ resource: JSONValue) -> JSONValue {
    ReferenceReading.replacing(in: resource) { reference in
      guard let key = ReferenceReading.key(of: reference, base: base) else { return nil }
      if let entry = addresses[key] { return entry }
      return "\(base)/\(key.type.rawValue)/\(key.id)"
    }
  }

  /// The person, who must have a date of birth, or a mark that it is not known.
  private var patient: JSONValue {
    var patient = linked(content.patient.json ?? .null)
    if patient["birthDate"] == nil, patient["_birthDate"] == nil {
      patient["_birthDate"] = SummaryAbsence.unknown
    }
    return patient
  }

  // MARK: The Composition

  private func composition(
    _ missing: [SummaryContent.Section: SummaryAbsence]
  ) -> JSONValue {
    [
      "resourceType": "Composition",
      "meta": ["profile": [.string("\(Self.profiles)/Composition-uv-ips")]],
      "language": .string(localizer.language.tag), "status": "final",
      "type": [
        "coding": [
          [
            "system": .string(Self.loinc), "code": "60591-5",
            "display": "Patient summary Document",
          ]
        ]
      ],
      "subject": subject, "date": .string(UTC.text(now)), "author": [["display": "Regimen"]],
      "title": .string(localizer.text("report.summary.title")),
      "section": .array(
        SummaryContent.Section.allCases.map { section($0, missing[$0]) }),
    ]
  }

  private func section(
    _ section: SummaryContent.Section, _ absence: SummaryAbsence?
  ) -> JSONValue {
    let resources = resources(of: section)
    let text = SummaryNarrative(localizer: localizer, shared: content.shared)
    let isWithheld = content.sections[section] == nil
    let markup =
      isWithheld
      ? text.note("report.summary.withheld")
      : resources.isEmpty
        ? text.note("report.summary.none") : text.list(resources.compactMap(\.json))
    var json: JSONValue = [
      "title": .string(text.title(of: section)),
      "code": [
        "coding": [
          [
            "system": .string(Self.loinc), "code": .string(section.code.code),
            "display": .string(section.code.display),
          ]
        ]
      ],
      "text": ["status": "generated", "div": .string(markup.text)],
    ]
    if isWithheld {
      json["emptyReason"] = [
        "coding": [
          [
            "system": "http://terminology.hl7.org/CodeSystem/list-empty-reason",
            "code": "withheld",
          ]
        ]
      ]
    } else if let absence {
      json["entry"] = [["reference": .string(urn("absent", absence.code))]]
    } else {
      json["entry"] = .array(resources.map { ["reference": .string(urn(of: $0))] })
    }
    return json
  }
}

/// An entry that says that nothing is known about a section.
struct SummaryAbsence: Sendable {
  let section: SummaryContent.Section
  let subject: JSONValue

  /// The extension of an element whose value is not known.
  static let unknown: JSONValue = [
    "extension": [
      [
        "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
        "valueCode": "unknown",
      ]
    ]
  ]

  var code: String {
    switch section {
    case .medicines: "no-medication-info"
    case .allergies: "no-allergy-info"
    case .problems: "no-problem-info"
    }
  }

  private var display: String {
    switch section {
    case .medicines: "No information about medications"
    case .allergies: "No information about allergies"
    case .problems: "No information about problems"
    }
  }

  private var concept: JSONValue {
    [
      "coding": [
        [
          "system": "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips",
          "code": .string(code), "display": .string(display),
        ]
      ]
    ]
  }

  var json: JSONValue {
    switch section {
    case .medicines:
      [
        "resourceType": "MedicationStatement", "status": "unknown",
        "medicationCodeableConcept": concept, "subject": subject,
        "_effectiveDateTime": Self.unknown,
      ]
    case .allergies:
      [
        "resourceType": "AllergyIntolerance",
        "clinicalStatus": Self.active("allergyintolerance-clinical"), "code": concept,
        "patient": subject,
      ]
    case .problems:
      [
        "resourceType": "Condition", "clinicalStatus": Self.active("condition-clinical"),
        "code": concept, "subject": subject,
      ]
    }
  }

  private static func active(_ system: String) -> JSONValue {
    [
      "coding": [
        [
          "system": .string("http://terminology.hl7.org/CodeSystem/\(system)"),
          "code": "active",
        ]
      ]
    ]
  }
}

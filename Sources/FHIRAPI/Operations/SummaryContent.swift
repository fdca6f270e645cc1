// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// The resources of a patient summary.
struct SummaryContent: Sendable {
  /// A section of the summary that every summary has.
  enum Section: Sendable, CaseIterable {
    case medicines, allergies, problems
  }

  let patient: FoundResource
  /// The resources of each section; a section that the caller may not read is left out.
  let sections: [Section: [FoundResource]]
  /// The shared resources that these refer to.
  let shared: [FoundResource]

  /// The most resources of one type.
  private static let most = 500

  /// Reads the summary of a patient; nil if there is no such patient.
  static func load(
    _ patient: PatientID, _ resources: OperationResources, in reader: any SQLReader
  ) throws -> SummaryContent? {
    guard let person = try resources.find(.patient, patient.text, in: reader) else { return nil }
    var sections: [Section: [FoundResource]] = [:]
    for section in Section.allCases {
      sections[section] = try load(section, of: patient, resources, in: reader)
    }
    let all = [person] + sections.values.flatMap(\.self)
    return SummaryContent(
      patient: person, sections: sections,
      shared: try resources.shared(referredToBy: all, atMost: most, in: reader))
  }

  private static func load(
    _ section: Section, of patient: PatientID, _ resources: OperationResources,
    in reader: any SQLReader
  ) throws -> [FoundResource]? {
    var found: [FoundResource]?
    for type in section.types {
      guard resources.maySearch(type, of: patient) else { continue }
      let page = try resources.page(type, of: patient, count: most, in: reader)
      found =
        (found ?? [])
        + page.resources.filter { resource in resource.json.map(section.includes) ?? false }
    }
    return found
  }
}

extension SummaryContent.Section {
  var types: [FHIRType] {
    switch self {
    case .medicines: [.medicationRequest, .medicationStatement]
    case .allergies: [.allergyIntolerance]
    case .problems: [.condition]
    }
  }

  /// The LOINC code of the section, with its display.
  var code: (code: String, display: String) {
    switch self {
    case .medicines: ("10160-0", "History of Medication use Narrative")
    case .allergies: ("48765-2", "Allergies and adverse reactions Document")
    case .problems: ("11450-4", "Problem list - Reported")
    }
  }

  /// Returns true for a resource that is part of the present state: neither ended nor entered in error.
  func includes(_ resource: JSONValue) -> Bool {
    switch self {
    case .medicines:
      return ["active", "intended", "on-hold"].contains(resource["status"]?.string ?? "")
    case .allergies, .problems:
      let refuted = ["entered-in-error", "refuted"]
      let ended = ["resolved", "remission", "inactive"]
      return !Self.has(resource["verificationStatus"], refuted)
        && !Self.has(resource["clinicalStatus"], ended)
    }
  }

  private static func has(_ concept: JSONValue?, _ codes: [String]) -> Bool {
    concept?["coding"]?.array?.contains { codes.contains($0["code"]?.string ?? "") } ?? false
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Observations

/// Collects the entries of a file that an import needs.
///
/// It is pure, and its memory grows only with prescriptions, administrations, dispenses, measurements,
/// medicines and patients.
package struct ImportReading: Sendable {
  /// An entry that is needed again, in compact form.
  struct Kept: Sendable {
    let number: Int
    let fullURL: String?
    /// The type that was sent: a prescription may be sent as a MedicationStatement.
    let type: String
    let content: [UInt8]
    let notes: [DSTU2.Note]
  }

  private(set) var file = ImportFile()
  private(set) var references = EntryReferences()
  private(set) var requests: [Kept] = []
  private(set) var administrations: [Kept] = []
  private(set) var dispenses: [Kept] = []
  private(set) var measurements: [Kept] = []
  private(set) var medicines: [Int: Kept] = [:]
  private(set) var patients: [Int: Kept] = [:]
  /// The names of people and organizations who may be requesters.
  private(set) var names: [Int: String] = [:]
  private var keptCount = 0

  /// The maximum number of entries that one import keeps.
  private static let maximumKept = 500_000

  /// Creates a reading without entries.
  package init() {}

  /// Adds the next entry; one that cannot be imported becomes a problem.
  package mutating func add(_ entry: StreamedEntry) {
    file.entryCount += 1
    let original: JSONValue
    switch entry.resource {
    case .success(let resource): original = resource
    case .failure(let problem):
      file.note(ImportProblem(number: entry.number, .unreadable(problem)))
      return
    }
    guard let type = original["resourceType"]?.string else {
      file.note(ImportProblem(number: entry.number, .notFHIR))
      return
    }
    do throws(ImportProblemReason) {
      try take(entry, original, type)
    } catch {
      file.note(ImportProblem(number: entry.number, type: type, error))
    }
  }

  /// Returns the content of the file, with all references resolved.
  ///
  /// - Parameter hasFurtherPages: True if the Bundle is one page of several.
  package func result(hasFurtherPages: Bool) -> ImportFile {
    var result = ImportResolver(reading: self).file()
    result.hasFurtherPages = hasFurtherPages
    return result
  }

  private mutating func take(_ entry: StreamedEntry, _ original: JSONValue, _ type: String)
    throws(ImportProblemReason)
  {
    if type == "Observation", ImportMeasurement.isMeasurement(original) {
      return try keep(measurement: original, entry)
    }
    if type == "MedicationStatement" { return try take(statement: original, entry) }
    guard let expected = Self.kept[type] else {
      if let name = Self.name(of: original, type: type) { names[entry.number] = name }
      if type == "Bundle" { throw .nestedBundle }
      references.add(
        number: entry.number, fullURL: entry.fullURL, type: type, id: original["id"]?.string)
      file.ignored[type, default: 0] += 1
      return
    }
    let conversion = DSTU2.isWritten(original) ? DSTU2.r4(original) : nil
    let resource = conversion?.resource ?? original
    if conversion == nil, let version = Self.otherVersion(of: original, type: type) {
      throw .otherVersion(version)
    }
    if expected != .patient {
      let issue = ResourceValidator.issues(in: resource, expecting: expected)
        .first { $0.severity == .error || $0.severity == .fatal }
      if let issue {
        throw .invalid(expression: issue.expression ?? type, diagnostics: issue.diagnostics)
      }
    }
    try keep(resource, as: expected, type: expected.rawValue, entry, notes: conversion?.notes ?? [])
  }

  /// Takes the prescription that a statement stands for.
  private mutating func take(statement: JSONValue, _ entry: StreamedEntry)
    throws(ImportProblemReason)
  {
    let isOld = StatedMedicine.isOld(statement)
    if !isOld {
      let issue = ResourceValidator.issues(in: statement, expecting: .medicationStatement)
        .first { $0.severity == .error || $0.severity == .fatal }
      if let issue {
        throw .invalid(
          expression: issue.expression ?? "MedicationStatement", diagnostics: issue.diagnostics)
      }
    }
    guard var request = StatedMedicine.request(from: statement) else {
      references.add(
        number: entry.number, fullURL: entry.fullURL, type: "MedicationStatement",
        id: statement["id"]?.string)
      file.ignored["MedicationStatement", default: 0] += 1
      return
    }
    request["id"] = statement["id"]
    let conversion = isOld ? DSTU2.r4(request) : nil
    try keep(
      conversion?.resource ?? request, as: .medicationRequest, type: "MedicationStatement", entry,
      notes: conversion?.notes ?? [])
  }

  private mutating func keep(
    _ resource: JSONValue, as expected: ResourceType, type: String, _ entry: StreamedEntry,
    notes: [DSTU2.Note]
  ) throws(ImportProblemReason) {
    guard keptCount < Self.maximumKept else { throw .tooMany }
    let isNew = references.add(
      number: entry.number, fullURL: entry.fullURL, type: type, id: resource["id"]?.string)
    guard isNew else { throw .duplicate }
    keptCount += 1
    let kept = Kept(
      number: entry.number, fullURL: entry.fullURL, type: type, content: resource.bytes,
      notes: notes)
    switch expected {
    case .medicationRequest: requests.append(kept)
    case .medicationAdministration: administrations.append(kept)
    case .medicationDispense: dispenses.append(kept)
    case .medication: medicines[entry.number] = kept
    case .patient: patients[entry.number] = kept
    default: break
    }
  }

  private mutating func keep(
    measurement: JSONValue, _ entry: StreamedEntry
  ) throws(ImportProblemReason) {
    // Counted separately: a file with years of measurements must not leave out a prescription.
    guard measurements.count < Self.maximumKept else { throw .tooMany }
    let isNew = references.add(
      number: entry.number, fullURL: entry.fullURL, type: "Observation",
      id: measurement["id"]?.string)
    guard isNew else { throw .duplicate }
    measurements.append(
      Kept(
        number: entry.number, fullURL: entry.fullURL, type: "Observation",
        content: ImportMeasurement.essentials(of: measurement).bytes, notes: []))
  }

  private static let kept: [String: ResourceType] = [
    "MedicationRequest": .medicationRequest, "MedicationOrder": .medicationRequest,
    "MedicationAdministration": .medicationAdministration, "Medication": .medication,
    "MedicationDispense": .medicationDispense, "Patient": .patient,
  ]

  private static func name(of resource: JSONValue, type: String) -> String? {
    switch type {
    case "Practitioner", "RelatedPerson": PatientView(DSTU2Names.list(resource)).displayName
    case "Organization", "Substance":
      resource["name"]?.string ?? resource["code"]?["text"]?.string
        ?? resource["code"]?["coding"]?[0]?["display"]?.string
    default: nil
    }
  }

  /// Returns the version if elements show that it is STU3 or R5, which R4 does not have.
  private static func otherVersion(of resource: JSONValue, type: String) -> String? {
    switch type {
    case "MedicationRequest", "MedicationAdministration", "MedicationDispense":
      if resource["medication"]?.object != nil { return "R5" }
      if resource["requester"]?["agent"] != nil || resource["notGiven"] != nil
        || resource["definition"] != nil && type == "MedicationRequest"
      {
        return "STU3"
      }
      let dosages = resource["dosageInstruction"]?.array ?? []
      let isThree = dosages.contains { $0["doseQuantity"] != nil || $0["doseRange"] != nil }
      return isThree || (type == "MedicationRequest" && resource["context"] != nil) ? "STU3" : nil
    default: return nil
    }
  }
}

/// Reads the name of a Practitioner, which is a single value in DSTU2 and a list in R4.
private enum DSTU2Names {
  static func list(_ resource: JSONValue) -> JSONValue {
    guard let name = resource["name"], name.array == nil else { return resource }
    var resource = resource
    var single = name
    if let family = name["family"]?.array {
      single["family"] = .string(family.compactMap(\.string).joined(separator: " "))
    }
    resource["name"] = [single]
    return resource
  }
}

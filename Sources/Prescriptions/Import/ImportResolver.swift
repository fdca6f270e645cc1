// SPDX-License-Identifier: Apache-2.0
import Accounts
import Encodings
import FHIR
import Foundation
import Identifiers
import Plans

/// Converts the kept entries of a file to self-contained prescriptions and administrations.
struct ImportResolver {
  let reading: ImportReading
  private let medicines: ImportedMedicines
  /// The people who are entries of the file, by number.
  private let people: [Int: ImportSubject]
  private let requests: [Int: ImportReading.Kept]

  init(reading: ImportReading) {
    self.reading = reading
    medicines = ImportedMedicines(reading: reading)
    requests = Dictionary(uniqueKeysWithValues: reading.requests.map { ($0.number, $0) })
    var people: [Int: ImportSubject] = [:]
    for (number, kept) in reading.patients {
      people[number] = ImportSubject(
        key: "entry \(number)", number: number, patient: try? JSONValue(parsing: kept.content),
        display: nil)
    }
    self.people = people
  }

  func file() -> ImportFile {
    var file = reading.file
    var subjects: [String: ImportSubject] = [:]
    var order: [String] = []
    func note(_ subject: ImportSubject) {
      if subjects.updateValue(subjects[subject.key] ?? subject, forKey: subject.key) == nil {
        order.append(subject.key)
      }
    }
    for number in reading.patients.keys.sorted() {
      if let person = people[number] { note(person) }
    }
    let shared = repeatedIdentifiers(of: reading.requests)
    var keysByNumber: [Int: SourceKeys] = [:]
    for kept in reading.requests {
      do throws(ImportProblemReason) {
        let (prescription, subject) = try prescription(kept, shared: shared)
        note(subject)
        keysByNumber[kept.number] = prescription.keys
        file.prescriptions.append(prescription)
      } catch {
        file.note(ImportProblem(number: kept.number, type: kept.type, error))
      }
    }
    markReplaced(&file)
    var byRequest: [Int: [ImportAdministration]] = [:]
    for kept in reading.administrations {
      do throws(ImportProblemReason) {
        let (administration, subject, request) = try administration(kept, keysByNumber)
        note(subject)
        if let request, keysByNumber[request] != nil {
          byRequest[request, default: []].append(administration)
        } else {
          file.administrations.append(administration)
        }
      } catch {
        file.note(ImportProblem(number: kept.number, type: "MedicationAdministration", error))
      }
    }
    for index in file.prescriptions.indices {
      let subject = file.prescriptions[index].subject
      let own = byRequest[file.prescriptions[index].number] ?? []
      file.prescriptions[index].administrations = own.filter { $0.subject == subject }
      file.administrations += own.filter { $0.subject != subject }
    }
    CoveredPrescriptions.leaveOut(of: &file)
    let sharedByDispenses = repeatedIdentifiers(of: reading.dispenses)
    for kept in reading.dispenses {
      do throws(ImportProblemReason) {
        let (dispense, subject) = try dispense(kept, keysByNumber, shared: sharedByDispenses)
        note(subject)
        file.dispenses.append(dispense)
      } catch {
        file.note(ImportProblem(number: kept.number, type: "MedicationDispense", error))
      }
    }
    // A measurement of someone else must not make it unclear whose prescriptions these are.
    let hasOnlyMeasurements = order.isEmpty
    for kept in reading.measurements {
      do throws(ImportProblemReason) {
        let subject = try subject(of: try read(kept), kept)
        if hasOnlyMeasurements { note(subject) }
        file.measurements.append(
          ImportMeasurement(number: kept.number, subject: subject.key, content: kept.content))
      } catch {
        file.note(ImportProblem(number: kept.number, type: "Observation", error))
      }
    }
    file.subjects = order.compactMap { subjects[$0] }
    return file
  }

  // MARK: Prescriptions

  private func prescription(
    _ kept: ImportReading.Kept, shared: Set<String>
  ) throws(ImportProblemReason) -> (ImportPrescription, ImportSubject) {
    let original = try read(kept)
    let subject = try subject(of: original, kept)
    var resource = try medicines.inline(in: original, fullURL: kept.fullURL)
    resource = DosageBounds.settled(named(resource, element: "requester", in: kept))
    let digest = Self.digest(resource)
    let view = MedicationRequestView(resource)
    guard view.medicationName != nil || !view.medicationCodes.isEmpty else {
      throw .medicationMissing
    }
    for dosage in view.dosages {
      guard let quantity = dosage.doseQuantity, quantity.valueText != nil else { continue }
      guard let value = quantity.value, value > 0, value <= Amount.largest else { throw .dose }
    }
    var prior: [String] = []
    if let reference = original["priorPrescription"]?["reference"]?.string {
      prior = keys(of: reference, in: kept)
    }
    let basis = (original["basedOn"]?.array ?? []).compactMap { $0["reference"]?.string }
      .flatMap { keys(of: $0, in: kept) }
    return (
      ImportPrescription(
        number: kept.number, subject: subject.key,
        keys: SourceKeys(
          identifiers: SourceKeys.identifiers(original).filter { !shared.contains($0) },
          address: Self.address(kept), id: original["id"]?.string, type: kept.type,
          digest: digest),
        priorKeys: prior, basisKeys: basis, digest: digest,
        updated: original["meta"]?["lastUpdated"]?.string
          .flatMap { FHIRDateTime($0)?.epochMilliseconds },
        content: Self.stripped(resource, source: kept.fullURL).bytes, notes: kept.notes), subject
    )
  }

  /// Returns the identifiers that several entries of one kind share, which identify none of them.
  private func repeatedIdentifiers(of entries: [ImportReading.Kept]) -> Set<String> {
    var seen: Set<String> = []
    var repeated: Set<String> = []
    for kept in entries {
      guard let resource = try? read(kept) else { continue }
      for identifier in Set(SourceKeys.identifiers(resource))
      where !seen.insert(identifier).inserted { repeated.insert(identifier) }
    }
    return repeated
  }

  private func markReplaced(_ file: inout ImportFile) {
    var replaced: Set<String> = []
    for prescription in file.prescriptions where !prescription.priorKeys.isEmpty {
      let status = (try? prescription.resource(of: PatientID("x")))?["status"]?.string
      if status == "active" || status == "on-hold" || status == "draft" {
        replaced.formUnion(prescription.priorKeys)
      }
    }
    guard !replaced.isEmpty else { return }
    for index in file.prescriptions.indices {
      file.prescriptions[index].isReplaced =
        !replaced.isDisjoint(with: file.prescriptions[index].keys.all)
    }
  }

  // MARK: Administrations

  private func administration(
    _ kept: ImportReading.Kept, _ keysByNumber: [Int: SourceKeys]
  ) throws(ImportProblemReason) -> (ImportAdministration, ImportSubject, request: Int?) {
    let original = try read(kept)
    let subject = try subject(of: original, kept)
    var resource = try medicines.inline(in: original, fullURL: kept.fullURL)
    resource = named(resource, element: "performer", in: kept)
    var request: Int?
    var requestKeys: [String] = []
    if let reference = original["request"]?["reference"]?.string {
      if case .entry(let number) = reading.references.target(of: reference, in: kept.fullURL) {
        request = number
        requestKeys = keysByNumber[number]?.all ?? []
      } else {
        requestKeys = keys(of: reference, in: kept)
      }
      // Set again if the prescription is a plan here.
      resource["request"]?["reference"] = nil
      if resource["request"]?.object?.isEmpty ?? false { resource["request"] = nil }
    }
    let digest = Self.digest(resource)
    return (
      ImportAdministration(
        number: kept.number, subject: subject.key,
        keys: SourceKeys(
          identifiers: SourceKeys.identifiers(original), address: Self.address(kept),
          id: original["id"]?.string, type: "MedicationAdministration", digest: digest),
        requestKeys: requestKeys, digest: digest,
        content: Self.stripped(resource, source: kept.fullURL).bytes), subject, request
    )
  }

  // MARK: Dispenses

  private func dispense(
    _ kept: ImportReading.Kept, _ keysByNumber: [Int: SourceKeys], shared: Set<String>
  ) throws(ImportProblemReason) -> (ImportDispense, ImportSubject) {
    let original = try read(kept)
    let subject = try subject(of: original, kept)
    var resource = try medicines.inline(in: original, fullURL: kept.fullURL)
    resource = named(resource, element: "performer", in: kept)
    guard
      MedicationRequestView(resource).medicationName != nil
        || !MedicationRequestView(resource).medicationCodes.isEmpty
    else { throw .medicationMissing }
    var requestKeys: [String] = []
    for reference in original["authorizingPrescription"]?.array ?? [] {
      guard let text = reference["reference"]?.string else { continue }
      if case .entry(let number) = reading.references.target(of: text, in: kept.fullURL) {
        requestKeys += keysByNumber[number]?.all ?? []
      } else {
        requestKeys += keys(of: text, in: kept)
      }
    }
    // Set again if the prescription is a plan here.
    resource["authorizingPrescription"] = nil
    var seen: Set<String> = []
    requestKeys = Array(
      requestKeys.filter { seen.insert($0).inserted }.prefix(ImportDispense.mostRequests))
    let content = Self.digest(resource)
    // Another prescription makes another version of it, with the same name.
    let digest = Self.digest([
      "content": .string(content),
      "requests": .array(requestKeys.sorted().map { .string($0) }),
    ])
    return (
      ImportDispense(
        number: kept.number, subject: subject.key,
        keys: SourceKeys(
          identifiers: SourceKeys.identifiers(original).filter { !shared.contains($0) },
          address: Self.address(kept), id: original["id"]?.string, type: "MedicationDispense",
          digest: content),
        requestKeys: requestKeys, digest: digest,
        content: Self.stripped(resource, source: kept.fullURL).bytes), subject
    )
  }

  // MARK: Subjects

  private func subject(of resource: JSONValue, _ kept: ImportReading.Kept)
    throws(ImportProblemReason) -> ImportSubject
  {
    let element = resource["subject"]
    let display = element?["display"]?.string
    if let reference = element?["reference"]?.string {
      let target = reading.references.target(of: reference, in: kept.fullURL)
      return subject(
        target, reference: reference, display: display, in: kept.number, resource: resource)
    }
    if let identifier = element?["identifier"],
      let key = SourceKeys.identifiers(["identifier": [identifier]]).first
    {
      return ImportSubject(
        key: key, number: nil, patient: ["identifier": [identifier]], display: display)
    }
    throw .noPatient
  }

  private func subject(
    _ target: EntryReferences.Target, reference: String, display: String?, in number: Int,
    resource: JSONValue
  ) -> ImportSubject {
    switch target {
    case .entry(let found):
      return people[found]
        ?? ImportSubject(key: "entry \(found)", number: nil, patient: nil, display: display)
    case .contained(let id):
      let patient = resource["contained"]?.array?.first { $0["id"]?.string == id }
      let identifier = patient.flatMap { SourceKeys.identifiers($0).first }
      return ImportSubject(
        key: identifier ?? "contained in \(number)", number: nil, patient: patient,
        display: display)
    case .outside(let address):
      return ImportSubject(key: address, number: nil, patient: nil, display: display)
    case .broken:
      return ImportSubject(key: reference, number: nil, patient: nil, display: display)
    }
  }

  // MARK: Parts

  private func read(_ kept: ImportReading.Kept) throws(ImportProblemReason) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: kept.content)
    } catch {
      throw .unreadable(.syntax(error))
    }
  }

  /// Returns the keys under which the target of a reference may be known.
  private func keys(of reference: String, in kept: ImportReading.Kept) -> [String] {
    switch reading.references.target(of: reference, in: kept.fullURL) {
    case .entry(let number):
      guard let request = requests[number],
        let resource = try? read(request)
      else { return [] }
      return SourceKeys.identifiers(resource) + [Self.address(request)].compactMap(\.self)
        + [resource["id"]?.string].compactMap { $0.map { "MedicationRequest/\($0)" } }
    case .outside(let address): return [address]
    case .contained, .broken: return []
    }
  }

  /// Returns the name of the person who requested or gave it, if the file contains that person as an entry.
  private func named(_ resource: JSONValue, element: String, in kept: ImportReading.Kept)
    -> JSONValue
  {
    var resource = resource
    func name(_ reference: JSONValue) -> JSONValue {
      guard reference["display"] == nil, let text = reference["reference"]?.string,
        case .entry(let number) = reading.references.target(of: text, in: kept.fullURL),
        let name = reading.names[number]
      else { return reference }
      var named = reference
      named["display"] = .string(name)
      return named
    }
    if let performers = resource[element]?.array {
      resource[element] = .array(
        performers.map { performer in
          var performer = performer
          if let actor = performer["actor"] { performer["actor"] = name(actor) }
          return performer
        })
    } else if let reference = resource[element] {
      resource[element] = name(reference)
    }
    return resource
  }

  private static func address(_ kept: ImportReading.Kept) -> String? {
    guard let fullURL = kept.fullURL, !fullURL.isEmpty else { return nil }
    guard let history = fullURL.firstRange(of: "/_history/") else { return fullURL }
    return String(fullURL[..<history.lowerBound])
  }

  /// Returns a digest of the content, without elements that change with each export or storage place.
  private static func digest(_ resource: JSONValue) -> String {
    ContentDigest.of(resource)
  }

  private static func stripped(_ resource: JSONValue, source: String?) -> JSONValue {
    var resource = resource
    resource["id"] = nil
    var meta = resource["meta"]
    meta?["versionId"] = nil
    meta?["lastUpdated"] = nil
    if meta?["source"] == nil, let source, !source.isEmpty {
      meta = meta ?? .object(JSONObject())
      meta?["source"] = .string(source)
    }
    resource["meta"] = meta?.object?.isEmpty ?? true ? nil : meta
    return resource
  }
}

/// A digest of a resource's content.
enum ContentDigest {
  static func of(_ resource: JSONValue) -> String {
    var content = resource
    for element in ["id", "meta", "text", "subject"] { content[element] = nil }
    return Hexadecimal.encode(Fingerprint.digest(of: content.bytes))
  }
}

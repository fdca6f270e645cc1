// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The fetched resources of one type, and the position for the next fetch.
struct HospitalHarvest: Sendable {
  /// The resources by id; of a repeated one, the last counts.
  var matches: [String: JSONValue] = [:]
  var medicines: [String: JSONValue] = [:]
  var mark: HospitalMark
  /// True if these are all resources of the person, and not only those that changed.
  var isComplete = false
}

/// The progress of fetching a type.
struct HospitalMark: Sendable, Hashable {
  /// The latest `meta.lastUpdated` so far, in milliseconds, by the server's clock.
  var since: Int64?
  /// The tag of the first page, valid only for its address.
  var tag: String?
  var address: String?
}

/// Reads a search page by page, within limits that no server can exceed.
struct HospitalPages {
  let client: HospitalClient
  let person: String

  static let maximumPages = 200
  static let maximumResources = 20_000
  /// The maximum number of consecutive pages without new resources.
  private static let idlePages = 3
  /// The overlap with the last fetch, in milliseconds: two writes on the server may finish in another order
  /// than their timestamps.
  private static let overlap: Int64 = 60_000

  /// Returns the changes of a type, or all its resources for an empty mark; nil if the server reports no
  /// changes.
  func changes(of type: String, since mark: HospitalMark) async throws(HospitalTrouble)
    -> HospitalHarvest?
  {
    do throws(HospitalTrouble) {
      return try await read(type, mark, isPlain: false)
    } catch {
      switch error {
      // Some servers reject unknown parameters; then everything is fetched.
      case .refused(400, _), .refused(422, _): return try await read(type, mark, isPlain: true)
      // A page no longer exists: start the search once more.
      case .gone: return try await read(type, HospitalMark(since: mark.since), isPlain: false)
      default: throw error
      }
    }
  }

  private func read(_ type: String, _ mark: HospitalMark, isPlain: Bool)
    async throws(HospitalTrouble) -> HospitalHarvest?
  {
    var query = [("patient", person)]
    // Only LOINC's heart rate and resting heart rate are needed.
    if type == "Observation" {
      query.append(("code", "http://loinc.org|8867-4,http://loinc.org|40443-4"))
    }
    if !isPlain {
      if type.hasPrefix("Medication") { query.append(("_include", "\(type):medication")) }
      if let since = mark.since {
        let text = FHIRDateTime.instantText(
          milliseconds: since - Self.overlap, offsetMinutes: 0)
        query.append(("_lastUpdated", "ge\(text)"))
      }
    }
    query.append(("_count", "200"))
    let first = client.base.url(type, query)
    var harvest = HospitalHarvest(mark: HospitalMark(since: mark.since, address: first))
    harvest.isComplete = isPlain || mark.since == nil
    var stated = 0
    var seen: Set<String> = []
    var idle = 0
    var address: String? = first
    while let url = address {
      guard seen.insert(url).inserted, seen.count <= Self.maximumPages else { throw .endless }
      let tag = url == first && mark.address == first ? mark.tag : nil
      guard case .document(let bundle, let etag) = try await client.get(url, tag: tag) else {
        return nil
      }
      if url == first { harvest.mark.tag = etag }
      let before = harvest.matches.count + harvest.medicines.count
      try take(bundle, of: type, into: &harvest)
      stated = max(stated, bundle["total"]?.number?.integer ?? 0)
      let total = harvest.matches.count + harvest.medicines.count
      guard total <= Self.maximumResources else { throw .endless }
      idle = total == before ? idle + 1 : 0
      address = try next(bundle)
      if address != nil, idle >= Self.idlePages { throw .endless }
    }
    // A server that announces more than it sends has left something out.
    if harvest.matches.count < stated { harvest.isComplete = false }
    return harvest
  }

  private func next(_ bundle: JSONValue) throws(HospitalTrouble) -> String? {
    let link = (bundle["link"]?.array ?? []).first { $0["relation"]?.string == "next" }
    guard let link = link?["url"]?.string else { return nil }
    guard let followed = client.base.followed(link) else { throw .foreignLink }
    return followed
  }

  private func take(_ bundle: JSONValue, of type: String, into harvest: inout HospitalHarvest)
    throws(HospitalTrouble)
  {
    guard bundle["resourceType"]?.string == "Bundle" else { throw .unexpected }
    guard let entries = bundle["entry"] else { return }
    guard let entries = entries.array else { throw .unexpected }
    for entry in entries {
      guard let resource = entry["resource"] else { continue }
      switch resource["resourceType"]?.string {
      case type:
        guard let id = resource["id"]?.string, HospitalAddress.isID(id) else { throw .unexpected }
        let own = try owned(resource)
        harvest.matches[id] = own
        if let text = resource["meta"]?["lastUpdated"]?.string,
          let updated = FHIRDateTime(text)?.epochMilliseconds
        {
          harvest.mark.since = max(harvest.mark.since ?? updated, updated)
        }
      case "Medication":
        guard let id = resource["id"]?.string, HospitalAddress.isID(id) else { continue }
        harvest.medicines[id] = resource
      case "OperationOutcome":
        if Self.tellsOfGaps(resource) { harvest.isComplete = false }
      case "Practitioner", "PractitionerRole", "Organization", "Patient",
        "Encounter", "Provenance", "Group":
        continue
      default: throw .unexpected
      }
    }
  }

  /// Returns true for an outcome by which a server says that results are missing.
  private static func tellsOfGaps(_ outcome: JSONValue) -> Bool {
    (outcome["issue"]?.array ?? []).contains { issue in
      let code = issue["code"]?.string ?? ""
      return issue["severity"]?.string != "information"
        || ["incomplete", "too-costly", "timeout", "suppressed", "throttled"].contains(code)
    }
  }

  /// Returns the resource with its person under one name; throws if it belongs to another person.
  private func owned(_ resource: JSONValue) throws(HospitalTrouble) -> JSONValue {
    let element = resource["subject"] != nil ? "subject" : "patient"
    guard var subject = resource[element], let reference = subject["reference"]?.string,
      let local = client.base.local(reference), local == ("Patient", person)
    else { throw .otherPatient }
    subject["reference"] = .string(client.base.url("Patient/\(person)"))
    var resource = resource
    resource[element] = subject
    return resource
  }
}

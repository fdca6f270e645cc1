// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// A person in a hospital's records, with the data to check later that it is still the same person.
package struct HospitalPerson: Sendable, Hashable {
  /// The identifier of the Patient resource on that server.
  package let id: String
  /// The official or current name; nil if there is none.
  package let name: String?
  /// The date of birth as FHIR writes it, possibly without a day or month; nil if there is none.
  package let birthDate: String?
  /// The identifiers in the form `system|value`.
  package let identifiers: Set<String>

  /// Creates a person from a Patient of R4 or DSTU2; nil for any other resource.
  package init?(_ json: JSONValue) {
    guard json["resourceType"]?.string == "Patient", let id = json["id"]?.string,
      HospitalAddress.isID(id)
    else { return nil }
    self.id = id
    let names = json["name"]?.array ?? []
    let used =
      names.first { $0["use"]?.string == "official" } ?? names.first { $0["use"]?.string != "old" }
    name = used.flatMap(Self.text)
    birthDate = json["birthDate"]?.string
    identifiers = Set(
      (json["identifier"]?.array ?? []).compactMap { identifier in
        guard let value = identifier["value"]?.string, !value.isEmpty else { return nil }
        return "\(identifier["system"]?.string ?? "")|\(value)"
      })
  }

  /// Reads the form of ``json``.
  init?(kept text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)), let id = json["id"]?.string else {
      return nil
    }
    self.id = id
    name = json["name"]?.string
    birthDate = json["birthDate"]?.string
    identifiers = Set((json["identifiers"]?.array ?? []).compactMap(\.string))
  }

  var json: JSONValue {
    var json: JSONValue = ["id": .string(id)]
    if let name { json["name"] = .string(name) }
    if let birthDate { json["birthDate"] = .string(birthDate) }
    json["identifiers"] = .array(identifiers.sorted().map { .string($0) })
    return json
  }

  /// Returns true if it can be the same person as before.
  ///
  /// The resource and the date of birth must agree, and then one identifier. If either has no
  /// identifiers, both must have a date of birth, share a word of their names, or have no name.
  package func isStill(_ before: HospitalPerson) -> Bool {
    guard id == before.id, Self.agree(birthDate, before.birthDate) else { return false }
    if !identifiers.isEmpty, !before.identifiers.isEmpty {
      return !identifiers.isDisjoint(with: before.identifiers)
    }
    return birthDate != nil && before.birthDate != nil || sharesName(before.name)
  }

  /// Returns true if two dates of birth agree as far as both are known.
  package static func agree(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return true }
    return one.hasPrefix(other) || other.hasPrefix(one)
  }

  func sharesName(_ other: String?) -> Bool {
    guard let name, let other else { return name == nil && other == nil }
    return !Self.words(name).isDisjoint(with: Self.words(other))
  }

  /// Returns true if this name contains every word of another one.
  func hasName(_ other: String) -> Bool {
    let wanted = Self.words(other)
    return !wanted.isEmpty && wanted.isSubset(of: Self.words(name ?? ""))
  }

  private static func words(_ name: String) -> Set<String> {
    let folded = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    return Set(folded.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }

  private static func text(_ name: JSONValue) -> String? {
    if let text = name["text"]?.string, !text.isEmpty { return text }
    func pieces(_ value: JSONValue?) -> [String] {
      value?.array?.compactMap(\.string) ?? [value?.string].compactMap(\.self)
    }
    let parts = pieces(name["given"]) + pieces(name["family"])
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

/// A search for a person in a hospital's records.
package enum HospitalPersonQuery: Sendable, Hashable {
  /// The person's identifier, with its system if that is known.
  case identifier(system: String?, value: String)
  /// The name and the date of birth, written as `YYYY-MM-DD`.
  case name(String, birthDate: String)

  /// Returns the people who match.
  ///
  /// Each result is checked again here, because some servers ignore search parameters they do not
  /// know.
  package func people(_ client: HospitalClient) async throws(HospitalTrouble) -> [HospitalPerson] {
    let query: [(String, String)] =
      switch self {
      case .identifier(let system, let value):
        [("identifier", system.map { "\($0)|\(value)" } ?? value)]
      case .name(let name, let birthDate):
        [
          ("name", name.split(separator: " ").last.map(String.init) ?? name),
          ("birthdate", birthDate),
        ]
      }
    let bundle = try await client.document(
      client.base.url("Patient", query + [("_count", "50")]))
    guard bundle["resourceType"]?.string == "Bundle" else { throw .unexpected }
    var found: [HospitalPerson] = []
    for entry in (bundle["entry"]?.array ?? []).prefix(200) {
      guard let person = entry["resource"].flatMap({ HospitalPerson($0) }), matches(person),
        !found.contains(where: { $0.id == person.id })
      else { continue }
      found.append(person)
    }
    return found
  }

  func matches(_ person: HospitalPerson) -> Bool {
    switch self {
    case .identifier(let system, let value):
      person.identifiers.contains { identifier in
        if let system { return identifier == "\(system)|\(value)" }
        return identifier.hasSuffix("|\(value)")
      }
    case .name(let name, let birthDate): person.birthDate == birthDate && person.hasName(name)
    }
  }

  /// Returns the person with an identifier on that server.
  ///
  /// - Throws: ``HospitalTrouble/otherPatient`` if the server answers with anything else.
  package static func person(_ id: String, _ client: HospitalClient) async throws(HospitalTrouble)
    -> HospitalPerson
  {
    guard HospitalAddress.isID(id) else { throw .notFound }
    let json = try await client.document(client.base.url("Patient/\(id)"))
    guard let person = HospitalPerson(json), person.id == id else { throw .otherPatient }
    return person
  }
}

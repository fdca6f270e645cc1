// SPDX-License-Identifier: Apache-2.0

/// A Patient resource.
///
/// Reading it never fails, whatever its content.
public struct PatientView: Sendable, Hashable {
  /// The address of the extension for a patient's time zone.
  public static let timeZoneExtension = "http://hl7.org/fhir/StructureDefinition/timezone"

  /// The underlying resource.
  public let json: JSONValue

  /// Creates a view of a resource of any shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The logical id.
  public var id: String? { json.text("id") }

  /// The given names of the current name.
  public var givenNames: [String] { nameInUse?.texts("given") ?? [] }

  /// The family name of the current name.
  public var familyName: String? { nameInUse?.text("family") }

  /// The current name's text, otherwise its given names and family name; nil if there is no name.
  public var displayName: String? {
    if let text = nameInUse?.text("text") { return text }
    let parts = givenNames + [familyName].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// The date of birth as written, which may be only a year.
  public var birthDate: String? { json.text("birthDate") }

  /// The contact points of the person, in order, without those that have no value.
  public var telecom: [ContactPoint] {
    json.items("telecom").compactMap { point in
      point.text("value").map { ContactPoint(system: point.text("system"), value: $0) }
    }
  }

  /// The BCP 47 tag of the preferred language, otherwise of the first one.
  public var language: String? {
    let entries = json.items("communication")
    let chosen = entries.first { $0["preferred"]?.bool == true } ?? entries.first
    return chosen?["language"]?.items("coding").lazy.compactMap { $0.text("code") }.first
  }

  /// The IANA name of the person's time zone, from the standard extension.
  public var timeZoneIdentifier: String? {
    json.items("extension").lazy
      .filter { $0.text("url") == Self.timeZoneExtension }
      .compactMap { $0.text("valueCode") ?? $0.text("valueString") }.first
  }

  /// The official name, otherwise the usual one, otherwise the first that is not old.
  private var nameInUse: JSONValue? {
    let names = json.items("name")
    return names.first { $0.text("use") == "official" } ?? names.first { $0.text("use") == "usual" }
      ?? names.first { $0.text("use") != "old" } ?? names.first
  }
}

extension PatientView {
  /// A telephone number, e-mail address or other contact point.
  public struct ContactPoint: Sendable, Hashable {
    /// The system, such as `phone` or `email`, if stated.
    public let system: String?
    /// The number or address.
    public let value: String
  }
}

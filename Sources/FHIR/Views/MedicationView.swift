// SPDX-License-Identifier: Apache-2.0

/// The medicine of a request or an administration: by code, by reference or as a contained resource.
public struct MedicationView: Sendable, Hashable {
  private let resource: JSONValue

  /// Creates a view of the resource that has `medication[x]`.
  init(of resource: JSONValue) { self.resource = resource }

  /// The reference's display, otherwise the code's text or display, otherwise those of the contained
  /// Medication.
  public var name: String? {
    resource["medicationReference"]?.text("display")
      ?? resource["medicationCodeableConcept"]?.conceptText
      ?? contained?["code"]?.conceptText
  }

  /// The codes of the medicine, stated here or in the contained Medication.
  public var codes: [CodeView] {
    (resource["medicationCodeableConcept"] ?? contained?["code"])?.conceptCodes ?? []
  }

  /// The names of the contained Medication's active ingredients, at most twenty.
  public var ingredientNames: [String] {
    (contained?.items("ingredient") ?? []).prefix(20)
      .filter { $0["isActive"]?.bool != false }
      .compactMap { $0["itemCodeableConcept"]?.conceptText }
  }

  /// The reference to a Medication, if there is one.
  public var reference: String? { resource["medicationReference"]?.text("reference") }

  /// The contained Medication of the reference.
  public var contained: JSONValue? {
    guard let reference, reference.hasPrefix("#") else { return nil }
    let id = String(reference.dropFirst())
    return resource.items("contained").first {
      $0.text("id") == id && $0.text("resourceType") == ResourceType.medication.rawValue
    }
  }
}

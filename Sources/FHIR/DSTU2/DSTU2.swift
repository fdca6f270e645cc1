// SPDX-License-Identifier: Apache-2.0

/// Converts resources of FHIR DSTU2 (1.0.2), and of the drafts shortly after it, to R4.
///
/// Content without a place in R4 is left out and named in the notes; nothing is guessed.
public enum DSTU2 {
  /// A resource in R4, with the parts that could not be converted.
  public struct Conversion: Sendable, Hashable {
    /// The R4 resource.
    public let resource: JSONValue
    /// The parts of the original that are not in it, in the order of the original.
    public let notes: [Note]
  }

  /// An element that R4 has no place for, or that means something else there.
  public struct Note: Sendable, Hashable {
    /// The fate of a part of the original.
    public enum Fate: String, Sendable, Hashable, CaseIterable {
      /// It is left out.
      case leftOut
      /// The status was changed because of an end date.
      case endedByDate
    }

    /// The path in the original, `MedicationOrder.dosageInstruction[0].siteReference`.
    public let element: String
    /// The fate of a part of the original.
    public let fate: Fate
  }

  /// Returns true if a resource is written in DSTU2 by its type or by elements that only DSTU2 has.
  public static func isWritten(_ resource: JSONValue) -> Bool {
    switch resource["resourceType"]?.string {
    case "MedicationOrder": true
    case "MedicationAdministration":
      resource.hasAny([
        "patient", "wasNotGiven", "reasonNotGiven", "effectiveTimeDateTime",
        "effectiveTimePeriod", "prescription", "practitioner",
      ])
    case "Medication": resource.hasAny(["product", "package", "isBrand"])
    case "Patient":
      resource.hasAny(["careProvider", "animal"])
        || resource.items("name").contains { $0["family"]?.array != nil }
    default: false
    }
  }

  /// Returns the R4 form of a MedicationOrder, MedicationAdministration, Medication or Patient of DSTU2;
  /// anything else is returned as it is.
  public static func r4(_ resource: JSONValue) -> Conversion {
    guard let type = resource["resourceType"]?.string else {
      return Conversion(resource: resource, notes: [])
    }
    var mapping = DSTU2Mapping()
    let converted = mapping.resource(resource, path: type)
    return Conversion(resource: converted, notes: mapping.notes)
  }
}

extension JSONValue {
  fileprivate func hasAny(_ keys: [String]) -> Bool { keys.contains { self[$0] != nil } }
}

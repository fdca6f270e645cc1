// SPDX-License-Identifier: Apache-2.0

/// A MedicationRequest resource.
///
/// Reading it never fails, whatever its content.
public struct MedicationRequestView: Sendable, Hashable {
  /// The underlying resource.
  public let json: JSONValue

  /// Creates a view of a resource of any shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The logical id.
  public var id: String? { json.text("id") }
  /// The status, such as `active`, `on-hold` or `stopped`.
  public var status: String? { json.text("status") }
  /// The intent, such as `plan` or `order`.
  public var intent: String? { json.text("intent") }
  /// True if the request forbids the medicine.
  public var doNotPerform: Bool { json["doNotPerform"]?.bool ?? false }
  /// The reference to the patient, such as `Patient/1`.
  public var subjectReference: String? { json["subject"]?.text("reference") }
  /// The medicine's name for people.
  public var medicationName: String? { medication.name }
  /// The medicine's codes.
  public var medicationCodes: [CodeView] { medication.codes }
  /// The medicine with its reference and contained resource.
  public var medication: MedicationView { MedicationView(of: json) }
  /// The reason for the status.
  public var statusReasonText: String? { json["statusReason"]?.conceptText }
  /// The dosages in order.
  public var dosages: [DosageView] { json.items("dosageInstruction").map(DosageView.init) }
  /// The request that this one replaces.
  public var priorPrescriptionReference: String? { json["priorPrescription"]?.text("reference") }
  /// The reference to the requester.
  public var requesterReference: String? { json["requester"]?.text("reference") }
  /// The time of writing, as stated.
  public var authoredOn: String? { json.text("authoredOn") }
  /// The text of the first note.
  public var noteText: String? {
    json.items("note").lazy.compactMap { $0.text("text") }.first
  }

  /// True if an element at any depth may change the meaning in a way that this program does not know.
  public var hasUnknownModifier: Bool {
    json.contains { name in
      name == "modifierExtension" || name == "implicitRules" || name == "_implicitRules"
    }
  }
}

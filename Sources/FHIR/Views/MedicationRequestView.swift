// SPDX-License-Identifier: Apache-2.0

/// A MedicationRequest resource, read without ever failing on odd content.
public struct MedicationRequestView: Sendable, Hashable {
  /// The underlying resource.
  public let json: JSONValue

  /// Looks at a resource, whatever its shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The logical id.
  public var id: String? { json.text("id") }
  /// `active`, `on-hold`, `stopped` and others.
  public var status: String? { json.text("status") }
  /// `plan`, `order` and others.
  public var intent: String? { json.text("intent") }
  /// True if the request forbids the medicine.
  public var doNotPerform: Bool { json["doNotPerform"]?.bool ?? false }
  /// The reference to the patient, `Patient/1`.
  public var subjectReference: String? { json["subject"]?.text("reference") }
  /// The medicine's name for people.
  public var medicationName: String? { medication.name }
  /// The medicine's codes.
  public var medicationCodes: [CodeView] { medication.codes }
  /// The medicine with its reference and contained resource.
  public var medication: MedicationView { MedicationView(of: json) }
  /// Why the status is what it is.
  public var statusReasonText: String? { json["statusReason"]?.conceptText }
  /// The dosages in order.
  public var dosages: [DosageView] { json.items("dosageInstruction").map(DosageView.init) }
  /// The request that this one replaces.
  public var priorPrescriptionReference: String? { json["priorPrescription"]?.text("reference") }
  /// The reference to the requester.
  public var requesterReference: String? { json["requester"]?.text("reference") }
  /// When it was written, as written.
  public var authoredOn: String? { json.text("authoredOn") }
  /// The text of the first note.
  public var noteText: String? {
    json.items("note").lazy.compactMap { $0.text("text") }.first
  }

  /// True if anything, at any depth, may change the meaning in a way that this program does not
  /// know.
  public var hasUnknownModifier: Bool {
    json.contains { name in
      name == "modifierExtension" || name == "implicitRules" || name == "_implicitRules"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A MedicationAdministration resource, read without ever failing on odd content.
public struct MedicationAdministrationView: Sendable, Hashable {
  /// The underlying resource.
  public let json: JSONValue

  /// Looks at a resource, whatever its shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The logical id.
  public var id: String? { json.text("id") }
  /// `completed`, `not-done` and others.
  public var status: String? { json.text("status") }
  /// Why it was not done, or stopped.
  public var statusReasonText: String? {
    json.items("statusReason").lazy.compactMap(\.conceptText).first
  }
  /// The codes of why it was not done, or stopped.
  public var statusReasonCodes: [CodeView] { json.items("statusReason").flatMap(\.conceptCodes) }
  /// The reference to the patient, `Patient/1`.
  public var subjectReference: String? { json["subject"]?.text("reference") }
  /// The request that it answers, `MedicationRequest/1`.
  public var requestReference: String? { json["request"]?.text("reference") }
  /// The medicine's name for people.
  public var medicationName: String? { medication.name }
  /// The medicine's codes.
  public var medicationCodes: [CodeView] { medication.codes }
  /// The medicine with its reference and contained resource.
  public var medication: MedicationView { MedicationView(of: json) }
  /// When it was taken: the time, else the start of the period, else its end.
  public var effective: FHIRDateTime? {
    let period = json["effectivePeriod"]
    let text = json.text("effectiveDateTime") ?? period?.text("start") ?? period?.text("end")
    return text.flatMap { FHIRDateTime($0) }
  }
  /// The amount taken.
  public var doseQuantity: QuantityView? { json["dosage"]?["dose"].map(QuantityView.init) }
  /// The text of the dosage.
  public var dosageText: String? { json["dosage"]?.text("text") }
  /// The text of the first note.
  public var noteText: String? { json.items("note").lazy.compactMap { $0.text("text") }.first }
  /// The references to those who gave it, `Practitioner/1`.
  public var performerReferences: [String] {
    json.items("performer").compactMap { $0["actor"]?.text("reference") }
  }
}

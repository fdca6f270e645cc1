// SPDX-License-Identifier: Apache-2.0

/// A MedicationAdministration resource.
///
/// Reading it never fails, whatever its content.
public struct MedicationAdministrationView: Sendable, Hashable {
  /// The underlying resource.
  public let json: JSONValue

  /// Creates a view of a resource of any shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The logical id.
  public var id: String? { json.text("id") }
  /// The status, such as `completed` or `not-done`.
  public var status: String? { json.text("status") }
  /// The reason why it was not done or was stopped.
  public var statusReasonText: String? {
    json.items("statusReason").lazy.compactMap(\.conceptText).first
  }
  /// The codes of the reason why it was not done or was stopped.
  public var statusReasonCodes: [CodeView] { json.items("statusReason").flatMap(\.conceptCodes) }
  /// The reference to the patient, such as `Patient/1`.
  public var subjectReference: String? { json["subject"]?.text("reference") }
  /// The request that it belongs to, such as `MedicationRequest/1`.
  public var requestReference: String? { json["request"]?.text("reference") }
  /// The medicine's name for people.
  public var medicationName: String? { medication.name }
  /// The medicine's codes.
  public var medicationCodes: [CodeView] { medication.codes }
  /// The medicine with its reference and contained resource.
  public var medication: MedicationView { MedicationView(of: json) }
  /// The time at which it was taken: the time, otherwise the start of the period, otherwise its end.
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

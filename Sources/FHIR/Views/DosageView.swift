// SPDX-License-Identifier: Apache-2.0

/// A FHIR Dosage.
///
/// Reading it never fails, whatever its content.
public struct DosageView: Sendable, Hashable {
  /// The underlying value.
  public let json: JSONValue

  /// Creates a view of a value of any shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The sender's own text.
  public var text: String? { json.text("text") }
  /// The order among several dosages; those with equal or no numbers run together.
  public var sequence: Int? { json.integer("sequence") }
  /// The text for the patient.
  public var patientInstruction: String? { json.text("patientInstruction") }
  /// Further instructions as text.
  public var additionalInstructions: [String] {
    json.items("additionalInstruction").compactMap(\.conceptText)
  }
  /// The timing.
  public var timing: TimingView? { json["timing"].map(TimingView.init) }
  /// True if it is taken only as needed.
  public var asNeeded: Bool {
    json["asNeededBoolean"]?.bool ?? (json["asNeededCodeableConcept"] != nil)
  }
  /// The reason for taking it, if it is taken as needed.
  public var asNeededReason: String? { json["asNeededCodeableConcept"]?.conceptText }
  /// The site on the body.
  public var site: String? { json["site"]?.conceptText }
  /// The route of administration.
  public var route: String? { json["route"]?.conceptText }
  /// The method of administration.
  public var method: String? { json["method"]?.conceptText }
  /// The dose of the first `doseAndRate` that states one as a quantity.
  public var doseQuantity: QuantityView? {
    json.items("doseAndRate").lazy.compactMap { $0["doseQuantity"] }.first.map(QuantityView.init)
  }
  /// The lower end of the first dose that is stated as a range.
  public var doseRangeLow: QuantityView? { doseRange?["low"].map(QuantityView.init) }
  /// The upper end of the first dose that is stated as a range.
  public var doseRangeHigh: QuantityView? { doseRange?["high"].map(QuantityView.init) }
  /// The number of stated doses or rates.
  public var doseAndRateCount: Int { json.items("doseAndRate").count }
  /// The names of all present elements, in order.
  public var presentElements: [String] { json.object?.keys ?? [] }

  private var doseRange: JSONValue? {
    json.items("doseAndRate").lazy.compactMap { $0["doseRange"] }.first
  }
}

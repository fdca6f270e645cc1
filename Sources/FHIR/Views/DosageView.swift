// SPDX-License-Identifier: Apache-2.0

/// A FHIR Dosage, read without ever failing on odd content.
public struct DosageView: Sendable, Hashable {
  /// The underlying value.
  public let json: JSONValue

  /// Looks at a value, whatever its shape.
  public init(_ json: JSONValue) { self.json = json }

  /// The sender's own words.
  public var text: String? { json.text("text") }
  /// The order among several dosages; equal or none run together.
  public var sequence: Int? { json.integer("sequence") }
  /// The words meant for the patient.
  public var patientInstruction: String? { json.text("patientInstruction") }
  /// Further instructions, each for people.
  public var additionalInstructions: [String] {
    json.items("additionalInstruction").compactMap(\.conceptText)
  }
  /// When to take it.
  public var timing: TimingView? { json["timing"].map(TimingView.init) }
  /// True if it is taken when needed only.
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
  /// The names of all elements that are there, in order.
  public var presentElements: [String] { json.object?.keys ?? [] }

  private var doseRange: JSONValue? {
    json.items("doseAndRate").lazy.compactMap { $0["doseRange"] }.first
  }
}

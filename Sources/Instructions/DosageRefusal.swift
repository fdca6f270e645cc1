// SPDX-License-Identifier: Apache-2.0

/// The reason why a dosage is not converted to text.
public struct DosageRefusal: Error, Sendable, Hashable {
  /// The problem.
  public enum Reason: String, Sendable, Hashable {
    case notAnObject = "is not an object"
    case noValue = "has no value that is an exact number"
    case notPositive = "is not above zero"
    case noUnit = "has no unit"
    case noDenominator = "has no denominator above zero"
    case belowMinimum = "is below its minimum"
    case endsBeforeStart = "ends before it starts"
    case severalDoses = "states more than one dose, without saying which one counts"
    case ambiguousDigits = "would put one number directly before another"
  }
  /// The path of the element, such as `doseAndRate.doseQuantity`; with several dosages
  /// `dosage[1].doseAndRate.doseQuantity`.
  public let path: String
  /// The problem with it.
  public let reason: Reason

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  func inside(_ prefix: String) -> DosageRefusal { DosageRefusal(prefix + path, reason) }

  /// The reason in English.
  public var text: String { "\(path) \(reason.rawValue)." }
}

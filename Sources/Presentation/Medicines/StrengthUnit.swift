// SPDX-License-Identifier: Apache-2.0

/// The units in which strengths are printed on packages; the raw value is stored.
package enum StrengthUnit: String, Sendable, Hashable, CaseIterable {
  case milligram = "mg"
  /// Spelled out because "µg" is easily misread.
  case microgram = "microgram"
  case gram = "g"
  case internationalUnit = "IU"
  case millimole = "mmol"
  case milliliter = "mL"
  case milligramPerMilliliter = "mg/mL"
  case microgramPerMilliliter = "microgram/mL"
  case internationalUnitPerMilliliter = "IU/mL"
  case milligramPerGram = "mg/g"
  case percent = "%"

  /// The last part of the message key.
  var key: String {
    switch self {
    case .milligram: "mg"
    case .microgram: "microgram"
    case .gram: "g"
    case .internationalUnit: "iu"
    case .millimole: "mmol"
    case .milliliter: "ml"
    case .milligramPerMilliliter: "mg-per-ml"
    case .microgramPerMilliliter: "microgram-per-ml"
    case .internationalUnitPerMilliliter: "iu-per-ml"
    case .milligramPerGram: "mg-per-g"
    case .percent: "percent"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Observations

/// Formats values of heart rate, steps and weight.
package enum HeartRateFormatter {
  /// Returns a value with its unit, converted from thousandths; only weights keep their decimals.
  package static func amount(_ thousandths: Int64, _ metric: VitalMetric, _ localizer: Localizer)
    -> String
  {
    let whole = Int((Double(thousandths) / 1_000).rounded())
    let number: MessageArgument =
      metric == .weight
      ? .decimal((Decimal(thousandths) / 1_000)) : .number(whole)
    return localizer.text(
      "heart-rate.amount", ["kind": .text(metric.rawValue), "value": number])
  }
}

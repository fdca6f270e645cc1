// SPDX-License-Identifier: Apache-2.0

import HealthData
import Localization
import Web

/// The typed meaning of a table's columns.
enum HeartColumnsInput {
  /// Returns the name of a question's field.
  static func field(_ question: TableMapping.Question) -> String { "column-\(question.rawValue)" }

  /// Reads the form; anything but a column or a fixed answer counts as no answer.
  static func mapping(_ form: FormBody) -> TableMapping {
    var mapping = TableMapping()
    for question in TableMapping.Question.allCases {
      guard let answer = form.text(field(question)) else { continue }
      if answer.hasPrefix("=") {
        mapping[question] = .fixed(String(answer.dropFirst().prefix(100)))
      } else if let number = Int(answer), number > 0 {
        mapping[question] = .column(number - 1)
      }
    }
    return mapping
  }

  /// Returns the fixed answers that apply to all rows.
  static func fixed(_ question: TableMapping.Question, chosen: TableMapping.Part?) -> [String] {
    var fixed: [String] =
      switch question {
      case .metric: VitalKind.allCases.map(\.rawValue)
      case .unit: ["bpm", "kg", "lb"]
      case .zone: ["UTC"]
      case .time, .clock, .value, .source: []
      }
    // An answer that the table's heading states.
    if case .fixed(let text)? = chosen, !fixed.contains(text) { fixed.append(text) }
    return fixed
  }
}

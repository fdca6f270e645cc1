// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import HTML
import Web

/// The data with which a script checks a value offline as the server would, and the question about an unlikely one.
struct DiaryQuestion: Sendable {
  let tracker: Tracker
  let fields: DiaryFields

  /// The attributes of the box around the form: the limits of each number, and the messages about it.
  var attributes: Markup {
    let texts: [String] = ranges.map { range in
      let limits: String = range.limits.map { "\($0)" }.joined(separator: ",")
      return "\(range.name)=\(limits)"
    }
    guard !texts.isEmpty else { return Markup() }
    return """
       data-ranges="\(texts.joined(separator: " "))" data-unusual="\(text(.unlikely))" \
      data-impossible="\(text(.impossible))" data-order="\(text(.pressureOrder))"
      """
  }

  /// The question with the field of the reason, for a script to copy into the form; empty if the form has the field.
  var template: Markup {
    guard !ranges.isEmpty, !fields.hasReasonField else { return Markup() }
    return """
      <template><section class="notice notice-warning" tabindex="-1" aria-labelledby="unusual" \
      data-again>\(Icon.warning)<div class="notice-body">\
      <p class="notice-title" id="unusual">\(text(.unlikely))</p>\(fields.reason)</div></section></template>
      """
  }

  private func text(_ mistake: DiaryError) -> String { fields.words.text(mistake) }

  /// The limits of each number, by the name of its unit or field.
  private var ranges: [(name: String, limits: [Decimal])] {
    switch tracker.shape {
    case .pressure:
      return [
        ("value", PlausibleRange.systolic.limits()), ("lower", PlausibleRange.diastolic.limits()),
      ]
    case .measurement(let units):
      guard let range = tracker.standard?.range else { return [] }
      return units.map { ($0.rawValue, range.limits(in: $0)) }
    case .score, .yesNo, .number, .text, .gradedText: return []
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Presentation
import Web

extension DoseFormatter {
  /// Returns the outcome of a dose and who reported it, `Taken 08:04 by Ann`; never the medicine.
  func outcome(_ dose: Dose) -> String {
    let state = chip(dose).text
    guard let answer = dose.answer, dose.state.isAnswered || dose.state == .later else {
      return state
    }
    return localizer.text(
      "ring.answered", ["state": .text(state), "name": .text(answer.by)])
  }

  /// Returns the different outcomes of some doses, each once.
  func outcomes(_ doses: [Dose]) -> [String] {
    var texts: [String] = []
    for text in doses.map(outcome) where !texts.contains(text) { texts.append(text) }
    return texts
  }
}

// SPDX-License-Identifier: Apache-2.0

import Adherence
import Localization

extension CareTeamError {
  /// Tells a practitioner what to correct.
  func message(_ localizer: Localizer) -> String {
    localizer.text("care-team.problem", ["problem": .text(rawValue)])
  }
}

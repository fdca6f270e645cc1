// SPDX-License-Identifier: Apache-2.0

import Localization
import Prescriptions

extension CareTeamError {
  /// Returns the message that tells a practitioner what to correct.
  package func message(_ localizer: Localizer) -> String {
    localizer.text("care-team.problem", ["problem": .text(rawValue)])
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Exchange

/// The consequences of account changes in all modules.
package enum AccountConsequences {
  /// The consequences, in the order in which they run.
  package static let all: [any AccountConsequence] = [
    AdherenceAccountConsequence(), HospitalAccountConsequence(),
  ]
}

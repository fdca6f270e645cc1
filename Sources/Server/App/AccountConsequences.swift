// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Exchange

/// The consequences of changes of accounts in all modules.
package enum AccountConsequences {
  /// The consequences in the order in which they are carried out.
  package static let all: [any AccountConsequence] = [
    AdherenceAccountConsequence(), HospitalAccountConsequence(),
  ]
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers

/// Which patient a request is about.
package enum PatientChoice {
  /// The one that `patient` of the query names.
  package static func patient(of call: Call, _ signedIn: SignedIn) throws -> PatientID {
    try patient(named: call.queryValue("patient"), signedIn)
  }

  /// The one named, as an id or `Patient/id`; without a name the only one there can be.
  package static func patient(named text: String?, _ signedIn: SignedIn) throws -> PatientID {
    if let text, !text.isEmpty {
      return PatientID(text.hasPrefix("Patient/") ? String(text.dropFirst(8)) : text)
    }
    let known = signedIn.actor.rights.keys
    guard known.count == 1, let only = known.first else {
      throw Failure.unprocessable("required", "patient must name one of the patients of /me.")
    }
    return only
  }
}

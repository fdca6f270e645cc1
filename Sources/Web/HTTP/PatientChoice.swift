// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers

/// The choice of a request's patient.
package enum PatientChoice {
  /// Returns the patient that the query parameter `patient` names.
  ///
  /// Without it, the account's only patient; throws ``Failure`` 422 if there are several.
  package static func patient(of call: Call, _ signedIn: SignedIn) throws -> PatientID {
    try patient(named: call.queryValue("patient"), signedIn)
  }

  /// Returns the named patient, an identifier or `Patient/id`, without checking that it exists.
  ///
  /// Without a name, the account's only patient; throws ``Failure`` 422 if there are several.
  package static func patient(named text: String?, _ signedIn: SignedIn) throws -> PatientID {
    if let text, !text.isEmpty {
      return PatientID(text.hasPrefix("Patient/") ? String(text.dropFirst(8)) : text)
    }
    let known = signedIn.actor.rights.keys
    guard known.count == 1, let only = known.first else {
      throw Failure.unprocessable("required", "Send patient with an id from /api/v1/me.")
    }
    return only
  }
}

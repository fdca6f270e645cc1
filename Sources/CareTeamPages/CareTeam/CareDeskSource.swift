// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import HummingbirdCore
import Identifiers
import Presentation
import Storage
import Web

/// The table of patients next to an open patient on other pages.
package enum CareDeskSource {
  /// The reader, which audits for each patient what the table showed.
  ///
  /// A phone has no room for the table, so nothing is read there. A phone that does not identify
  /// itself gets the table, and its page hides it.
  package static let table = DeskTable { patient, call, signedIn in
    if call.request.headers[.userAgent]?.contains("Mobi") == true { return nil }
    let model = try await call.environment.database.read { reader in
      try CareDeskModel.load(signedIn, DeskQuery(call), call, in: reader)
    }
    try await model.audit(call, signedIn)
    return CareDeskTable(
      model: model, localizer: call.localizer, now: call.now, open: patient
    ).markup
  }
}

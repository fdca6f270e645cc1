// SPDX-License-Identifier: Apache-2.0

import Diary
import HTTPTypes
import Web

extension SiteError: FailureConvertible {
  /// The response to something about a site that was not saved.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .site: .wrong("site", "must be one of the listed sites")
    case .wear:
      .wrong(
        "wear",
        "must be \(SiteChoice.wear.lowerBound) to \(SiteChoice.wear.upperBound) minutes")
    case .notWorn:
      Failure(
        .conflict, code: "conflict", detail: "It is not worn, or was taken off before.")
    case .time: .wrong("removed", "must be after the dose and not in the future")
    }
  }
}

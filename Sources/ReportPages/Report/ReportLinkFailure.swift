// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Statistics
import Web

extension ReportLinks.Failure: FailureConvertible {
  /// The failure of a command on links to a report.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .tooMany:
      Failure(
        .conflict, code: "conflict",
        detail: "A person can have \(ReportLinks.most) links. End one first.")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTTPTypes

extension Failure {
  /// The failure of a query about a person.
  init(_ error: PeopleQueryError) {
    switch error {
    case .notFound, .notAuthorized: self = .notFound
    case .zone: self = .unprocessable("value", "The time zone is not known on this server.")
    case .unreadableRecord:
      self.init(
        .internalServerError, code: "exception", detail: "A stored resource cannot be read.")
    case .records(let error): self.init(error)
    case .storage(let error): self = Failure(mapping: error) ?? .notFound
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTTPTypes
import Storage

extension Failure {
  init(_ error: LookError) {
    switch error {
    case .notFound, .place: self = .notFound
    case .noRoom:
      self.init(.conflict, code: "conflict", detail: "There are as many pictures as there may be.")
    case .storage(let error): self = Failure(mapping: error) ?? .notFound
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Diary
import HTTPTypes
import Web

extension DiaryError: FailureConvertible {
  /// The failure of an entry or a tracker of the diary.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .unlikely:
      Failure(
        .unprocessableContent, code: "unlikely",
        detail: "The value is unusual. If it is right, send it again with a reason.")
    case .impossible:
      .unprocessable("impossible", "The value is not possible. Check the number and its unit.")
    case .nameTaken:
      Failure(.conflict, code: "conflict", detail: "A tracker of this name already exists.")
    case .tooMany:
      Failure(.conflict, code: "conflict", detail: "The list is full. Remove an entry first.")
    case .foreign:
      Failure(
        .conflict, code: "conflict",
        detail: "Another program sent this value. It can only be deleted here.")
    case .eventUsed: .wrong("event", "was used for another entry; send a new UUID")
    case .valueMissing, .value, .pressureOrder, .textTooLong, .day, .time, .future, .nameMissing,
      .nameTooLong, .scale:
      .unprocessable("value", "A value is missing or not allowed: \(rawValue).")
    }
  }
}

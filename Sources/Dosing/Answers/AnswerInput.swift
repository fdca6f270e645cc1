// SPDX-License-Identifier: Apache-2.0

import Foundation
import Plans
import Storage

/// Checks of client input, shared by answers to doses and free entries.
package enum AnswerInput {
  static let maximumReasonLength = 500
  static let maximumMedicineLength = 200
  /// The milliseconds by which a phone's clock may run ahead before its time counts as the future.
  package static let clockToleranceMilliseconds: Int64 = 60_000

  /// 0001-01-03 to 9999-12-29: leaves a day for every zone offset within the calendar's years.
  private static let writableMilliseconds: ClosedRange<Int64> =
    -62_135_424_000_000...253_402_041_600_000

  /// Returns the time to record: now if none is given or if it is ahead by less than the tolerance.
  static func time(_ given: Timestamp?, now: Timestamp) throws(AnswerError) -> Timestamp {
    guard let given else { return now }
    guard writableMilliseconds.contains(given.milliseconds) else {
      throw .invalid(given > now ? .futureTime : .timeOutOfRange)
    }
    if given <= now { return given }
    guard given.milliseconds - now.milliseconds <= clockToleranceMilliseconds else {
      throw .invalid(.futureTime)
    }
    return now
  }

  /// Returns the text without surrounding space; nil if it is empty.
  static func reason(_ given: String?) throws(AnswerError) -> String? {
    guard let given else { return nil }
    let text = given.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.count <= maximumReasonLength else {
      throw .invalid(.reasonTooLong(maximum: maximumReasonLength))
    }
    return text.isEmpty ? nil : text
  }

  /// Returns the event in lower case, so that two spellings of one UUID are one event.
  static func event(_ given: String?) throws(AnswerError) -> String? {
    guard let given else { return nil }
    guard let uuid = UUID(uuidString: given) else { throw .invalid(.badEvent) }
    return uuid.uuidString.lowercased()
  }

  static func medicine(_ given: String) throws(AnswerError) -> String {
    let text = given.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !Ingredient.normalised(text).isEmpty else { throw .invalid(.missingMedicine) }
    guard text.count <= maximumMedicineLength else {
      throw .invalid(.medicineTooLong(maximum: maximumMedicineLength))
    }
    return text
  }
}
